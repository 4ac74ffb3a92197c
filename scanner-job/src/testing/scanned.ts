import type { RequestListener } from "node:http";
import { DEFAULT_LIMITS, type Report, type ScanOrder } from "@glovebox/contract";
import { CHECKS } from "../checks/index.ts";
import { tcpReach } from "../isolation/tcp-reach.ts";
import { examineTarget } from "../scan.ts";
import { serve } from "./serve.ts";

/** The report of a whole safe scan by all checks, whether or not there is a grade. */
export async function scanned(
  target: RequestListener,
  document?: object,
  terms: Pick<ScanOrder, "include" | "exclude"> = {},
): Promise<Report> {
  await using server = await serve(target);
  const { report, failure } = await examineTarget(
    {
      scanId: "test",
      url: server.url,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { ...DEFAULT_LIMITS, deadlineSeconds: 100 },
      ...(document && { spec: { from: "text", text: JSON.stringify(document) } }),
      ...terms,
    },
    {
      checks: CHECKS,
      onProgress: () => {},
      onFault: (check, error) => {
        throw new Error(`${check.id} is at fault`, { cause: error });
      },
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: () => Promise.resolve(),
      today: () => new Date(),
    },
    new AbortController().signal,
  );
  if (!report) throw new Error(failure?.message);
  return report;
}
