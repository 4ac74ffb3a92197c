import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../command-line.ts";

/**
 * Creates the data directory if it does not exist.
 * @throws UserError when it cannot be created or written.
 */
export function makeDataDir(dataDir: string): void {
  try {
    // Others may traverse it: the embedded PostgreSQL may run as another user.
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (cause) {
    throw new UserError(`GLOVEBOX_DATA_DIR: ${dataDir} cannot be created.`, { cause });
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new UserError(`GLOVEBOX_DATA_DIR: ${dataDir} is not writable for this user.`, { cause });
  }
}

/**
 * Creates the data directory and locks it for this process. The lock is a listening local socket, which the system releases when
 * the process ends, so that there are no stale locks.
 * @returns a function that releases it.
 * @throws UserError when another process has it.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  makeDataDir(dataDir);
  const address = socketFor(realpathSync(dataDir));
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await listen(server, address);
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    if (await isListening(address)) throw new UserError(`${dataDir} is in use by another running glovebox.`);
    rmSync(address, { force: true }); // the stale socket file of a process that was killed
    await listen(server, address);
  }
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** A digest of the path, because the length of a socket address is limited. */
function socketFor(path: string): string {
  const name = `glovebox-${createHash("sha256").update(path).digest("hex").slice(0, 24)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

const listen = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });

const isListening = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const runningSchema = z.object({
  pid: z.int(),
  address: z.string(),
  databaseUrl: z.string(),
  publicUrl: z.string().optional(),
});

/** Addresses of a running `glovebox serve` and its database, for other commands on this machine. */
export type RunningService = z.infer<typeof runningSchema>;

/** Writes running.json into the data directory, for its owner only: the URL of the database holds its password. */
export function writeRunning(dataDir: string, running: RunningService): void {
  removeRunning(dataDir);
  writeFileSync(fileIn(dataDir), JSON.stringify(running), { mode: 0o600 });
}

export const removeRunning = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/** Undefined when no service runs on this data directory, or its running.json cannot be read. */
export function readRunning(dataDir: string): RunningService | undefined {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileIn(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

const fileIn = (dataDir: string): string => join(dataDir, "running.json");
