import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameLines } from "./frame-lines.ts";
import { MAX_LINE_BYTES, MAX_LOG_LINES } from "./frames.ts";

function linesOf(chunks: readonly Uint8Array[]): { lines: string[]; isOver: boolean } {
  const reader = new FrameLines();
  const lines = [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()];
  return { lines, isOver: reader.isOver };
}

/** A line of this many bytes that begins as a frame does. */
const lineOf = (bytes: number): string => `{"frame":"`.padEnd(bytes, "x");

describe("the lines that may be frames", () => {
  test("the lines that may be frames are the same however the text is cut", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }).map((text) => `{"frame":"${text}`),
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: MAX_LINE_BYTES - 2, max: MAX_LINE_BYTES + 2 }).map(lineOf),
    );
    const lines = fc.array(line.filter((text) => !text.includes("\n")));
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 5_000 }), (texts, size) => {
        const bytes = Buffer.from(texts.join("\n"));
        const chunks = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        const mayBeFrames = texts.filter(
          (text) => text.startsWith('{"frame":"') && Buffer.byteLength(text) <= MAX_LINE_BYTES,
        );
        expect(linesOf(chunks)).toEqual({ lines: mayBeFrames, isOver: false });
      }),
      { numRuns: 50 },
    );
  });

  test("the lines that may be frames are none of those that come after too many, be they empty", () => {
    const most = "\n".repeat(MAX_LOG_LINES - 1);
    expect(linesOf([Buffer.from(`${most}${lineOf(20)}\n`)])).toEqual({ lines: [lineOf(20)], isOver: false });
    expect(linesOf([Buffer.from(`${most}\n${lineOf(20)}\n`)])).toEqual({ lines: [], isOver: true });
  });

  test("hold no more than one line of a line without end", () => {
    const chunk = Buffer.from(lineOf(64 * 1024));
    expect(linesOf([...Array.from({ length: 200 }, () => chunk), Buffer.from(`\n${lineOf(20)}`)])).toEqual({
      lines: [lineOf(20)],
      isOver: false,
    });
  });
});
