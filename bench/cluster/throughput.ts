import { setTimeout as delay } from "node:timers/promises";
import { CONTROLLER_NAME, LABELS } from "@glovebox/k8s";
import { collectionPath, JOBS, NETWORK_POLICIES } from "../../controller/src/runtime/resource.ts";
import { until } from "../../test/cluster/support/until.ts";
import { atLeast, median, spreadOf, type Figure } from "../src/figures.ts";
import { callsOf, type AuditLog } from "./audit-log.ts";
import { createdBarely } from "./bare-client.ts";
import { scansFor, type Stage } from "./stage.ts";

const UNCAPPED = {
  GLOVEBOX_MAX_CONCURRENT_SCANS: "10000",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: "10000",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10000",
};

export interface ThroughputOptions {
  readonly scans: number;
  readonly rounds: number;
  readonly audit: AuditLog | undefined;
  readonly report: (line: string) => void;
}

/** One after another, so that each writes all of its events: their number is bounded. */
const UNHURRIED = 5;

/**
 * Scans a second until all are on record, against Jobs a second of a client that creates the same Jobs and policies and
 * does nothing else; and the controller's calls of the API server.
 */
export async function throughputFigures(stage: Stage, options: ThroughputOptions): Promise<Figure[]> {
  const { scans, rounds, audit, report } = options;
  const [products, baselines, calls]: [number[], number[], number[]] = [[], [], []];
  const measure = {
    async product() {
      const { seconds, callsEach } = await carriedOut(stage, { count: scans, together: scans, audit });
      products.push(scans / seconds);
      if (callsEach !== undefined) calls.push(callsEach);
      report(`controller: ${(scans / seconds).toFixed(1)} scans/s, ${callsEach?.toFixed(2)} calls each`);
    },
    async baseline() {
      baselines.push(scans / (await createdBarely(stage, scans)));
      report(`bare client: ${baselines.at(-1)!.toFixed(1)} Jobs/s`);
    },
  };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (["product", "baseline"] as const) : (["baseline", "product"] as const);
    for (const which of order) {
      await measure[which]();
      await stage.clear();
    }
  }
  const unhurried =
    audit && (await carriedOut(stage, { count: UNHURRIED, together: 1, audit, isTidied: true })).callsEach!;
  const ratio = spreadOf(products.map((rate, round) => rate / baselines[round]!));
  return [
    {
      name: `Throughput: ${scans} scans on simulated nodes`,
      product: `${median(products).toFixed(1)}/s`,
      baseline: `${median(baselines).toFixed(1)}/s`,
      ratio,
      goal: atLeast(ratio, 0.7),
    },
    ...(calls.length > 0 ? [callsFigure(`API calls per scan, ${scans} at once`, calls)] : []),
    ...(unhurried ? [callsFigure("API calls per scan, one after another", [unhurried])] : []),
  ];
}

const MOST_CALLS = 14;
/** A policy and a Job. */
const CALLS_OF_BARE_CLIENT = 2;

function callsFigure(name: string, calls: readonly number[]): Figure {
  const each = median(calls);
  return {
    name,
    product: `${each.toFixed(1)} calls`,
    baseline: `${CALLS_OF_BARE_CLIENT} calls`,
    ratio: spreadOf(calls.map((one) => one / CALLS_OF_BARE_CLIENT)),
    goal: { text: `at most ${MOST_CALLS} calls`, met: each <= MOST_CALLS },
  };
}

interface Load {
  readonly count: number;
  /** So many are submitted at once, and the next when these have ended. */
  readonly together: number;
  readonly audit: AuditLog | undefined;
  /** Jobs and policies go at once, and the calls that it takes are counted. Else they stay while it is measured. */
  readonly isTidied?: true;
}

/** Seconds from the start of the controller until every scan has ended and its status says so. */
async function carriedOut(
  stage: Stage,
  { count, together, audit, isTidied }: Load,
): Promise<{ seconds: number; callsEach: number | undefined }> {
  const all = scansFor(count, (number) => `bench-${number % 20}`);
  await stage.submit(all.slice(0, together));
  const mark = audit?.mark() ?? 0;
  const started = performance.now();
  const ttl = isTidied && { GLOVEBOX_JOB_TTL_SECONDS: "0" };
  const controller = await stage.controller({ ...UNCAPPED, ...ttl });
  for (let submitted = together; ; submitted += together) {
    while (controller.finished < submitted) await delay(200);
    if (submitted >= count) break;
    await stage.submit(all.slice(submitted, submitted + together));
  }
  const seconds = (performance.now() - started) / 1000;
  if (isTidied) await untilTidied(stage);
  await controller[Symbol.asyncDispose]();
  const calls = audit && callsOf(await audit.since(mark), stage.namespace);
  return { seconds, callsEach: calls && calls.length / count };
}

async function untilTidied({ cluster, namespace }: Stage): Promise<void> {
  const owned = `${LABELS.managedBy}=${CONTROLLER_NAME}`;
  for (const resource of [JOBS, NETWORK_POLICIES])
    await until("nothing is left of the scans", async () => {
      return (await cluster.count(collectionPath(resource, namespace), owned)) === 0;
    });
}
