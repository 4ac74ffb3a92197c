import { fileURLToPath } from "node:url";
import { bundledScanner, type ScannerProgram } from "../../cli/src/scanner/program.ts";

/** The bundle that ships, with the files that the service lets it read. */
export const shippedScanner = (): ScannerProgram =>
  bundledScanner(fileURLToPath(new URL("../../dist", import.meta.url)));
