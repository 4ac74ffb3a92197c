import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { finalStateOf } from "./final-state.ts";
import type { Fault } from "./faults.ts";
import { TRANSITIONS, type Transition } from "./transitions.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { randomOf, type Random } from "./random.ts";
import type { RedisServer } from "./redis-server.ts";
import { startSystem, type System } from "./system.ts";
import { checkGuarantees, type CampaignResult } from "./guarantees.ts";

export interface CampaignOptions {
  /** A folder for the logs of the controllers; they are not kept by default. */
  readonly logs?: string | undefined;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly seed: number;
  /** Minimum number of submitted scans. */
  readonly scans: number;
  /** How often the fault is injected. */
  readonly times: number;
}

/** Share of the scans that is submitted at the start, before any fault. */
const INITIAL_SHARE = 0.6;
/** More scans are submitted when fewer than this are unfinished, until all faults have been injected. */
const MIN_UNFINISHED = 8;

/** Prints a line during the run. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Injects a fault repeatedly while scans run, and checks the guarantees of docs/faults.md when all scans have ended. */
export async function campaign(fault: Fault, options: CampaignOptions): Promise<CampaignResult> {
  const { postgres, redis, seed, scans, times, logs } = options;
  const random = randomOf(seed);
  const log = logs === undefined ? () => undefined : logTo(logs, fault.name);
  const system = await startSystem({ postgres, redis, replicas: fault.controllers ?? 1, random, log });
  try {
    const stop = new AbortController();
    const submitting = submitScans(system, { scans, random: randomOf(seed + 1), signal: stop.signal });
    if (fault.failsOneScan)
      void system.transitions
        .next("accepted")
        .then((scanId) => scanId && system.pods.deleteEveryPodOf(scanId));
    for (const transition of transitionsFor(Math.min(times, fault.maxTimes ?? times), random)) {
      await injectAt(transition, { fault, system, random });
      const { submitted } = system.load;
      print(
        `${fault.name}: injected at ${transition ?? "a random time"}, ${system.transitions.ended} of ${submitted} scans have ended`,
      );
    }
    stop.abort();
    await submitting;
    return checkGuarantees(await finalStateOf(system, fault));
  } finally {
    await system.close();
  }
}

const logTo =
  (folder: string, fault: string) =>
  (line: string): void =>
    appendFileSync(join(folder, `${fault.replaceAll(" ", "-")}.log`), `${line}\n`);

/** All transitions and two random times (undefined) in random order, repeated as often as needed. */
function transitionsFor(times: number, random: Random): (Transition | undefined)[] {
  const each = random.shuffled([...TRANSITIONS, undefined, undefined]);
  return Array.from({ length: times }, (_, index) => each[index % each.length]);
}

interface Injection {
  readonly fault: Fault;
  readonly system: System;
  readonly random: Random;
}

async function injectAt(
  transition: Transition | undefined,
  { fault, system, random }: Injection,
): Promise<void> {
  const scanId = transition === undefined ? undefined : await system.transitions.next(transition);
  await delay(random.below(transition === undefined ? 4000 : 150));
  await fault.inject(system, { scanId, random });
}

interface Submitting {
  readonly scans: number;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Submits this number of scans, and more until the signal is aborted whenever few are unfinished. */
async function submitScans(
  { load, transitions }: System,
  { scans, random, signal }: Submitting,
): Promise<void> {
  for (let count = 0; count < scans * INITIAL_SHARE; count++) load.add();
  while (load.submitted < scans || !signal.aborted) {
    await delay(200 + random.below(1600));
    if (load.submitted < scans || load.submitted - transitions.ended < MIN_UNFINISHED) load.add();
  }
}
