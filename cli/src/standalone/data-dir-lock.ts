import { createHash } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../user-error.ts";
import { makeDataDir } from "./data-dir.ts";

/**
 * Makes the data directory and holds it for this process. The lock is a listening local socket: the system gives it
 * up when its process ends, however it ends, so no stale lock is ever left to be cleared by hand.
 * @returns a function that gives it up.
 * @throws UserError when another process holds it.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  makeDataDir(dataDir);
  const address = socketFor(realpathSync(dataDir));
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    await listen(server, address);
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    if (await answers(address)) throw new UserError(`${dataDir} is in use by another running glovebox.`);
    rmSync(address, { force: true }); // a socket file that its process left behind
    await listen(server, address);
  }
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Short whatever the path, since the system limits the length of a socket's address. */
function socketFor(path: string): string {
  const name = `glovebox-${createHash("sha256").update(path).digest("hex").slice(0, 24)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

const listen = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
