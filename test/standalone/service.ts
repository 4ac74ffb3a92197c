import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { GloveboxCommand, type CommandResult } from "./command.ts";

/** A running `glovebox serve`. */
export interface Service {
  readonly command: GloveboxCommand;
  readonly printed: string;
  readonly address: string;
  /** Sends a request to the API with the first key. */
  call(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<CommandResult>;
}

/** Starts `glovebox serve` on free ports. */
export async function serve(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<Service> {
  const ports = { PORT: "0", GLOVEBOX_DEMO_PORT: "0", GLOVEBOX_LOG_LEVEL: "warn" };
  const command = new GloveboxCommand(["serve"], { ...ports, GLOVEBOX_DATA_DIR: dataDir, ...env });
  const printed = await command.stdoutMatching(env["GLOVEBOX_DEMO"] === "off" ? /API key.*\n/ : /curl .*\n/);
  const address = /ready at (http:\S+)\/v1/.exec(printed)![1]!;
  const key = readFileSync(join(dataDir, "first-key"), "utf8").trim();
  return {
    command,
    printed,
    address,
    call: (path, init = {}) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return fetch(`${address}${path}`, { ...init, headers: { ...headers, ...init.headers } });
    },
    stop: () => command.kill("SIGTERM"),
  };
}

/** Runs the last printed line in a shell, and returns its stdout. */
export async function runLastLine(printed: string): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", printed.trimEnd().split("\n").at(-1)!], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
