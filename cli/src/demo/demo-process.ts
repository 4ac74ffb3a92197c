import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** The one line that a supervised demo target prints on stdout: its URL, or why it did not start. */
export const announcementSchema = z.union([
  z.strictObject({ url: z.url(), caPem: z.string() }),
  z.strictObject({ failure: z.string(), code: z.string().optional() }),
]);

export const announce = (announcement: z.infer<typeof announcementSchema>): void =>
  void process.stdout.write(`${JSON.stringify(announcement)}\n`);

/** The demo target and its certificate authority, which only its own scans trust. */
export interface DemoAuthority {
  readonly origin: string;
  readonly caPem: string;
}

export interface DemoProcessOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly certificateDir: string;
  /** Called when the process exits unexpectedly. */
  readonly onLost: () => void;
}

export interface DemoProcess extends DemoAuthority {
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Runs the demo target in a child process without environment, so that an injected statement cannot block the service. The child
 * exits when this process does.
 * @throws Error with the code of the failed `listen`, such as EADDRINUSE.
 */
export async function startDemoProcess(options: DemoProcessOptions): Promise<DemoProcess> {
  const child = spawn(process.execPath, argumentsFor(options), {
    env: {},
    stdio: ["pipe", "pipe", "ignore"], // the child exits when its standard input closes
    detached: true, // Ctrl-C is handled by this process
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdin.on("error", () => {});
  const authority = await announced(child, child.stdout);
  let stopping = false;
  child.once("exit", () => stopping || options.onLost());
  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill("SIGKILL"); // it has no state to save, and may be blocked
    await exited;
  };
  return { ...authority, pid: child.pid!, stop };
}

function argumentsFor({ port, certificateDir }: DemoProcessOptions): string[] {
  const command = fileURLToPath(new URL("../main.ts", import.meta.url)); // in a bundle, the bundle
  const fromSource = command.endsWith(".ts") ? ["--conditions=source"] : [];
  return [
    ...fromSource,
    command,
    "demo",
    "--supervised",
    `--port=${port}`,
    `--certificates=${certificateDir}`,
  ];
}

async function announced(child: ChildProcess, stdout: Readable): Promise<DemoAuthority> {
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("close", (code, signal) =>
      reject(new Error(`the demo target did not start (${signal ?? code})`)),
    );
  });
  const announcement = announcementSchema.parse(JSON.parse(line));
  if ("url" in announcement) return { origin: new URL(announcement.url).origin, caPem: announcement.caPem };
  const { failure, code } = announcement;
  throw Object.assign(new Error(`the demo target did not start: ${failure}`), { code });
}
