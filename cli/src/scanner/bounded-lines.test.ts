import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedLines } from "./bounded-lines.ts";

const ROOMY = { line: 1_000, total: 100_000 };

function linesOf(chunks: readonly Buffer[], limits = ROOMY): { lines: string[]; accepted: boolean } {
  const lines: string[] = [];
  const reader = new BoundedLines(limits, (line) => lines.push(line));
  const accepted = chunks.every((chunk) => reader.push(chunk));
  if (accepted) reader.end();
  return { lines, accepted };
}

describe("bounded lines", () => {
  test("a text cut anywhere gives the same lines", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }).filter((line) => !line.includes("\n"))),
        fc.nat(20),
        (texts, size) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
          const chunks = [];
          for (let at = 0; at < bytes.length; at += size + 1) chunks.push(bytes.subarray(at, at + size + 1));
          expect(linesOf(chunks).lines).toEqual(texts);
        },
      ),
    );
  });

  test("a last line without its end is a line all the same", () => {
    expect(linesOf([Buffer.from("a\nb")]).lines).toEqual(["a", "b"]);
  });

  test.each([
    ["a line without end", [Buffer.alloc(600, "x"), Buffer.alloc(600, "x")]],
    ["a long line that ends", [Buffer.from(`${"x".repeat(1_001)}\n`)]],
    ["too many short lines", Array.from({ length: 60 }, () => Buffer.from(`${"x".repeat(999)}\n`.repeat(2)))],
  ])("%s is refused", (_kind, chunks) => {
    expect(linesOf(chunks).accepted).toBe(false);
  });
});
