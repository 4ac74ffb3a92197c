import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A measured process that serves. */
export interface Serving extends AsyncDisposable {
  readonly pid: number;
  /** The line with which it said that it is ready. */
  readonly line: string;
}

const bundles = new URL("../dist/bundles/", import.meta.url);

/** Starts a bundled process of this folder; its log goes to `logFile`, as a service's log goes to a file or a pipe. */
export async function serve(
  name: "api-process" | "bare-process" | "demo-process",
  { env, logFile }: { env: Record<string, string>; logFile: string },
): Promise<Serving> {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, bundles))], {
    env,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const line = await Promise.race([firstLine(child), failure(child, name)]);
  return { pid: child.pid!, line, [Symbol.asyncDispose]: () => end(child) };
}

/** An empty Node process that only stays alive, for comparison. */
export async function serveNothing(): Promise<Serving> {
  const program = `setInterval(() => {}, 1e9); console.log("ready")`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  const line = await Promise.race([firstLine(child), failure(child, "node -e")]);
  return { pid: child.pid!, line, [Symbol.asyncDispose]: () => end(child) };
}

/** Memory of a process in MiB: what it holds now, and the most that it ever held. Linux alone tells. */
export async function memoryOf(pid: number): Promise<{ nowMiB: number; mostMiB: number } | undefined> {
  if (process.platform !== "linux") return undefined;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kib = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)![1]);
  return { nowMiB: kib("VmRSS") / 1024, mostMiB: kib("VmHWM") / 1024 };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await once(lines, "line")) as [string];
  return line;
}

async function failure(child: ChildProcess, name: string): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`${name} ended with ${code} before it was ready`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
