import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../cli/bin/glovebox.mjs", import.meta.url));

export interface Service {
  /** Such as `http://127.0.0.1:40123`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** `glovebox serve` as people run it, on a free port, without the demo target; `settings` are environment variables. */
export async function startService(settings: Record<string, string>): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), "glovebox-service-"));
  const own = { PORT: "0", GLOVEBOX_DEMO: "off", GLOVEBOX_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [command, "serve"], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...own, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { address: await readyAddress([child.stdout, child.stderr], ended), stop };
}

async function readyAddress(
  outputs: readonly NodeJS.ReadableStream[],
  ended: Promise<void>,
): Promise<string> {
  const lines: string[] = [];
  const found = new Promise<string>((resolve) => {
    for (const input of outputs)
      createInterface({ input }).on("line", (line) => {
        lines.push(line);
        const [, address] = /ready at (http:\S+)\/v1/.exec(line) ?? [];
        if (address) resolve(address);
      });
  });
  const gone = ended.then(() => {
    throw new Error(`The service ended before it was ready:\n${lines.join("\n")}`);
  });
  return Promise.race([found, gone]);
}
