import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_LIMITS } from "@glovebox/contract";
import { jobManifest } from "../../controller/src/scan/job-manifest.ts";
import { policyManifest } from "../../controller/src/scan/policy-manifest.ts";
import { DEFAULT_SETTINGS } from "../../controller/src/scan/settings.ts";
import { Reflector } from "../../controller/src/runtime/reflector.ts";
import {
  collectionPath,
  JOBS,
  NETWORK_POLICIES,
  type KubeObject,
} from "../../controller/src/runtime/resource.ts";
import { API_VERSION, CONTROLLER_NAME, KIND, LABELS, type ScanResource } from "@glovebox/k8s";
import { until } from "../../test/cluster/support/until.ts";
import { atLeast, median, spreadOf, type Figure } from "../src/figures.ts";
import { callsOf, type AuditLog } from "./audit-log.ts";
import { each } from "./kube.ts";
import { finishedOf, ON_SIMULATED_NODES, scansFor, type Stage, type Submitted } from "./stage.ts";

/** As many calls at a time as the controller has workers. */
const AT_ONCE = 16;
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
    while (finishedOf(await controller.metrics()) < submitted) await delay(500);
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

interface ObservedJob extends KubeObject {
  readonly status?: { readonly succeeded?: number; readonly completionTime?: string };
}

/** Seconds from the first creation until every Job is complete. */
async function createdBarely({ cluster, namespace }: Stage, count: number): Promise<number> {
  const complete = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const jobs = new Reflector<ObservedJob>({
    transport: cluster.transport,
    namespace,
    resource: JOBS,
    trim: ({ metadata, status }) => ({ ...(metadata && { metadata }), ...(status && { status }) }),
    onChange({ object: { metadata, status } }) {
      if (status?.succeeded !== 1 || status.completionTime === undefined) return;
      seen.add(metadata!.name!);
      if (seen.size === count) complete.resolve();
    },
  });
  jobs.start();
  await jobs.whenSynced();
  const submitted = scansFor(count, () => "bench");
  const started = performance.now();
  await each(submitted, AT_ONCE, async (scan) => {
    const { job, policy } = manifestsOf(scan, namespace);
    await cluster.create(collectionPath(NETWORK_POLICIES, namespace), policy);
    await cluster.create(collectionPath(JOBS, namespace), job);
  });
  await complete.promise;
  const seconds = (performance.now() - started) / 1000;
  await jobs.stop();
  return seconds;
}

/** What the controller would create, but for the owner. */
function manifestsOf({ id, url, account }: Submitted, namespace: string): { job: object; policy: object } {
  const metadata = { name: id, namespace, uid: id, generation: 1, creationTimestamp: "" };
  const scan: ScanResource = { apiVersion: API_VERSION, kind: KIND, metadata, spec: { url, account } };
  const canary = { address: "192.0.2.1", port: 8099 };
  const { hostname } = new URL(url);
  const pins = [{ host: hostname, addresses: [hostname], ports: [443, 80] }];
  const order = { scanId: id, url, pins, isolation: { canary, waitSeconds: 30 }, limits: DEFAULT_LIMITS };
  const resources = { cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" };
  const settings = { ...DEFAULT_SETTINGS, canary };
  const job = jobManifest({ scan, attempt: 1, order, settings, pod: { ...ON_SIMULATED_NODES, resources } });
  const policy = policyManifest({ scan, scanId: id, attempt: 1, pins });
  for (const { metadata: own } of [job, policy]) delete own!.ownerReferences;
  return { job, policy };
}
