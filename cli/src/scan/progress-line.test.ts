import { expect, test } from "vitest";
import { progressLine } from "./progress-line.ts";

function linesOn(isTTY: boolean): string[] {
  const written: string[] = [];
  const line = progressLine({
    isTTY,
    write: (text: string | Uint8Array) => (written.push(String(text)), true),
  });
  line.update({ frame: "progress", category: "ssrf", done: 1, planned: 4 });
  line.update({ frame: "progress", category: "encryption", done: 2, planned: 3 });
  line.clear();
  return written;
}

test("on a terminal one line is overwritten, with the checks of all categories, and erased at the end", () => {
  expect(linesOn(true)).toEqual([
    "\r\u001b[2K1 of 4 checks · Server-side request forgery",
    "\r\u001b[2K3 of 7 checks · Encryption",
    "\r\u001b[2K",
  ]);
});

test("where there is no terminal nothing is written", () => {
  expect(linesOn(false)).toEqual([]);
});
