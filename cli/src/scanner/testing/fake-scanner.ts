import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeFrames, type Outcome } from "@glovebox/scan-run";
import { scanFailure } from "@glovebox/contract";
import type { ScannerProgram } from "../program.ts";

/** Programs that stand in for the scanner in tests: each one way to behave, as the body of an ES module. */
export interface FakeScanner extends Disposable {
  readonly program: ScannerProgram;
}

/** What a well-behaved fake delivers. */
export const DELIVERED: Outcome = { status: "failed", failure: scanFailure("connection_refused") };

const DELIVERED_LINES = JSON.stringify(outcomeFrames(DELIVERED).map((frame) => JSON.stringify(frame)));

/** Statements that deliver `DELIVERED`, for use in a program. */
export const DELIVER = `for (const line of ${DELIVERED_LINES}) console.log(line);`;

/** Statements that deliver every part of an outcome but its pieces. */
export const DELIVER_ONLY_THE_ENDING = `console.log(${DELIVERED_LINES}.at(-1));`;

/** One line of progress. */
export const PROGRESS = `console.log('{"frame":"progress","category":"ssrf","done":1,"planned":4}');`;

export function fakeScanner(body: string): FakeScanner {
  const folder = mkdtempSync(join(tmpdir(), "fake-scanner-"));
  const file = join(folder, "scanner.mjs");
  writeFileSync(file, body);
  return {
    program: { file, readable: [file], fromSource: false },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
