import { fileURLToPath } from "node:url";
import { DEFAULT_LIMITS, type ScanOrder } from "@glovebox/contract";
import { bundledScanner, type ScannerProgram } from "../../cli/src/scanner/program.ts";

/** The bundle that ships, with the files that the service lets it read. */
export const shippedScanner = (): ScannerProgram =>
  bundledScanner(fileURLToPath(new URL("../../dist", import.meta.url)));

/** An order for a target on this machine. */
export function orderFor({ url, extraCa }: { url: string; extraCa?: string }): ScanOrder {
  const { hostname, port } = new URL(url);
  return {
    scanId: "bench",
    url,
    pins: [{ host: hostname, addresses: ["127.0.0.1"], ports: [Number(port)] }],
    ...(extraCa !== undefined && { extraCa }),
    limits: DEFAULT_LIMITS,
  };
}
