import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { freePort } from "../support/free-port.ts";

const PACKAGES = fileURLToPath(new URL("node_modules/", import.meta.url));

/** A third-party API in a separate process, on a loopback port, without TLS. */
export interface ApiProcess extends AsyncDisposable {
  readonly port: number;
  readonly address: string;
  /** Resolves when it responds, also after a restart. */
  ready(): Promise<void>;
}

export interface ApiOptions {
  /** The program, relative to node_modules. */
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  /** Writes files into the working directory of the API, which is deleted afterwards. */
  readonly prepare: (folder: string) => void;
  /** A path that responds when the API is ready. */
  readonly readyPath: string;
}

export async function startApi({ program, args, prepare, readyPath }: ApiOptions): Promise<ApiProcess> {
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
    await vi.waitFor(() => fetch(address + readyPath), { timeout: 30_000, interval: 100 });
  };
  try {
    await ready();
  } catch (error) {
    await dispose();
    throw new Error(`${program} did not start`, { cause: error });
  }
  return { port, address, ready, [Symbol.asyncDispose]: dispose };
}

/** Restarts the process whenever it exits. Returns a function that stops it. */
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
