import { createFakeClock } from "@glovebox/kube/testing";
import { expect, test } from "vitest";
import { shutDown, type EndedStep } from "./shutdown.ts";

const never = () => new Promise<never>(() => undefined);

function begin(steps: Parameters<typeof shutDown>[0]) {
  const clock = createFakeClock();
  const ended: EndedStep[] = [];
  const state = { isOver: false };
  void shutDown(steps, (step) => ended.push(step), clock).then(() => (state.isOver = true));
  return { clock, ended, state };
}

test("a shutdown runs one step after another, and tells how long each took", async () => {
  const work = Promise.withResolvers<void>();
  const { clock, ended, state } = begin([
    { name: "work", boundMs: 6000, run: () => work.promise },
    { name: "lease", boundMs: 5000, run: async () => undefined },
  ]);
  await clock.advance(1500);
  expect(ended).toEqual([]);
  work.resolve();
  await clock.advance(0);
  await clock.advance(0);
  expect(ended).toEqual([
    { step: "work", ms: 1500, how: "done" },
    { step: "lease", ms: 0, how: "done" },
  ]);
  expect(state.isOver).toBe(true);
});

test("a step that hangs is given up at its bound, and one that fails keeps none from being run", async () => {
  const error = new Error("no");
  const { clock, ended, state } = begin([
    { name: "work", boundMs: 6000, run: never },
    { name: "lease", boundMs: 5000, run: () => Promise.reject(error) },
    { name: "rest", boundMs: 5000, run: never },
  ]);
  await clock.advance(6000);
  await clock.advance(4999);
  expect(state.isOver).toBe(false);
  await clock.advance(1);
  expect(state.isOver).toBe(true);
  expect(ended).toEqual([
    { step: "work", ms: 6000, how: "overdue" },
    { step: "lease", ms: 0, how: "failed", error },
    { step: "rest", ms: 5000, how: "overdue" },
  ]);
});
