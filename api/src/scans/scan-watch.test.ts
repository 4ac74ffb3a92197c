import { expect, test } from "vitest";
import { ScanHub } from "./scan-watch.ts";

const MINUTE = 60_000;
const scan = (id: string, accountId = "account") => ({ id, accountId });

test("the end of a scan wakes those who watch it, and nobody else", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const [one, two, other] = [hub.watch(scan("a"))!, hub.watch(scan("a"))!, hub.watch(scan("b"))!];
  const woken = Promise.all([one.next(MINUTE), two.next(MINUTE)]);
  hub.publish({ type: "scanEnded", id: "a" });
  expect(await woken).toEqual(["changed", "changed"]);
  expect(await other.next(0)).toBe("timeout");
});

test("an end that comes between reading and waiting is not missed, and is told once", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const watch = hub.watch(scan("a"))!;
  hub.publish({ type: "scanEnded", id: "a" });
  expect([await watch.next(MINUTE), await watch.next(0)]).toEqual(["changed", "timeout"]);
});

test("after a lost connection everyone looks again", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const watches = [hub.watch(scan("a"))!, hub.watch(scan("b"))!];
  hub.publish({ type: "reconnected" });
  expect(await Promise.all(watches.map((watch) => watch.next(MINUTE)))).toEqual(["changed", "changed"]);
});

test("a shutdown wakes everyone, and nobody waits any more", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const [waiting, late] = [hub.watch(scan("a"))!, hub.watch(scan("a"))!];
  const woken = waiting.next(MINUTE);
  hub.close();
  hub.publish({ type: "scanEnded", id: "a" });
  expect([await woken, await waiting.next(MINUTE), await late.next(MINUTE)]).toEqual([
    "closing",
    "closing",
    "closing",
  ]);
  expect(hub.watch(scan("b"))).toBeUndefined();
});

test("a client that has disconnected is not woken by a change again", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const watch = hub.watch(scan("a"))!;
  watch.wake("changed");
  watch.wake("disconnected");
  watch.wake("changed");
  expect([await watch.next(MINUTE), await watch.next(MINUTE)]).toEqual(["disconnected", "disconnected"]);
});

test("progress reaches those who asked for it, while they wait", async () => {
  const hub = new ScanHub({ total: 10, perAccount: 10 });
  const heard: number[] = [];
  const watch = hub.watch(scan("a"), { onProgress: ({ total }) => heard.push(total.done) })!;
  const frame = { category: "ssrf", done: 1, planned: 2 } as const;
  for (const id of ["a", "b"])
    hub.publish({ type: "scanProgress", id, frame, total: { done: 7, planned: 9 } });
  expect(heard).toEqual([7]);
  expect(await watch.next(0)).toBe("timeout");
});

test("the hub is bounded, and room is made by those who stop", () => {
  const hub = new ScanHub({ total: 2, perAccount: 2 });
  const [one] = [hub.watch(scan("a")), hub.watch(scan("b"))];
  expect([hub.size, hub.watch(scan("c"))]).toEqual([2, undefined]);
  one![Symbol.dispose]();
  one![Symbol.dispose]();
  expect([hub.size, hub.watch(scan("c")) !== undefined]).toEqual([1, true]);
});

test("an account has its share, and others their slots beside it", () => {
  const hub = new ScanHub({ total: 3, perAccount: 2 });
  const mine = [hub.watch(scan("a", "me")), hub.watch(scan("b", "me"))];
  expect(hub.watch(scan("c", "me"))).toBeUndefined();
  expect([hub.isFullFor("me"), hub.isFullFor("you")]).toEqual([true, false]);
  expect(hub.watch(scan("d", "you"))).toBeDefined();
  expect(hub.watch(scan("e", "you"))).toBeUndefined(); // the hub is full, not the share
  expect(hub.isFullFor("you")).toBe(false);
  mine[0]![Symbol.dispose]();
  mine[0]![Symbol.dispose]();
  expect(hub.watch(scan("c", "me"))).toBeDefined();
  expect(hub.watch(scan("f", "me"))).toBeUndefined();
});
