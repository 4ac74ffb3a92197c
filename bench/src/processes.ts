import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A running server process. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  /** The first line of its stdout, printed when it is ready. */
  readonly line: string;
}

const COMMAND = fileURLToPath(new URL("../../dist/glovebox.mjs", import.meta.url));
const bundles = new URL("../dist/bundles/", import.meta.url);

/** Starts a bundled program of this package, with its stderr in `logFile`. */
export async function serve(
  name: "api-process" | "bare-process",
  { env, logFile }: { env: Record<string, string>; logFile: string },
): Promise<ServerProcess> {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.mjs`, bundles))], {
    env,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const line = await Promise.race([firstLine(child), failure(child, name)]);
  return { pid: child.pid!, line, [Symbol.asyncDispose]: () => end(child) };
}

/** Starts a Node process that does nothing, for comparison. */
export async function startEmptyNode(): Promise<ServerProcess> {
  const program = `setInterval(() => {}, 1e9); console.log("ready")`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  const line = await Promise.race([firstLine(child), failure(child, "node -e")]);
  return { pid: child.pid!, line, [Symbol.asyncDispose]: () => end(child) };
}

/** The demo target in a separate process. */
export interface DemoProcess extends AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
}

/** Starts the demo target with the bundled command, as `glovebox serve` does. Its certificates are kept in `folder`. */
export async function startDemo(variant: "vulnerable" | "hardened", folder: string): Promise<DemoProcess> {
  const options = ["--supervised", "--port=0", `--certificates=${join(folder, "demo")}`];
  const hardened = variant === "hardened" ? ["--hardened"] : [];
  const child = spawn(process.execPath, [COMMAND, "demo", ...options, ...hardened], {
    env: {},
    stdio: ["pipe", "pipe", "inherit"], // it exits when its stdin closes
  });
  const line = await Promise.race([firstLine(child), failure(child, "the demo target")]);
  const { url, caPem } = JSON.parse(line) as { url: string; caPem: string };
  return { url, caPem, [Symbol.asyncDispose]: () => end(child) };
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await once(lines, "line")) as [string];
  return line;
}

async function failure(child: ChildProcess, name: string): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`${name} exited with ${code} before it was ready`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
