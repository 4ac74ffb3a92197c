import { visibleText } from "@glovebox/contract/visible-text";
import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./code.module.css";

export interface CodeProps {
  /** What the text is, such as "curl". */
  readonly title: ReactNode;
  /** The name of the text for the copy button. */
  readonly what: string;
  readonly text: string;
  /** The text as it is shown, where parts of it are marked. */
  readonly children?: ReactNode;
}

/** A text to read, where what is invisible is shown, and to copy as it is. It also scrolls by the keyboard. */
export function Code({ title, what, text, children }: CodeProps): ReactNode {
  return (
    <div className={styles["code"]}>
      <div className={styles["head"]}>
        <span>{title}</span>
        <CopyButton text={text} what={what} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable (WCAG 2.1.1) */}
      <pre tabIndex={0} role="region" aria-label={what}>
        {children ?? visibleText(text)}
      </pre>
    </div>
  );
}

/** How long the button says what it did. */
const SHOWN_MS = 2_000;

/** Copies a text. `what` names it, such as "API key". */
function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const copy = async (): Promise<void> => {
    // Without TLS there is no clipboard, except on this machine.
    const copied = await Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => navigator.clipboard !== undefined,
      () => false,
    );
    setState(copied ? "copied" : "failed");
    setTimeout(() => setState("ready"), SHOWN_MS);
  };
  const label = { ready: "Copy", copied: "Copied", failed: "Select and copy it" }[state];
  return (
    <Button size="small" onClick={() => void copy()}>
      <span aria-live="polite">{label}</span>
      <span className="visually-hidden"> {what}</span>
    </Button>
  );
}

export const CodePair = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["pair"]}>{children}</div>
);

/** The class of a mark on what the other side has and this one replaces. */
export const removedClass = styles["removed"]!;
