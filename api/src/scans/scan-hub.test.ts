import { expect, test } from "vitest";
import { ScanHub } from "./scan-hub.ts";

const MINUTE = 60_000;

test("the end of a scan wakes those who watch it, and nobody else", async () => {
  const hub = new ScanHub(10);
  const [one, two, other] = [hub.watch("a")!, hub.watch("a")!, hub.watch("b")!];
  const woken = Promise.all([one.next(MINUTE), two.next(MINUTE)]);
  hub.publish({ type: "scanEnded", id: "a" });
  expect(await woken).toEqual(["changed", "changed"]);
  expect(await other.next(0)).toBe("timeout");
});

test("an end that comes between reading and waiting is not missed, and is told once", async () => {
  const hub = new ScanHub(10);
  const watch = hub.watch("a")!;
  hub.publish({ type: "scanEnded", id: "a" });
  expect([await watch.next(MINUTE), await watch.next(0)]).toEqual(["changed", "timeout"]);
});

test("after a lost connection everyone looks again", async () => {
  const hub = new ScanHub(10);
  const watches = [hub.watch("a")!, hub.watch("b")!];
  hub.publish({ type: "reconnected" });
  expect(await Promise.all(watches.map((watch) => watch.next(MINUTE)))).toEqual(["changed", "changed"]);
});

test("a shutdown wakes everyone for good, and nobody waits any more", async () => {
  const hub = new ScanHub(10);
  const [waiting, late] = [hub.watch("a")!, hub.watch("a")!];
  const woken = waiting.next(MINUTE);
  hub.close();
  hub.publish({ type: "scanEnded", id: "a" });
  expect([await woken, await waiting.next(MINUTE), await late.next(MINUTE)]).toEqual([
    "closing",
    "closing",
    "closing",
  ]);
  expect(hub.watch("b")).toBeUndefined();
});

test("a client that has gone is not woken by a change again", async () => {
  const hub = new ScanHub(10);
  const watch = hub.watch("a")!;
  watch.wake("changed");
  watch.wake("hungUp");
  watch.wake("changed");
  expect([await watch.next(MINUTE), await watch.next(MINUTE)]).toEqual(["hungUp", "hungUp"]);
});

test("progress reaches those who asked for it, while they wait", async () => {
  const hub = new ScanHub(10);
  const heard: number[] = [];
  const watch = hub.watch("a", ({ total }) => heard.push(total.done))!;
  const frame = { category: "ssrf", done: 1, planned: 2 } as const;
  for (const id of ["a", "b"])
    hub.publish({ type: "scanProgress", id, frame, total: { done: 7, planned: 9 } });
  expect(heard).toEqual([7]);
  expect(await watch.next(0)).toBe("timeout");
});

test("the hub is bounded, and room is made by those who stop", () => {
  const hub = new ScanHub(2);
  const [one] = [hub.watch("a"), hub.watch("b")];
  expect([hub.size, hub.watch("c")]).toEqual([2, undefined]);
  one!.stop();
  one!.stop();
  expect([hub.size, hub.watch("c") !== undefined]).toEqual([1, true]);
});
