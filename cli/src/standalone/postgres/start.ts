import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { SUPERUSER, openCluster } from "./cluster.ts";
import { closedTo, dropFromRoot } from "./identity.ts";
import { type PostmasterOptions, choosePort, spawnPostmaster, stopPostmaster } from "./postmaster.ts";
import { stopPredecessor } from "./predecessor.ts";

const RESTART_PAUSE_MS = 500;
/** Attempts to start while children of an earlier PostgreSQL use its shared memory. */
const ATTEMPTS = 20;

export interface PostgresOptions {
  /** The database is `<dataDir>/postgres`, made on first use. */
  readonly dataDir: string;
  /** Takes each line of PostgreSQL's own log. */
  readonly log?: (line: string) => void;
  /** Takes one line for each crash. */
  readonly warn?: (line: string) => void;
  /** false: faster, but a power failure loses data. For tests. Default true. */
  readonly fsync?: boolean;
}

export interface RunningPostgres {
  readonly url: string;
  /** Shuts the database down; resolves when it has exited. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of one machine: for trying out, laptops and tests (its OpenSSL and ICU are old).
 * As root it runs as an unprivileged user. It listens on a free port of 127.0.0.1 (the port of the last start, if free), with a
 * password, without a socket file. A PostgreSQL that a killed process left running on the same data directory is stopped first;
 * if its owner is alive, this rejects. A PostgreSQL that crashes is restarted with the same address.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, log = () => {}, warn = () => {}, fsync = true } = options;
  const identity = dropFromRoot();
  const binaries = findBinaries(identity);
  const { pgdata, password } = await openCluster({ dataDir, binaries, identity, fsync, log });
  assertReachable(closedTo(identity, pgdata));

  await stopPredecessor(pgdata);
  const port = await choosePort(pgdata);
  const stop = await supervise({ binaries, identity, pgdata, port, fsync, log, warn });
  return { url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`, stop };
}

function assertReachable(closed: string | undefined): void {
  if (closed)
    throw new Error(
      `PostgreSQL does not run as root, and the user that it runs as cannot access ${closed}. ` +
        "Allow it (chmod o+x), or set GLOVEBOX_DATA_DIR to another directory.",
    );
}

/** Runs PostgreSQL until the returned function is called. */
async function supervise(options: PostmasterOptions): Promise<() => Promise<void>> {
  let stopping = false;
  let current = Promise.resolve(watched(await spawnWithRetry(options)));

  function watched(child: ChildProcess): ChildProcess {
    child.once("exit", () => {
      if (!stopping) current = startAgain(child);
    });
    return child;
  }

  async function startAgain(dead: ChildProcess): Promise<ChildProcess> {
    options.warn("PostgreSQL exited unexpectedly, restarting");
    while (!stopping) {
      try {
        return watched(await spawnPostmaster(options));
      } catch (error) {
        options.log(String(error)); // children of the crashed one may still be exiting
        await sleep(RESTART_PAUSE_MS);
      }
    }
    return dead;
  }

  return async () => {
    stopping = true;
    await stopPostmaster(await current);
  };
}

/** Starts PostgreSQL; retries while children of an earlier one still run. */
async function spawnWithRetry(options: PostmasterOptions): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await spawnPostmaster(options);
    } catch (error) {
      if (attempt === ATTEMPTS || !String(error).includes("shared memory block")) throw error;
      await sleep(RESTART_PAUSE_MS);
    }
  }
}
