import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { stopSignal } from "./process.ts";

function listening() {
  const source = new EventEmitter();
  const seen = { now: 5, ends: 0 };
  const signal = stopSignal({
    source: source as unknown as NodeJS.Process,
    clock: () => seen.now,
    end: () => (seen.ends += 1),
  });
  return { source, seen, signal };
}

describe("signals to stop", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"])("the first, %s, asks to stop", (name) => {
    const { source, seen, signal } = listening();
    expect(signal.aborted).toBe(false);
    source.emit(name);
    expect([signal.aborted, seen.ends]).toEqual([true, 0]);
  });

  test("the second, a second later, ends the process immediately", () => {
    const { source, seen } = listening();
    source.emit("SIGTERM");
    seen.now += 1_000;
    source.emit("SIGINT");
    expect(seen.ends).toBe(1);
  });

  test("one that a terminal and a launcher both pass on counts once", () => {
    const { source, seen } = listening();
    source.emit("SIGINT");
    seen.now += 999;
    source.emit("SIGINT");
    expect(seen.ends).toBe(0);
  });
});
