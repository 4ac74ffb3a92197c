import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SCAN_FAILURE_CODES, isolationFailure, scanFailure } from "@glovebox/contract";
import { FrameReader, type Reading } from "./frame-reader.ts";
import {
  MAX_INFLATED_BYTES,
  MAX_LINE_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  frameOf,
  framedSize,
  outcomeFrames,
  terminationMessage,
  type Frame,
  type Outcome,
  type ProgressFrame,
} from "./frames.ts";
import { assess } from "@glovebox/domain";
import { WHOLLY_TESTED } from "@glovebox/domain/testing";

/** A report whose notes do not compress, so that it takes several pieces. */
function completed(noteBytes: number): Outcome {
  const { score, grade, categories, coverage, scoring } = assess({ findings: [], ...WHOLLY_TESTED });
  const notes = [randomBytes(noteBytes).toString("base64")];
  const statistics = { requests: 1, operations: 1, durationMs: 1 };
  return {
    status: "completed",
    report: { score, grade, categories, findings: [], coverage, scoring, checks: [], notes, statistics },
  };
}

function read(lines: readonly string[]): Reading {
  const reader = new FrameReader();
  for (const line of lines) reader.line(line);
  return reader.reading();
}

const linesOf = (frames: readonly Frame[]): string[] => frames.map((frame) => JSON.stringify(frame));
const whole = (outcome: Outcome): Reading => ({ is: "whole", outcome });
const cut: Reading = { is: "cut" };
const unfinished: Reading = { is: "unfinished" };

/** Frames that carry these bytes with a digest that is right. */
function framesOf(packed: Buffer, ending: object = {}): string[] {
  const sha256 = createHash("sha256").update(packed).digest("hex");
  return [
    { frame: "report", seq: 0, of: 1, sha256, data: packed.toString("base64") },
    { frame: "ending", status: "completed", size: packed.length, sha256, findings: 0, ...ending },
  ].map((frame) => JSON.stringify(frame));
}

/** A piece as somebody might make it who does not know the digest. */
const forged = (seq: number): string =>
  JSON.stringify({ frame: "report", seq, of: 100, sha256: "0".repeat(64), data: "AAAA" });
const unnamed = (seq: number): string => JSON.stringify({ frame: "report", seq, of: 100, data: "AAAA" });

const outcome = completed(200_000);
const lines = linesOf(outcomeFrames(outcome));
const [first, second] = lines as [string, string];
const ending = lines.at(-1)!;

const NO_GZIP = "It is not valid gzip, or exceeds the size limit when decompressed.";
const TOO_MUCH = "It has too many JSON values, or they are nested too deeply.";

describe("a report that arrives whole", () => {
  test("takes several pieces and is read back as it was", () => {
    expect(lines.length).toBeGreaterThan(3);
    expect(read(lines)).toEqual(whole(outcome));
  });

  test.each(SCAN_FAILURE_CODES)(
    "a report that arrives whole is read back too when the scan failed: %s",
    (code) => {
      const failure: Outcome = { status: "failed", failure: scanFailure(code, "In detail: é 漢 \u0000.") };
      expect(read(linesOf(outcomeFrames(failure)))).toEqual(whole(failure));
    },
  );

  test("keeps the reason of a failure", () => {
    const failure: Outcome = { status: "failed", failure: isolationFailure("CanaryRefused") };
    expect(read(linesOf(outcomeFrames(failure)))).toEqual(whole(failure));
  });

  test.each<[string, string[]]>([
    ["backwards", lines.toReversed()],
    ["with the ending first", [ending, ...lines.slice(0, -1)]],
    ["twice", [...lines, ...lines]],
    ["with each line repeated", lines.flatMap((line) => [line, line])],
    ["among other lines", ["", "Warning: x", "{}", "null", "[]", '{"frame":"other"}', ...lines, "bye"]],
    ["with carriage returns", lines.map((line) => `${line}\r`)],
    ["before a late forged ending", [...lines, ending.replace(/"size":\d+/, '"size":1')]],
    ["after a forged piece that names another digest", [forged(0), forged(99), ...lines]],
    ["after a forged piece that names none", [unnamed(0), unnamed(99), ...lines]],
    [
      "of a scanner whose pieces name no digest",
      lines.map((line) => line.replace(/"of":(\d+),"sha256":".{64}"/, '"of":$1')),
    ],
    ["with its ending first, after a forged piece", [ending, forged(0), ...lines]],
    ["before a late forged piece", [...lines, first.replace(/"data":"[^"]*"/, '"data":"AAAA"')]],
  ])("a report that arrives whole is read %s", (_, arrived) => {
    expect(read(arrived)).toEqual(whole(outcome));
  });

  test("a report that arrives whole has the size that framedSize tells", () => {
    expect(framedSize(outcomeFrames(outcome))).toBeGreaterThan(Buffer.byteLength(lines.join("\n")) - 64);
    const frames = outcomeFrames(completed(1000));
    expect(framedSize(frames)).toBe(
      Buffer.byteLength(
        linesOf(frames)
          .map((line) => `${line}\n`)
          .join(""),
      ),
    );
  });

  test("a report that arrives whole has no line, with its end, of more than the 8 KiB that every container runtime logs in one", () => {
    for (const line of lines) expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(MAX_LINE_BYTES);
  });
});

describe("a report that does not arrive whole", () => {
  test.each<[string, string[]]>([
    ["without its first piece", lines.slice(1)],
    ["without a piece in the middle", lines.toSpliced(1, 1)],
    ["without its last piece", lines.toSpliced(-2, 1)],
    ["without any piece", [ending]],
    ["with a line cut short", [first.slice(0, -20), ...lines.slice(1)]],
    ["with a piece's data cut short", [first.replace(/.{8}"\}$/, '"}'), ...lines.slice(1)]],
    [
      "with two pieces swapped",
      [first.replace('"seq":0', '"seq":1'), second.replace('"seq":1', '"seq":0'), ...lines.slice(2)],
    ],
    ["with a piece forged before the real one", [first.replace(/"data":"[^"]*"/, '"data":"AAAA"'), ...lines]],
    ["with a piece added that names its digest", [first.replace(/"seq":0.*?,/, '"seq":99,'), ...lines]],
    ["with data that is not base64", [first.replace(/"data":"./, '"data":"*'), ...lines.slice(1)]],
    ["with another digest", [...lines.slice(0, -1), ending.replace(/"sha256":"./, '"sha256":"g')]],
    ["with another size", [...lines.slice(0, -1), ending.replace(/"size":\d+/, '"size":7')]],
    ["as nothing but a size", framesOf(gzipSync("report"), { size: 1 })],
  ])("a report that does not arrive whole is cut, and never an empty report: %s", (_, arrived) => {
    expect(read(arrived)).toEqual(cut);
  });

  test.each<[string, string[]]>([
    ["nothing at all", []],
    ["everything but the ending", lines.slice(0, -1)],
    ["an ending cut short", [...lines.slice(0, -1), ending.slice(0, -1)]],
    ["an ending without a digest", ['{"frame":"ending","status":"completed","size":0,"findings":0}']],
  ])("a report that does not arrive whole is unfinished when the scanner printed %s", (_, arrived) => {
    expect(read(arrived)).toEqual(unfinished);
  });

  test("a report that does not arrive whole is read although as much again of forged pieces came before it", () => {
    const noise = framesOf(randomBytes(MAX_OUTCOME_BYTES)).slice(0, 1);
    expect(read([...noise, ...lines])).toEqual(whole(outcome));
  });
});

/** A text in JSON that is an outcome but for what it holds besides. */
const jsonWith = (more: string): string => {
  const { report } = completed(1) as Extract<Outcome, { status: "completed" }>;
  return JSON.stringify({ status: "completed", report: { ...report, more: "MORE" } }).replace('"MORE"', more);
};
const MIB = 1024 * 1024;

describe("what arrived as it was sent and is not a report of ours", () => {
  test.each<[string, string[], string]>([
    [
      "with another status",
      [...lines.slice(0, -1), ending.replace('"completed"', '"failed"')],
      "Its status or number of findings differs from the announced one.",
    ],
    [
      "with another number of findings",
      [...lines.slice(0, -1), ending.replace('"findings":0', '"findings":3')],
      "Its status or number of findings differs from the announced one.",
    ],
    ["as bytes that are not gzip", framesOf(Buffer.from("not gzip")), NO_GZIP],
    ["as nothing", framesOf(Buffer.alloc(0)), NO_GZIP],
    ["as gzip cut short", framesOf(gzipSync(JSON.stringify(outcome)).subarray(0, 500)), NO_GZIP],
    [
      "as gzip with a wrong checksum",
      framesOf(gzipSync("{}").map((byte, at, all) => (at === all.length - 6 ? byte ^ 1 : byte)) as Buffer),
      NO_GZIP,
    ],
    ["as 100 MiB of zeros", framesOf(gzipSync(Buffer.alloc(100 * MIB))), NO_GZIP],
    ["as gzip of no JSON", framesOf(gzipSync("report")), "It does not match the schema of a report."],
    [
      "as gzip of other JSON",
      framesOf(gzipSync('{"status":"completed","report":{}}')),
      "It does not match the schema of a report.",
    ],
    ["as 8 MiB of objects", framesOf(gzipSync(`[${"{},".repeat((8 * MIB) / 3 - 2)}{}]`)), TOO_MUCH],
    ["as 8 MiB of arrays in one another", framesOf(gzipSync("[".repeat(8 * MIB))), TOO_MUCH],
    ["with a value too many", framesOf(gzipSync(jsonWith(`[${"0,".repeat(MAX_VALUES)}0]`))), TOO_MUCH],
    [
      "larger than any that is sent",
      framesOf(randomBytes(MAX_OUTCOME_BYTES + 1)),
      "It exceeds the size limit.",
    ],
  ])("what arrived as it was sent and is not a report of ours is malformed: %s", (_, arrived, detail) => {
    expect(read(arrived)).toEqual({ is: "malformed", detail });
  });

  test("what arrived as it was sent and is not a report of ours is read up to the largest that it may inflate to, and no further", () => {
    const room = MAX_INFLATED_BYTES - jsonWith('""').length;
    const read8 = (length: number) => read(framesOf(gzipSync(jsonWith(JSON.stringify("x".repeat(length))))));
    expect(read8(room).is).toBe("whole");
    expect(read8(room + 1)).toEqual({ is: "malformed", detail: NO_GZIP });
  });

  test("counts neither what is in strings, nor how deep they seem to nest", () => {
    const text = JSON.stringify(`\\"${"[{,".repeat(MAX_VALUES)}`);
    expect(read(framesOf(gzipSync(jsonWith(text)))).is).toBe("whole");
  });
});

describe("any mishap on the way", () => {
  test("any mishap on the way with any lines left out ends in the report or in a failure, and never throws", () => {
    fc.assert(
      fc.property(fc.subarray(lines), (kept) => {
        const isWhole = kept.length === lines.length;
        expect(read(kept)).toEqual(isWhole ? whole(outcome) : kept.includes(ending) ? cut : unfinished);
      }),
    );
  });

  test("any mishap on the way with one character changed ends in the same report or in a failure, and never throws", () => {
    const small = linesOf(outcomeFrames(completed(50)));
    const at = fc
      .nat(small.length - 1)
      .chain((line) => fc.tuple(fc.constant(line), fc.nat(small[line]!.length - 1)));
    fc.assert(
      fc.property(at, fc.string({ minLength: 1, maxLength: 1 }), ([line, column], letter) => {
        const changed = small.with(
          line,
          small[line]!.slice(0, column) + letter + small[line]!.slice(column + 1),
        );
        const reading = read(changed);
        const isRefused = ["cut", "unfinished", "malformed"].includes(reading.is);
        expect(isRefused ? read(small) : reading).toEqual(read(small));
      }),
      { numRuns: 300 },
    );
  });

  test("any mishap on the way with any text for lines is unfinished, and never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (texts) => {
        expect(read(texts)).toEqual(unfinished);
      }),
    );
  });
});

test("a line of progress is a frame, and one that says what no progress can be is none", () => {
  const progress: ProgressFrame = { frame: "progress", category: "ssrf", done: 1, planned: 12 };
  expect(frameOf(JSON.stringify(progress))).toEqual(progress);
  expect(frameOf('{"frame":"progress","category":"none","done":1,"planned":2}')).toBeUndefined();
  expect(frameOf('{"frame":"progress","category":"ssrf","done":-1,"planned":2}')).toBeUndefined();
  expect(frameOf('{"frame":"progress","category":"ssrf","done":1,"planned":2000000000}')).toBeUndefined();
});

describe("a termination message", () => {
  const room = 4096;

  test("holds a small outcome whole, within what Kubernetes keeps", () => {
    const small = completed(500);
    const message = terminationMessage(outcomeFrames(small));
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(room);
    expect(read(message.split("\n"))).toEqual(whole(small));
  });

  test("holds the ending alone where there is no room for more", () => {
    expect(terminationMessage(outcomeFrames(outcome))).toBe(ending);
  });

  test("a termination message is never longer than what Kubernetes keeps, and never holds a part of an outcome", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 }), (noteBytes) => {
        const frames = outcomeFrames(completed(noteBytes));
        const message = terminationMessage(frames);
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(room);
        expect([1, frames.length]).toContain(message.split("\n").length);
      }),
      { numRuns: 50 },
    );
  });
});
