import type { Category, Progress } from "@glovebox/contract";
import type { ProgressFrame } from "@glovebox/scan-run";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProgressWriter } from "./progress-writer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const frame = (category: Category, done: number): ProgressFrame => ({
  frame: "progress",
  category,
  done,
  planned: 10,
});

/** Keeps what is written; a scan's row is not needed to see when and what. */
function writer(fail = false) {
  const written: [Category, number, Progress][] = [];
  const progress = async (_id: string, { category, done }: ProgressFrame, total: Progress) => {
    written.push([category, done, total]);
    if (fail) throw new Error("away");
  };
  return { written, progress: new ProgressWriter("scan-1", { progress }) };
}

describe("the progress of a scan", () => {
  test("the progress of a scan of many frames within 250 ms the latest of each category is written, with the scan's total", async () => {
    const { written, progress } = writer();
    for (let done = 1; done <= 5; done++) progress.add(frame("ssrf", done));
    progress.add(frame("encryption", 1));
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    const total = { done: 6, planned: 20 };
    expect(written).toEqual([
      ["ssrf", 5, total],
      ["encryption", 1, total],
    ]);
  });

  test("a later frame waits for the next 250 ms", async () => {
    const { written, progress } = writer();
    progress.add(frame("ssrf", 1));
    await vi.advanceTimersByTimeAsync(250);
    progress.add(frame("ssrf", 2));
    await vi.advanceTimersByTimeAsync(249);
    expect(written).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(written).toHaveLength(2);
  });

  test("after the progress was closed, nothing is written, even if something waited", async () => {
    const { written, progress } = writer();
    progress.add(frame("ssrf", 1));
    await progress.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([]);
  });

  test("a database that is away does not stop later progress", async () => {
    const { written, progress } = writer(true);
    progress.add(frame("ssrf", 1));
    await vi.advanceTimersByTimeAsync(250);
    progress.add(frame("ssrf", 2));
    await vi.advanceTimersByTimeAsync(250);
    expect(written).toHaveLength(2);
  });
});
