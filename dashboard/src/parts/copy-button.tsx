import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

/** Copies a text. `what` names it, such as "API key". */
export function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
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
  const said = { ready: "Copy", copied: "Copied", failed: "Select and copy it" }[state];
  return (
    <Button size="small" onClick={() => void copy()}>
      <span aria-live="polite">{said}</span>
      <span className="visually-hidden"> {what}</span>
    </Button>
  );
}
