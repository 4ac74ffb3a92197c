import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../test/faults/support/random.ts";
import type { SoakAccount } from "./accounts.ts";
import type { Reader } from "./reader.ts";
import type { Submitter } from "./submitter.ts";

export interface ClientsDeps {
  readonly accounts: readonly SoakAccount[];
  readonly submitter: Submitter;
  readonly reader: Reader;
  readonly random: Random;
  /** Clients that wait for the end of a scan at the same time, of all accounts. */
  readonly maxScans: number;
  /** 1: a client pauses for 2 to 6 seconds between its actions; 2: half as long. */
  readonly pace: number;
  readonly signal: AbortSignal;
}

type Action = (account: SoakAccount) => Promise<void>;

/** Runs two clients of each account, one that scans and one that reads, until the signal; resolves when the last has finished. */
export async function runClients({ accounts, submitter, reader, ...deps }: ClientsDeps): Promise<void> {
  const scanning: readonly Action[] = [
    (account) => submitter.held(account),
    (account) => submitter.plain(account),
    (account) => submitter.followed(account),
    (account) => submitter.repeated(account),
    (account) => submitter.cancelled(account),
    (account) => submitter.deleted(account),
  ];
  const reading: readonly Action[] = [
    (account) => reader.list(account),
    (account) => reader.read(account),
    (account) => reader.dashboard(account),
    (account) => reader.assistant(account),
  ];
  const withFeatures: readonly Action[] = [...reading, (account) => reader.export(account)];
  let scans = 0;
  const scan = async (account: SoakAccount): Promise<void> => {
    if (scans >= deps.maxScans) return;
    scans++;
    await deps.random
      .pick(scanning)(account)
      .finally(() => scans--);
  };
  const clients = accounts.flatMap((account) => {
    const reads = account.hasFeatures ? withFeatures : reading;
    return [loop(() => scan(account), deps), loop(() => deps.random.pick(reads)(account), deps)];
  });
  await Promise.all(clients);
}

async function loop(
  action: () => Promise<void>,
  { random, pace, signal }: Pick<ClientsDeps, "random" | "pace" | "signal">,
): Promise<void> {
  while (!signal.aborted) {
    await delay((2_000 + random.below(4_000)) / pace, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await action();
  }
}
