import { useEffect, useState, type ReactNode } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/page.tsx";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Moves the focus to the first link or button of the next or previous row of the list. */
function moveThroughRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll("[data-row]")];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? (step === 1 ? 0 : rows.length - 1) : current + step;
  rows[next]?.querySelector<HTMLElement>("a, button, summary")?.focus();
}

const focusSearch = (): void => document.querySelector<HTMLElement>("[data-search]")?.focus();

/** The shortcuts of every page; the dialog that lists them opens with `?`. */
export function Keyboard(): ReactNode {
  const [isListed, setListed] = useState(false);
  useEffect(() => {
    const actions: Record<string, () => void> = {
      "/": focusSearch,
      j: () => moveThroughRows(1),
      k: () => moveThroughRows(-1),
      "?": () => setListed(true),
    };
    const onKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const isBehindDialog = document.querySelector("[role=dialog]") !== null;
      const action = actions[event.key];
      if (!action || !isPlain || isBehindDialog || isTyping(event.target)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isListed} onClose={() => setListed(false)}>
      <Facts
        facts={{
          "Search this list": <kbd>/</kbd>,
          "Next row": <kbd>j</kbd>,
          "Previous row": <kbd>k</kbd>,
          "Open the row": <kbd>Enter</kbd>,
          "This list": <kbd>?</kbd>,
        }}
      />
    </Dialog>
  );
}
