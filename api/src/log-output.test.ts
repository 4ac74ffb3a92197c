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

test("a line is written at once, and those of the following milliseconds together", () => {
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
