import { fileURLToPath } from "node:url";
import type { ScannerProgram } from "../../cli/src/scanner/program.ts";

const shipped = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));

/** The bundle that ships, with the files that the service lets it read. */
export function shippedScanner(): ScannerProgram {
  const file = shipped("scanner-job.mjs");
  return { file, readable: [file, shipped("spec-worker.mjs")], fromSource: false };
}
