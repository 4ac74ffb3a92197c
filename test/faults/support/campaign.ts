import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { evidenceOf } from "./evidence.ts";
import type { Fault } from "./faults.ts";
import { TRANSITIONS, type Transition } from "./moments.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { randomOf, type Random } from "./random.ts";
import type { RedisServer } from "./redis-server.ts";
import { setRig, type Rig } from "./rig.ts";
import { judge, type Verdict } from "./verdict.ts";

export interface CampaignOptions {
  /** A folder for what the controllers and the API log; nothing is kept when absent. */
  readonly logs?: string | undefined;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly seed: number;
  /** Scans that are asked for, at least. */
  readonly scans: number;
  /** How often the fault is injected. */
  readonly times: number;
}

/** So many of the scans are asked for at once; the others while things die. */
const AT_ONCE = 0.6;
/** Fewer than so many that wait, and more are asked for while things still are to die. */
const LEAST_WAITING = 8;

/** A line for whoever watches the run. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Injects the fault again and again while scans are carried out, and checks the promises when nothing moves any more. */
export async function campaign(fault: Fault, options: CampaignOptions): Promise<Verdict> {
  const { postgres, redis, seed, scans, times, logs } = options;
  const random = randomOf(seed);
  const keepLine = logs === undefined ? () => undefined : lineKeeper(logs, fault.name);
  const rig = await setRig({ postgres, redis, replicas: fault.controllers ?? 1, random, keepLine });
  try {
    const stop = new AbortController();
    const loading = keepLoading(rig, { scans, random: randomOf(seed + 1), signal: stop.signal });
    if (fault.destroysOneScan)
      void rig.moments.next("accepted").then((scanId) => scanId && rig.pods.destroyEveryPodOf(scanId));
    for (const moment of momentsOf(Math.min(times, fault.mostTimes ?? times), random)) {
      await injectAt(moment, { fault, rig, random });
      const { asked } = rig.load;
      print(
        `${fault.name}: injected at ${moment ?? "a random time"}, ${rig.moments.over} of ${asked} scans have ended`,
      );
    }
    stop.abort();
    await loading;
    return judge(await evidenceOf(rig, fault));
  } finally {
    await rig.close();
  }
}

const lineKeeper =
  (folder: string, fault: string) =>
  (line: string): void =>
    appendFileSync(join(folder, `${fault.replaceAll(" ", "-")}.log`), `${line}\n`);

/** Each transition in turn, in an order of chance, and chance alone for the rest. */
function momentsOf(times: number, random: Random): (Transition | undefined)[] {
  const each = random.shuffled([...TRANSITIONS, undefined, undefined]);
  return Array.from({ length: times }, (_, index) => each[index % each.length]);
}

interface Injection {
  readonly fault: Fault;
  readonly rig: Rig;
  readonly random: Random;
}

async function injectAt(moment: Transition | undefined, { fault, rig, random }: Injection): Promise<void> {
  const scanId = moment === undefined ? undefined : await rig.moments.next(moment);
  // Into what happens then, or anywhere.
  await delay(random.below(moment === undefined ? 4000 : 150));
  await fault.inject(rig, { scanId, random });
}

interface Loading {
  readonly scans: number;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** Asks for so many scans, and for more as long as the signal has not come and few are waiting. */
async function keepLoading({ load, moments }: Rig, { scans, random, signal }: Loading): Promise<void> {
  for (let count = 0; count < scans * AT_ONCE; count++) load.add();
  while (load.asked < scans || !signal.aborted) {
    await delay(200 + random.below(1600));
    if (load.asked < scans || load.asked - moments.over < LEAST_WAITING) load.add();
  }
}
