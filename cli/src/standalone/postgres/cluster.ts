import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { Binaries } from "./binaries.ts";
import { type Identity, closedTo, makePrivateDirectory } from "./identity.ts";

/** Directory of the database when the unprivileged user may not enter the data directory. */
const ELSEWHERE = "/var/lib/glovebox";
export const SUPERUSER = "glovebox";

/** Options to create or run a cluster. */
export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly identity: Identity | undefined;
  readonly fsync: boolean;
  readonly log: (line: string) => void;
}

/** The cluster of `<dataDir>/postgres`; created if it does not exist or was not completed. */
export async function openCluster(
  options: ClusterOptions,
): Promise<{ readonly pgdata: string; readonly password: string }> {
  const home = join(resolve(options.dataDir), "postgres");
  if (!existsSync(home)) await createCluster(home, options);
  const folder = realpathSync(home);
  return { pgdata: join(folder, "data"), password: readFileSync(join(folder, "password"), "utf8").trim() };
}

async function createCluster(home: string, options: ClusterOptions): Promise<void> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o755 });
  if (lstatSync(home, { throwIfNoEntry: false })) rmSync(home); // a link to nowhere
  const parent = parentFor(options);
  const unfinished = mkdtempSync(join(parent, "postgres.new-"));
  const cluster = join(unfinished, "cluster");
  try {
    if (options.identity) chownSync(unfinished, options.identity.uid, options.identity.gid);
    makePrivateDirectory(cluster, options.identity);
    writePassword(join(cluster, "password"), options.identity);
    makePrivateDirectory(join(cluster, "data"), options.identity);
    await initdb(cluster, options);
    publish(cluster, home, parent);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  removeLeftovers(parent);
}

/** The data directory, or `ELSEWHERE` if the unprivileged user may not enter it. */
function parentFor({ dataDir, identity, log }: ClusterOptions): string {
  const closed = closedTo(identity, dataDir);
  if (!closed) return resolve(dataDir);
  mkdirSync(ELSEWHERE, { recursive: true, mode: 0o755 });
  log(`PostgreSQL does not run as root, and its user cannot access ${closed}: its files go to ${ELSEWHERE}.`);
  return ELSEWHERE;
}

function writePassword(file: string, identity: Identity | undefined): void {
  writeFileSync(file, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flush: true });
  if (identity) chownSync(file, identity.uid, identity.gid);
}

function initdb(cluster: string, { binaries, identity, fsync }: ClusterOptions): Promise<void> {
  const child = spawn(
    binaries.initdb,
    [
      ...["--pgdata", join(cluster, "data"), "--username", SUPERUSER, "--pwfile", join(cluster, "password")],
      ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale", "--no-instructions"],
      ...(fsync ? [] : ["--no-sync"]),
    ],
    { cwd: cluster, env: POSTGRES_ENV, stdio: ["ignore", "ignore", "pipe"], ...identity },
  );
  let complaint = "";
  child.stderr
    .setEncoding("utf8")
    .on("data", (text: string) => (complaint = (complaint + text).slice(-1000)));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) =>
      code === 0 ? done() : fail(new Error(`initdb failed (${code}): ${complaint.trim()}`)),
    );
  });
}

/** PostgreSQL does not inherit the environment of this process. */
export const POSTGRES_ENV = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** Publishes the complete cluster with one rename. */
function publish(cluster: string, home: string, parent: string): void {
  if (parent !== ELSEWHERE) return renameSync(cluster, home);
  const folder = join(ELSEWHERE, `postgres-${randomBytes(6).toString("hex")}`);
  renameSync(cluster, folder);
  symlinkSync(folder, home);
}

/** Removes incomplete clusters of processes that were killed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent))
    if (name.startsWith("postgres.new-")) rmSync(join(parent, name), { recursive: true, force: true });
}
