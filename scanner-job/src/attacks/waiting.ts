import { fail, inconclusive, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { MAX_SERIES, obeysWaits, baselineTime, WAITS, WAITS_MS, type Timing } from "../oracles/delays.ts";
import { inserting } from "./insertion-points.ts";
import { isRefused, type Point } from "./injection.ts";

/** A payload that makes the server wait if it becomes part of a statement. */
export interface Wait {
  /** Of the language's software. */
  readonly name: string;
  readonly payload: (baseValue: string, seconds: string) => string;
  readonly where?: (point: Point) => boolean;
}

/** The wait of the first request: if the server does not obey it, no more are sent. */
const FIRST_MS = 700;

/**
 * Whether a response is late by most of the time that its value asks for, which the same text without a wait is not. It may
 * be late for other reasons: what is sent beside it also slows it.
 */
export async function mayWait(waits: readonly Wait[], point: Point, probe: Probe): Promise<boolean> {
  for (const wait of waits) {
    if (wait.where && !wait.where(point)) continue;
    const send = sending(wait, point, probe);
    const asked = await send("attack", FIRST_MS);
    if (!isLate(asked)) continue;
    const control = await send("again", 0);
    if (control && asked.elapsedMs > control.elapsedMs + FIRST_MS / 2) return true;
  }
  return false;
}

/**
 * Whether the server waits for the time in a value. One request for each of the waits, which `mayWait` has sent before;
 * where its response was late, four of different length in random order, each followed by the same text without a wait.
 */
export async function examineWaits(
  waits: readonly Wait[],
  point: Point,
  probe: Probe,
): Promise<Verdict | undefined> {
  for (const wait of waits) {
    if (wait.where && !wait.where(point)) continue;
    const found = await examineWait(wait, point, probe);
    if (found) return found;
  }
  return undefined;
}

type Send = (role: "attack" | "again", askedMs: number) => Promise<Timing | undefined>;

const sending =
  (wait: Wait, point: Point, probe: Probe): Send =>
  async (role, askedMs) => {
    const text = wait.payload(point.baseValue, (askedMs / 1000).toFixed(1));
    const response = await probe[role](await inserting(probe, point, text));
    return isRefused(response, point.baseline) ? undefined : { askedMs, elapsedMs: response.elapsedMs };
  };

const isLate = (timing: Timing | undefined): timing is Timing =>
  timing !== undefined && timing.elapsedMs >= 0.9 * FIRST_MS;

async function examineWait(wait: Wait, point: Point, probe: Probe): Promise<Verdict | undefined> {
  const send = sending(wait, point, probe);
  const first = await send("attack", FIRST_MS);
  if (!isLate(first)) return undefined;

  const normalMs = baselineTime(await baselineTimes(point, probe));
  if (normalMs === undefined) return inconclusive("The response times of baseline requests vary too much.");
  if (first.elapsedMs < normalMs + 0.7 * FIRST_MS) return undefined;
  for (let series = 0; series < MAX_SERIES; series++) {
    if (await waitsAsAsked(send, normalMs))
      return fail(
        `The response was delayed as long as requested, ${WAITS} times. The payload is for ${wait.name}.`,
      );
  }
  return undefined;
}

/** Each wait is followed by a request without one; the first that is not obeyed ends the series. */
async function waitsAsAsked(send: Send, baselineMs: number): Promise<boolean> {
  for (const askedMs of shuffled(WAITS_MS).slice(0, WAITS)) {
    const timings = [await send("attack", askedMs), await send("again", 0)];
    if (!timings.every((timing) => timing !== undefined) || !obeysWaits(timings, baselineMs)) return false;
  }
  return true;
}

async function baselineTimes({ baseline }: Point, probe: Probe): Promise<number[]> {
  const times: number[] = [];
  while (times.length < 5) times.push((await probe.again(baseline.request)).elapsedMs);
  return times;
}

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
