import { useSyncExternalStore, type ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./popup.module.css";

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly isFailure: boolean;
}

const SUCCESS_MS = 6_000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => change(toasts.filter((toast) => toast.id !== id));

/** Says that something was done; it disappears by itself. */
export function notify(message: string): void {
  const id = ++lastId;
  change([...toasts, { id, message, isFailure: false }]);
  setTimeout(() => dismiss(id), SUCCESS_MS);
}

/** Says that something failed; it stays until it is dismissed. */
export const notifyFailure = ({ message }: { message: string }): void =>
  change([...toasts, { id: ++lastId, message, isFailure: true }]);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where messages appear; there from the start, so that a screen reader announces them. */
export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles["toasts"]} role="status" aria-live="polite">
      {shown.map(({ id, message, isFailure }) => (
        <div key={id} className={`${styles["toast"]} ${isFailure ? styles["failure"] : ""}`}>
          <span>{message}</span>
          <Button look="quiet" size="small" onClick={() => dismiss(id)} aria-label="Dismiss">
            ✕
          </Button>
        </div>
      ))}
    </div>
  );
}
