import { DEFAULT_LIMITS, type Report } from "@glovebox/contract";
import { createDemoCertificates } from "@glovebox/demo";
import { fakeApi } from "../../../../scanner-job/src/testing/fake-api.ts";
import { serve } from "../../../../scanner-job/src/testing/serve.ts";
import { runScannerProcess } from "../../../../test/scanner/scanner-process.ts";
import { markdownTable } from "../../markdown-table.ts";
import type { Routes } from "../row.ts";
import { twinOf } from "./twin.ts";

/** Scans of an API that serves everybody, and of the same API behind credentials. */
export interface Contest {
  readonly seed: number;
  readonly label: string;
  readonly open: Report;
  readonly guarded: Report;
}

/** The twins of this many seeds, from the first on, one pair after the other. */
export async function runContests(first: number, count: number): Promise<readonly Contest[]> {
  const certificates = await createDemoCertificates();
  const contests: Contest[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const { label, document, open, guarded } = twinOf(seed);
    const scanned = (routes: Routes): Promise<Report> => scan(routes, document, certificates);
    const [openReport, guardedReport] = await Promise.all([scanned(open), scanned(guarded)]);
    contests.push({ seed, label, open: openReport, guarded: guardedReport });
  }
  return contests;
}

async function scan(
  routes: Routes,
  document: object,
  { caPem, certPem, keyPem }: Awaited<ReturnType<typeof createDemoCertificates>>,
): Promise<Report> {
  await using server = await serve(fakeApi(routes), { key: keyPem, cert: certPem });
  const { outcome } = await runScannerProcess({
    scanId: "bench",
    url: `https://127.0.0.1:${server.port}/`,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
    extraCa: caPem,
    limits: { ...DEFAULT_LIMITS, deadlineSeconds: 60 },
    spec: { from: "text", text: JSON.stringify(document) },
  });
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

export const contestTable = (contests: readonly Contest[]): string =>
  markdownTable(
    ["Seed", "API", "Open: score, coverage", "Its worst finding", "Guarded: score, coverage"],
    contests.map(({ seed, label, open, guarded }) => [
      String(seed),
      label,
      result(open),
      worst(open),
      result(guarded),
    ]),
  );

const result = ({ score, grade, coverage }: Report): string => `${score} ${grade}, ${coverage.overall}`;

const worst = ({ findings: [first] }: Report): string =>
  first ? `${first.severity} ${first.confidence} ${first.check}` : "none";

/** What contradicts that the worst guarded API scores above the best open one; undefined where it holds. */
export function wrongOrder(contests: readonly Contest[]): string | undefined {
  const best = contests.toSorted((a, b) => b.open.score - a.open.score)[0]!;
  const lowest = contests.toSorted((a, b) => a.guarded.score - b.guarded.score)[0]!;
  return lowest.guarded.score > best.open.score
    ? undefined
    : `the open API of seed ${best.seed} scores ${best.open.score}, the guarded one of seed ${lowest.seed} ${lowest.guarded.score}`;
}
