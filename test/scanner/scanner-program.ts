import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ScanOrder } from "@glovebox/contract";

const PROGRAM = fileURLToPath(new URL("../../scanner-job/src/main.ts", import.meta.url));

/** Runs the scanner like a Job, except that the order is on its stdin. */
export async function runScannerProgram(order: ScanOrder, ...args: readonly string[]) {
  const child = spawn(process.execPath, ["--conditions=source", PROGRAM, ...args], { env: {} });
  child.stdin.on("error", () => undefined).end(JSON.stringify(order));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, code: code as number };
}
