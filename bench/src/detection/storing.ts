import { createDemoCertificates } from "@glovebox/demo";
import { DEFAULT_LIMITS, type ScanOrder } from "@glovebox/contract";
import { runScannerProcess } from "../../../test/scanner/scanner-process.ts";
import { serve } from "../../../scanner-job/src/testing/serve.ts";
import { operationOf, storedTwice, storingApi } from "../../../scanner-job/src/testing/storing-api.ts";

const DEADLINE_SECONDS = 120;

/** What a whole safe scan did to an API that stores everything it receives, and should not have: one line for each, none where it kept its promise. */
export async function harmOf(given: "with its document" | "without a document"): Promise<string[]> {
  const { caPem, certPem, keyPem } = await createDemoCertificates();
  const api = storingApi();
  await using server = await serve(api.listener, { key: keyPem, cert: certPem });
  const order: ScanOrder = {
    scanId: "bench",
    url: `https://127.0.0.1:${server.port}/`,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
    extraCa: caPem,
    limits: { ...DEFAULT_LIMITS, deadlineSeconds: DEADLINE_SECONDS },
    ...(given === "with its document" && { spec: { from: "text", text: JSON.stringify(api.document) } }),
  };
  const { outcome } = await runScannerProcess(order);
  if (outcome.status === "failed") return [`the scan failed: ${outcome.failure.message}`];
  const reported = new Set(
    (outcome.report.sideEffects ?? []).map(({ request: { method, url } }) =>
      operationOf({ method, path: new URL(url).pathname }),
    ),
  );
  const stored = api.rows.map(operationOf);
  return [
    ...(api.isSeedIntact() ? [] : ["a row of before was changed"]),
    ...storedTwice(api.rows).map((operation) => `more than one row was stored by ${operation}`),
    ...stored.filter((each) => !reported.has(each)).map((each) => `not among the side effects: ${each}`),
    ...[...reported]
      .filter((each) => !stored.includes(each))
      .map((each) => `a side effect, but not stored: ${each}`),
    ...(stored.length > 0 ? [] : ["nothing was stored, so nothing was proven"]),
  ];
}
