import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CompletedScan, completedScanSchema } from "@glovebox/contract";
import { glovebox, temporaryFolder } from "../standalone/command.ts";
import { startTlsProxy } from "../support/tls-proxy.ts";
import type { ApiProcess } from "./api-process.ts";

/** Scans an API behind a TLS proxy with `glovebox scan`. `document` is a file, for `--spec`. */
export async function scanBehindTls({ port }: ApiProcess, document?: string): Promise<CompletedScan> {
  using folder = temporaryFolder();
  await using proxy = await startTlsProxy(port);
  const ca = join(folder.path, "ca.pem");
  writeFileSync(ca, proxy.caPem);
  const spec = document === undefined ? [] : ["--spec", document];
  const options = ["--allow-private", "--ca", ca, "--format", "json"];
  const { code, stdout, stderr } = await glovebox("scan", `${proxy.url}/`, ...spec, ...options);
  if (code !== 0) throw new Error(`glovebox scan ended with ${code}: ${stderr}`);
  return completedScanSchema.parse(JSON.parse(stdout));
}
