import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LogOutput } from "./log-output.ts";

const written: string[] = [];
const writtenLines = (): string[] => written.splice(0);
let output: LogOutput;

beforeEach(() => {
  vi.useFakeTimers();
  output = new LogOutput({ write: (lines) => void written.push(lines) });
});
afterEach(() => void vi.useRealTimers());

test("a line is written immediately, and the lines of the following milliseconds together", () => {
  output.write("a\n");
  expect(writtenLines()).toEqual(["a\n"]);
  output.write("b\n");
  output.write("c\n");
  expect(writtenLines()).toEqual([]);
  vi.runOnlyPendingTimers();
  expect(writtenLines()).toEqual(["b\nc\n"]);

  output.write("d\n");
  vi.runOnlyPendingTimers();
  expect(writtenLines()).toEqual(["d\n"]);
  vi.runAllTimers();
  output.write("e\n");
  expect(writtenLines()).toEqual(["e\n"]);
});

test("a flush writes what has gathered, once", () => {
  output.write("a\n");
  output.write("b\n");
  output.flushSync();
  output.flushSync();
  vi.runAllTimers();
  expect(writtenLines()).toEqual(["a\n", "b\n"]);
});

test.each(["throw new Error('unexpected')", "process.exit(1)"])(
  "what a logger has gathered when its process ends with %s is written",
  (end) => {
    const program = `import { createLogger } from ${JSON.stringify(new URL("observability.ts", import.meta.url).href)};
      const logger = createLogger("info");
      for (const number of [1, 2, 3]) logger.info({ number });
      ${end}`;
    const options = ["--conditions=source", "--input-type=module", "--eval", program];
    const { status, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
    const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(lines.map((line) => (JSON.parse(line) as { number: number }).number)).toEqual([1, 2, 3]);
    expect(status).toBe(1);
  },
);
