import type { ReactNode } from "react";
import styles from "./code.module.css";
import { CopyButton } from "./copy-button.tsx";

export interface CodeProps {
  /** What the text is, such as "curl". */
  readonly title: ReactNode;
  /** The name of the text for the copy button. */
  readonly what: string;
  readonly text: string;
  /** The text as it is shown, where parts of it are marked. */
  readonly children?: ReactNode;
}

/** A text to read and copy. It scrolls by the keyboard too. */
export function Code({ title, what, text, children }: CodeProps): ReactNode {
  return (
    <div className={styles["code"]}>
      <div className={styles["head"]}>
        <span>{title}</span>
        <CopyButton text={text} what={what} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable (WCAG 2.1.1) */}
      <pre tabIndex={0} role="region" aria-label={what}>
        {children ?? text}
      </pre>
    </div>
  );
}

export const CodePair = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["pair"]}>{children}</div>
);

/** The class of a mark on what the other side has and this one replaces. */
export const removedClass = styles["removed"]!;
