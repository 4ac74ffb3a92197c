import { setTimeout as delay } from "node:timers/promises";
import { CONTROLLER_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { collectionPath, JOBS, NETWORK_POLICIES } from "@glovebox/kube";
import { until } from "../../test/cluster/support/until.ts";
import { atLeast, median, spreadOf, type Figure } from "../src/figures.ts";
import { callsOf, type AuditLog, processorMeter, type ProcessorTime } from "./meters.ts";
import { createdBarely } from "./bare-client.ts";
import { FAST, STOCK, type ControllerManager, type Pace } from "./environment.ts";
import { scansFor, type Stage } from "./stage.ts";
import { getJson } from "../../test/cluster/support/kubectl.ts";

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
  /** The controller manager and how fast it may be; none is as the cluster has it. */
  readonly paced?: { readonly manager: ControllerManager; readonly pace: Pace } | undefined;
}

/** One after another, so that each writes all of its events: their number is bounded. */
const UNHURRIED = 5;

/** Of the bare client's rate, and of its processor time where nobody is waited for but the processor. */
const LEAST = 0.75;

/** What one side came to in one round. */
interface Round {
  readonly rate: number;
  readonly spent: ProcessorTime | undefined;
  readonly callsEach?: number | undefined;
}

/**
 * Scans a second until all are on record, against Jobs a second of a client that creates the same Jobs and policies and
 * does nothing else, with the processor time of each; and the controller's calls of the API server.
 */
export async function throughputFigures(stage: Stage, options: ThroughputOptions): Promise<Figure[]> {
  const { scans, audit, paced } = options;
  const { products, baselines } = await playRounds(stage, options);
  const pace = paced?.pace.name ?? "as the cluster has it";
  const load = `${scans} scans, controller manager ${pace}`;
  const ratio = spreadOf(products.map(({ rate }, round) => rate / baselines[round]!.rate));
  const calls = products.flatMap(({ callsEach }) => callsEach ?? []);
  return [
    {
      name: `Throughput: ${load}`,
      product: `${median(products.map(({ rate }) => rate)).toFixed(1)}/s`,
      baseline: `${median(baselines.map(({ rate }) => rate)).toFixed(1)}/s`,
      ratio,
      goal: atLeast(ratio, LEAST),
    },
    ...processorFigures(load, products, baselines),
    ...(calls.length > 0 ? [callsFigure(`API calls per scan, ${scans} at once`, calls)] : []),
    ...(audit && paced?.pace !== STOCK ? [await unhurriedFigure(stage, audit)] : []),
  ];
}

async function playRounds(stage: Stage, { scans, rounds, audit, report, paced }: ThroughputOptions) {
  const [products, baselines]: [Round[], Round[]] = [[], []];
  const measure = {
    async product() {
      products.push(await carriedOut(stage, { count: scans, together: scans, audit }));
      report(`controller: ${said(products.at(-1)!)}`);
    },
    async baseline() {
      const meter = processorMeter();
      const rate = scans / (await createdBarely(stage, scans));
      baselines.push({ rate, spent: each(meter?.(process.pid), scans) });
      report(`bare client: ${said(baselines.at(-1)!)}`);
    },
  };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (["product", "baseline"] as const) : (["baseline", "product"] as const);
    for (const which of order) {
      await paced?.manager.use(paced.pace);
      await measure[which]();
      // What is left of a round goes through the same controllers.
      await paced?.manager.use(FAST);
      await stage.clear();
    }
  }
  return { products, baselines };
}

const said = ({ rate, spent, callsEach }: Round): string =>
  [
    `${rate.toFixed(1)}/s`,
    ...(spent
      ? [
          `${JSON.stringify(spent, (_, ms: unknown) => (typeof ms === "number" ? Math.round(ms) : ms))} ms each`,
        ]
      : []),
    ...(callsEach === undefined ? [] : [`${callsEach.toFixed(2)} calls each`]),
  ].join(", ");

const each = (spent: ProcessorTime | undefined, scans: number): ProcessorTime | undefined =>
  spent && {
    machine: spent.machine / scans,
    own: spent.own / scans,
    apiServer: spent.apiServer / scans,
    controllers: spent.controllers / scans,
  };

/** Neighbours of a shared machine spend none of what these count, but for the last. */
const SPENDERS: readonly [string, (spent: ProcessorTime) => number][] = [
  ["all that takes part", ({ own, apiServer, controllers }) => own + apiServer + controllers],
  ["controller with its PostgreSQL, bare client", ({ own }) => own],
  ["API server and etcd", ({ apiServer }) => apiServer],
  ["controller manager, scheduler, simulated nodes", ({ controllers }) => controllers],
  ["whole machine, neighbours too", ({ machine }) => machine],
];

function processorFigures(load: string, products: readonly Round[], baselines: readonly Round[]): Figure[] {
  const pairs = products.flatMap(({ spent }, round) => {
    const bare = baselines[round]!.spent;
    return spent && bare ? [{ spent, bare }] : [];
  });
  if (pairs.length === 0) return [];
  return SPENDERS.map(([who, of]) => ({
    name: `Processor time per scan, ${load}: ${who}`,
    product: `${median(pairs.map(({ spent }) => of(spent))).toFixed(0)} ms`,
    baseline: `${median(pairs.map(({ bare }) => of(bare))).toFixed(0)} ms`,
    ratio: spreadOf(pairs.map(({ spent, bare }) => of(spent) / of(bare))),
  }));
}

async function unhurriedFigure(stage: Stage, audit: AuditLog): Promise<Figure> {
  const { callsEach } = await carriedOut(stage, { count: UNHURRIED, together: 1, audit, isTidied: true });
  return callsFigure("API calls per scan, one after another", [callsEach!]);
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

/** From the start of the controller until every scan has ended and its status says so. */
async function carriedOut(stage: Stage, { count, together, audit, isTidied }: Load): Promise<Round> {
  const all = scansFor(count, (number) => `bench-${number % 20}`);
  await stage.submit(all.slice(0, together));
  const mark = audit?.mark() ?? 0;
  const meter = processorMeter();
  const ttl = isTidied && { GLOVEBOX_JOB_TTL_SECONDS: "0" };
  const controller = await stage.controller({ ...UNCAPPED, ...ttl });
  for (let submitted = together; ; submitted += together) {
    while (controller.finished < submitted) await delay(200);
    if (submitted >= count) break;
    await stage.submit(all.slice(submitted, submitted + together));
  }
  const seconds = (performance.now() - controller.startedAt) / 1000;
  const spent = each(meter?.(controller.pid), count);
  if (isTidied) await untilTidied(stage);
  await controller[Symbol.asyncDispose]();
  const calls = audit && callsOf(await audit.since(mark), stage.namespace);
  return { rate: count / seconds, spent, callsEach: calls && calls.length / count };
}

async function untilTidied({ cluster, namespace }: Stage): Promise<void> {
  const owned = `${LABELS.managedBy}=${CONTROLLER_NAME}`;
  for (const resource of [JOBS, NETWORK_POLICIES])
    await until("nothing is left of the scans", async () => {
      return (await cluster.count(collectionPath(resource, namespace), owned)) === 0;
    });
}

const ACCOUNTS = 20;
const BOUND = 1.3;

/** The mean wait of the worst served account against that of the best served, when all submit at once. */
export async function fairnessFigures(stage: Stage, scans: number): Promise<Figure[]> {
  // One account after the other: who comes first must not have all turns first.
  const submitted = scansFor(scans, (number) => `fair-${Math.floor((number * ACCOUNTS) / scans)}`);
  await stage.submit(submitted);
  const started = Date.now();
  await using controller = await stage.controller();
  while (controller.finished < scans) await delay(1_000);
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", stage.namespace);
  const waits = Map.groupBy(items, ({ spec }) => spec.account);
  const means = [...waits.values()].map(
    (own) => own.reduce((sum, { status }) => sum + Date.parse(status!.startedAt!) - started, 0) / own.length,
  );
  const [best, worst] = [Math.min(...means), Math.max(...means)];
  const ratio = spreadOf([worst / best]);
  return [
    {
      name: `Mean wait of ${scans} scans of ${ACCOUNTS} accounts: worst account, best account`,
      product: `${(worst / 1000).toFixed(1)} s`,
      baseline: `${(best / 1000).toFixed(1)} s`,
      ratio,
      goal: { text: `under ${BOUND}`, met: ratio.median < BOUND },
    },
  ];
}
