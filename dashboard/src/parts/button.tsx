import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";

export interface ButtonLook {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly size?: "medium" | "small";
}

/** The class of a button, for links that look like one. */
export const buttonClass = ({ look = "plain", size = "medium" }: ButtonLook = {}): string =>
  [styles["button"], look === "plain" ? "" : styles[look], size === "small" ? styles["small"] : ""]
    .filter(Boolean)
    .join(" ");

export function Button({
  look,
  size,
  type = "button",
  ...rest
}: ButtonLook & ButtonHTMLAttributes<HTMLButtonElement> & { children: ReactNode }): ReactNode {
  return (
    <button type={type} className={buttonClass({ ...(look && { look }), ...(size && { size }) })} {...rest} />
  );
}
