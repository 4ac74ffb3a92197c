import { describe, expect, test } from "vitest";
import { Overlay, type ScanView } from "./overlay.ts";
import { scanResource } from "./testing/worlds.ts";

const view = (changes: { uid?: string; resourceVersion?: string; isTombstone?: boolean } = {}): ScanView => {
  const { isTombstone = false, ...metadata } = changes;
  const scan = scanResource();
  return { scan: { ...scan, metadata: { ...scan.metadata, ...metadata } }, isTombstone };
};
const scanAt = (resourceVersion: string) => view({ resourceVersion }).scan;

describe("a status that was written", () => {
  test("counts while the cache shows the version before, through any number of writes", () => {
    const overlay = new Overlay();
    const seen = view({ resourceVersion: "1" });
    expect(overlay.of(seen).scan).toBe(seen.scan);
    overlay.of(seen).note({ scan: scanAt("2") });
    expect(overlay.of(seen).scan).toEqual(scanAt("2"));
    overlay.of(seen).note({ scan: scanAt("3") });
    expect(overlay.of(seen).scan).toEqual(scanAt("3"));
  });

  test.each([
    ["what the cache shows since", view({ resourceVersion: "2" })],
    ["the last state of a deleted Scan", view({ resourceVersion: "1", isTombstone: true })],
  ])("gives way to %s permanently", (_, later) => {
    const overlay = new Overlay();
    overlay.of(view({ resourceVersion: "1" })).note({ scan: scanAt("2") });
    expect(overlay.of(later).scan).toBe(later.scan);
    expect(overlay.of(view({ resourceVersion: "1" })).scan).toEqual(scanAt("1"));
  });
});

describe("what was learned of a Scan", () => {
  test("what was learned of a Scan is remembered until it is replaced, of ten thousand Scans", () => {
    const overlay = new Overlay();
    const of = (n: number) => overlay.of(view({ uid: `uid-${n}` }));
    for (let n = 0; n < 10_000; n++) of(n).note({ recent: { madeAttempt: 1, seenJobUid: "job" } });
    of(0).note({ recent: { madeAttempt: 2 } });
    of(10_000).note({ recent: { madeAttempt: 1 } });
    expect(of(0).recent).toEqual({ madeAttempt: 2, seenJobUid: "job" });
    expect(of(1).recent).toEqual({});
    expect(of(2).recent).toEqual({ madeAttempt: 1, seenJobUid: "job" });
  });

  test("what was learned of a Scan is forgotten once its deletion has been dealt with", () => {
    const overlay = new Overlay();
    overlay.of(view()).note({ recent: { madeAttempt: 1 } });
    overlay.forget(view({ isTombstone: true }));
    expect(overlay.of(view()).recent).toEqual({});
  });

  test("what was learned of a Scan by a query is its response in that reconciliation alone", () => {
    const overlay = new Overlay();
    const first = overlay.of(view());
    first.note({ responses: { binding: "refused" } });
    first.note({ responses: { liveJob: { attempt: 1, exists: true } } });
    expect(first.responses).toEqual({ binding: "refused", liveJob: { attempt: 1, exists: true } });
    expect(overlay.of(view()).responses).toEqual({});
  });
});

test("what holds has held since it was first seen, and begins again after a gap", () => {
  const overlay = new Overlay();
  const age = (holds: boolean, at: number) => overlay.of(view()).ageOf("a pod lost", holds, at);
  expect([age(true, 1000), age(true, 4000)]).toEqual([0, 3000]);
  expect([age(false, 5000), age(true, 6000), age(true, 6500)]).toEqual([undefined, 0, 500]);
  expect(overlay.of(view()).ageOf("another lost", true, 7000)).toBe(0);
});
