import { OutcomeReader } from "@glovebox/scan-run";
import { type ScanOrder } from "@glovebox/contract";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { DELIVER, DELIVERED, fakeScanner } from "./testing/fake-scanner.ts";
import { runScanner, type RunEnding } from "./run-scanner.ts";

const order: ScanOrder = {
  scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
  url: "https://api.example.com/",
  pins: [{ host: "api.example.com", addresses: ["8.8.8.8"], ports: [443] }],
  limits: { deadlineSeconds: 60, maxRequests: 10 },
};
const outcomes = new OutcomeReader();
afterAll(() => outcomes[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

async function run(body: string): Promise<RunEnding> {
  using fake = fakeScanner(body);
  const deps = { program: fake.program, node: process.execPath, outcomes, graceMs: 0, onStderr: () => {} };
  return await runScanner({ order, onProgress: () => {}, signal: new AbortController().signal }, deps);
}

/** A program that delivers this text, an expression, as a scanner delivers a report. */
const delivering = (text: string): string => `
  const { gzipSync } = await import("node:zlib");
  const { createHash } = await import("node:crypto");
  const packed = gzipSync(${text}, { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  for (let at = 0; at < packed.length; at += 6000) {
    const data = packed.subarray(at, at + 6000).toString("base64");
    console.log(JSON.stringify({ frame: "report", seq: at, of: 1, sha256, data }));
  }
  console.log(JSON.stringify({ frame: "ending", status: "completed", size: packed.length, sha256, findings: 0 }));`;
const PROGRESS = `'{"frame":"progress","category":"ssrf","done":1,"planned":4}\\n'`;

const PROGRAMS: Readonly<Record<string, string>> = {
  "400,000 empty lines": `process.stdout.write("\\n".repeat(400_000));`,
  "nothing but line ends": `process.stdout.write("\\n".repeat(4 * 1024 * 1024));`,
  "many short lines": `process.stdout.write("{}\\n".repeat(1024 * 1024));`,
  "many lines of progress": `process.stdout.write(${PROGRESS}.repeat(60_000));`,
  "32 MiB of objects": delivering('`[${"{},".repeat(11 * 1024 * 1024)}{}]`'),
  "32 MiB of arrays in one another": delivering('"[".repeat(32 * 1024 * 1024)'),
  "8 MiB of objects": delivering('`[${"{},".repeat(2_796_000)}{}]`'),
  "the maximum number of wrong values that are parsed": delivering('`[${"0,".repeat(190_000)}0]`'),
};

/** The limits of `FrameLines`: bytes of a line, and lines of a log. */
const [LINE, LINES] = [8 * 1024, 16 * 1024];

/** Counts the texts that this process parses, and the characters of the longest, until the mocks are restored. */
function watchParsing() {
  const parsed = { texts: 0, longest: 0 };
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    parsed.texts++;
    parsed.longest = Math.max(parsed.longest, text.length);
    return parse(text, reviver);
  });
  return parsed;
}

describe("eight compromised scanners at the same time, beside a normal one", () => {
  test.each(Object.entries(PROGRAMS))(
    "which print %s, have no more single lines parsed here than a log may have, and no report",
    async (_, program) => {
      const parsed = watchParsing();
      const endings = await Promise.all([...Array.from({ length: 8 }, () => run(program)), run(DELIVER)]);
      expect(endings.at(-1)).toEqual({ how: "delivered", outcome: DELIVERED });
      expect(new Set(endings.slice(0, -1).map(({ how }) => how))).toEqual(new Set(["malformed"]));
      expect(parsed.longest).toBeLessThanOrEqual(LINE);
      expect(parsed.texts).toBeLessThanOrEqual(8 * LINES + 2);
    },
  );
});
