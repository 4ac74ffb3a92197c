import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";

const PACKAGES = fileURLToPath(new URL("node_modules/", import.meta.url));

/** An API of another author as a process of its own, on a loopback port, without TLS. */
export interface ApiProcess extends AsyncDisposable {
  readonly port: number;
  readonly address: string;
  /** Resolves when it answers, perhaps after a restart. */
  ready(): Promise<void>;
}

export interface Start {
  /** The program, below node_modules. */
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  /** Writes what the API needs into its working directory, which is gone with it. */
  readonly prepare: (folder: string) => void;
  /** A path that it answers when it is ready. */
  readonly readyAt: string;
}

export async function startApi({ program, args, prepare, readyAt }: Start): Promise<ApiProcess> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-real-api-"));
  prepare(folder);
  const port = await freePort();
  const command = [join(PACKAGES, program), ...args(port)];
  const stop = supervise(() =>
    spawn(process.execPath, command, { cwd: folder, env: environment(folder), stdio: "ignore" }),
  );
  const dispose = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const address = `http://127.0.0.1:${port}`;
  const ready = async (): Promise<void> => {
    await vi.waitFor(() => fetch(address + readyAt), { timeout: 30_000, interval: 100 });
  };
  try {
    await ready();
  } catch (error) {
    await dispose();
    throw new Error(`${program} did not start`, { cause: error });
  }
  return { port, address, ready, [Symbol.asyncDispose]: dispose };
}

/** Starts the process again whenever it ends, as the supervisor of a server does, until the result is called. */
function supervise(start: () => ChildProcess): () => Promise<void> {
  let stopped = false;
  let child: ChildProcess;
  const ended = Promise.withResolvers<void>();
  const run = (): void => {
    child = start();
    child.once("exit", () => (stopped ? ended.resolve() : run()));
  };
  run();
  return () => {
    stopped = true;
    child.kill("SIGKILL");
    return ended.promise;
  };
}

const environment = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: home });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
