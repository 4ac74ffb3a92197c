import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** How programs are started outside the cluster, and where they may listen. */
export interface Outside {
  /** Runs the program that its arguments name (GLOVEBOX_CLUSTER_WORLD). */
  readonly command: string;
  /** The first range of GLOVEBOX_CLUSTER_WORLD_CIDRS, an IPv4 /24, without its last number: `198.51.100`. */
  readonly network: string;
}

/** Undefined where this cluster has no outside that tests may use. */
export function outsideOfCluster(): Outside | undefined {
  const { GLOVEBOX_CLUSTER_WORLD: command, GLOVEBOX_CLUSTER_WORLD_CIDRS: ranges = "" } = process.env;
  const network = /^(\d+\.\d+\.\d+)\.0\/24\b/.exec(ranges)?.[1];
  return command && network ? { command, network } : undefined;
}

export interface OutsideServer {
  /** What it has printed so far. */
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
  const early = ended.then(() => Promise.reject(new Error(`${program} ended before it listened.`)));
  await Promise.race([once(output, "line"), early]);
  early.catch(() => undefined);
  return {
    lines,
    async stop() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
