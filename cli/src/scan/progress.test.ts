import { expect, test } from "vitest";
import { progressLine } from "./progress.ts";

function linesOn(isTTY: boolean, columns = 80): string[] {
  const written: string[] = [];
  let at = 0;
  const line = progressLine(
    { isTTY, columns, write: (text: string | Uint8Array) => (written.push(String(text)), true) },
    () => at,
  );
  line.update({ frame: "progress", category: "ssrf", done: 0, planned: 4 });
  at = 2_000;
  line.update({ frame: "progress", category: "ssrf", done: 1, planned: 4 });
  line.update({ frame: "progress", category: "encryption", done: 2, planned: 3 });
  at = 200_000;
  line.update({ frame: "progress", category: "encryption", done: 3, planned: 3 });
  line.clear();
  return written;
}

test("on a terminal one line is overwritten, with the phase and an estimate, and cleared at the end", () => {
  expect(linesOn(true)).toEqual([
    "\r\u001b[2KConnecting and listing the operations…",
    "\r\u001b[2K0 % · Server-side request forgery · 0 of 4 checks",
    "\r\u001b[2K25 % · Server-side request forgery · 1 of 4 checks · about 6 s left",
    "\r\u001b[2K42 % · Encryption · 3 of 7 checks · about 3 s left",
    "\r\u001b[2K57 % · Encryption · 4 of 7 checks · about 3 min left",
    "\r\u001b[2K",
  ]);
});

test("the line never wraps", () => {
  expect(linesOn(true, 40).every((text) => text.length < 40 + "\r\u001b[2K".length)).toBe(true);
});

test("where there is no terminal nothing is written", () => {
  expect(linesOn(false)).toEqual([]);
});
