import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const runningSchema = z.object({ pid: z.int(), address: z.string(), databaseUrl: z.string() });

/** Where a running standalone and its database are, for other commands on this machine. */
export type Running = z.infer<typeof runningSchema>;

/** Leaves word in the data directory, for its owner only: the address of the database holds its password. */
export function writeRunning(dataDir: string, running: Running): void {
  removeRunning(dataDir);
  writeFileSync(fileIn(dataDir), JSON.stringify(running), { mode: 0o600 });
}

export const removeRunning = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/** Undefined when nothing runs on this data directory, as far as it was left in good order. */
export function readRunning(dataDir: string): Running | undefined {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileIn(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

const fileIn = (dataDir: string): string => join(dataDir, "running.json");
