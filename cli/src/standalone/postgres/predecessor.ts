import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { markedOwner, readIfThere } from "./postmaster.ts";

const SHUTDOWN_MS = 10_000;
const POLL_MS = 20;
/** A process id that is never used. */
const NO_PROCESS = 2_147_483_647;

interface ProcessInfo {
  readonly parent: number;
  readonly command: string;
}

/**
 * Stops a PostgreSQL that still runs on this data directory because its owner was killed. Throws when the owner is alive. A
 * stale postmaster.pid is ignored.
 */
export async function stopPredecessor(pgdata: string): Promise<void> {
  const pid = runningPostmaster(pgdata);
  const running = pid === undefined ? undefined : describe(pid);
  if (!pid || !running) return forgetDeadPostmaster(join(pgdata, "postmaster.pid"));
  const owner = markedOwner(running.command);
  if (running.parent === owner)
    throw new Error(`The data directory ${pgdata} is in use by process ${owner}; stop it first.`);

  process.kill(pid, "SIGINT");
  if (await exitsWithin(pid, SHUTDOWN_MS)) return;
  process.kill(pid, "SIGQUIT");
  if (!(await exitsWithin(pid, SHUTDOWN_MS)))
    throw new Error(`An earlier PostgreSQL (process ${pid}) on ${pgdata} does not stop; stop it manually.`);
}

/**
 * PostgreSQL does not start if any process has the id in its lock file, even a zombie or an unrelated one. The rest of the file
 * stays: it has the key of the shared memory, by which PostgreSQL finds surviving children.
 */
function forgetDeadPostmaster(lockFile: string): void {
  const lock = readIfThere(lockFile);
  if (lock) writeFileSync(lockFile, lock.replace(/^\d+/, String(NO_PROCESS)));
}

/** The process id of the PostgreSQL that runs on this data directory; undefined when none does. @internal */
export function runningPostmaster(pgdata: string): number | undefined {
  const pid = Number(readIfThere(join(pgdata, "postmaster.pid")).split("\n")[0]);
  if (!Number.isInteger(pid) || pid <= 1) return undefined;
  const info = describe(pid);
  return info?.command.includes(`-D ${pgdata} `) ? pid : undefined; // otherwise another process has the id
}

function describe(pid: number): ProcessInfo | undefined {
  try {
    return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined; // no such process
  }
}

function fromProc(pid: number): ProcessInfo | undefined {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  if (/^State:\s+[ZX]/m.test(status)) return undefined; // a zombie
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
  return { parent, command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
}

function fromPs(pid: number): ProcessInfo {
  const [parent = "", ...command] = execFileSync("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)])
    .toString()
    .trim()
    .split(/\s+/);
  return { parent: Number(parent), command: command.join(" ") };
}

async function exitsWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += POLL_MS) {
    if (!describe(pid)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
