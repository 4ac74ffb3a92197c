import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How to run programs outside the cluster. */
export interface Outside {
  /** Runs the program of its arguments there (GLOVEBOX_CLUSTER_WORLD). */
  readonly command: string;
  /** Prefix of the addresses that it may use, such as `198.51.100`: the first range of GLOVEBOX_CLUSTER_WORLD_CIDRS, an IPv4 /24. */
  readonly network: string;
}

/** Undefined if the variables are not set. */
export function outsideOfCluster(): Outside | undefined {
  const { GLOVEBOX_CLUSTER_WORLD: command, GLOVEBOX_CLUSTER_WORLD_CIDRS: ranges = "" } = process.env;
  const network = /^(\d+\.\d+\.\d+)\.0\/24\b/.exec(ranges)?.[1];
  return command && network ? { command, network } : undefined;
}

export interface OutsideServer {
  /** Its stdout so far. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export interface OutsideServerOptions {
  /** Path of a program of this folder. */
  readonly program: string;
  readonly address: string;
  readonly certPem: string;
  readonly keyPem: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts an HTTPS server outside the cluster, and waits until it listens. */
export async function serveOutside(
  { command }: Outside,
  { program, address, certPem, keyPem, env }: OutsideServerOptions,
): Promise<OutsideServer> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-target-"));
  copyFileSync(program, join(folder, "server.mjs"));
  writeFileSync(join(folder, "cert.pem"), certPem);
  writeFileSync(join(folder, "key.pem"), keyPem);
  const server = spawn(command, [process.execPath, join(folder, "server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env, ADDRESS: address },
  });
  const lines: string[] = [];
  const output = createInterface({ input: server.stdout }).on("line", (line) => lines.push(line));
  const ended = once(server, "close");
  const failed = ended.then(() => Promise.reject(new Error(`${program} ended before it was ready.`)));
  await Promise.race([once(output, "line"), failed]);
  failed.catch(() => undefined);
  return {
    lines,
    async stop() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
