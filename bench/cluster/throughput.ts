import { setTimeout as delay } from "node:timers/promises";
import { CONTROLLER_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { collectionPath, JOBS, NETWORK_POLICIES } from "@glovebox/kube";
import { until } from "../../test/cluster/support/until.ts";
import { atLeast, atMost, median, spreadOf, type Figure } from "../src/figures.ts";
import { callsOf, type AuditLog, processorMeter, type ProcessorTime } from "./meters.ts";
import { createJobs } from "./bare-client.ts";
import { FAST, STOCK, type ControllerManager, type RateLimits } from "./environment.ts";
import { scansFor, type Fixture } from "./fixture.ts";
import { getJson } from "../../test/cluster/support/kubectl.ts";

const NO_LIMITS = {
  GLOVEBOX_MAX_CONCURRENT_SCANS: "10000",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: "10000",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10000",
};

export interface ThroughputOptions {
  readonly scans: number;
  readonly rounds: number;
  readonly audit: AuditLog | undefined;
  readonly report: (line: string) => void;
  /** Rate limits of the controller manager; by default unchanged. */
  readonly limited?: { readonly manager: ControllerManager; readonly limits: RateLimits } | undefined;
}

/** Scans one after another, which write all their events: the rate of events is limited. */
const SEQUENTIAL_SCANS = 5;

/** Goal: share of the bare client's rate. */
const MIN_RATIO = 0.75;

/** Result of one side in one round. */
interface Round {
  readonly rate: number;
  readonly spent: ProcessorTime | undefined;
  readonly callsEach?: number | undefined;
}

/**
 * Scans per second until all are recorded, compared with the Jobs per second of a client that only creates the same Jobs and
 * policies; the processor time of both; and the controller's requests to the API server.
 */
export async function throughputFigures(fixture: Fixture, options: ThroughputOptions): Promise<Figure[]> {
  const { scans, audit, limited } = options;
  const { products, baselines } = await runRounds(fixture, options);
  const limits = limited?.limits.name ?? "unchanged";
  const load = `${scans} scans, controller manager ${limits}`;
  const ratio = spreadOf(products.map(({ rate }, round) => rate / baselines[round]!.rate));
  const calls = products.flatMap(({ callsEach }) => callsEach ?? []);
  return [
    {
      name: `Throughput: ${load}`,
      product: `${median(products.map(({ rate }) => rate)).toFixed(1)}/s`,
      baseline: `${median(baselines.map(({ rate }) => rate)).toFixed(1)}/s`,
      ratio,
      goal: atLeast(ratio, MIN_RATIO),
    },
    ...processorFigures(load, products, baselines),
    ...(calls.length > 0 ? [callsFigure(`API calls per scan, ${scans} at once`, calls)] : []),
    ...(audit && limited?.limits !== STOCK ? [await sequentialFigure(fixture, audit)] : []),
  ];
}

async function runRounds(fixture: Fixture, { scans, rounds, audit, report, limited }: ThroughputOptions) {
  const [products, baselines]: [Round[], Round[]] = [[], []];
  const measure = {
    async product() {
      products.push(await runScans(fixture, { count: scans, batch: scans, audit }));
      report(`controller: ${describe(products.at(-1)!)}`);
    },
    async baseline() {
      const meter = processorMeter();
      const rate = scans / (await createJobs(fixture, scans));
      baselines.push({ rate, spent: perScan(meter?.(process.pid), scans) });
      report(`bare client: ${describe(baselines.at(-1)!)}`);
    },
  };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (["product", "baseline"] as const) : (["baseline", "product"] as const);
    for (const which of order) {
      await limited?.manager.use(limited.limits);
      await measure[which]();
      // The controller manager also deletes the objects of the round.
      await limited?.manager.use(FAST);
      await fixture.clear();
    }
  }
  return { products, baselines };
}

const describe = ({ rate, spent, callsEach }: Round): string =>
  [
    `${rate.toFixed(1)}/s`,
    ...(spent
      ? [
          `${JSON.stringify(spent, (_, ms: unknown) => (typeof ms === "number" ? Math.round(ms) : ms))} ms each`,
        ]
      : []),
    ...(callsEach === undefined ? [] : [`${callsEach.toFixed(2)} calls each`]),
  ].join(", ");

const perScan = (spent: ProcessorTime | undefined, scans: number): ProcessorTime | undefined =>
  spent && {
    machine: spent.machine / scans,
    own: spent.own / scans,
    apiServer: spent.apiServer / scans,
    controllers: spent.controllers / scans,
  };

/** Only the last one includes other processes of the machine. */
const PROCESSOR_TIMES: readonly [string, (spent: ProcessorTime) => number][] = [
  ["all components", ({ own, apiServer, controllers }) => own + apiServer + controllers],
  ["controller with its PostgreSQL, bare client", ({ own }) => own],
  ["API server and etcd", ({ apiServer }) => apiServer],
  ["controller manager, scheduler, simulated nodes", ({ controllers }) => controllers],
  ["whole machine", ({ machine }) => machine],
];

function processorFigures(load: string, products: readonly Round[], baselines: readonly Round[]): Figure[] {
  const pairs = products.flatMap(({ spent }, round) => {
    const bare = baselines[round]!.spent;
    return spent && bare ? [{ spent, bare }] : [];
  });
  if (pairs.length === 0) return [];
  return PROCESSOR_TIMES.map(([who, of]) => ({
    name: `Processor time per scan, ${load}: ${who}`,
    product: `${median(pairs.map(({ spent }) => of(spent))).toFixed(0)} ms`,
    baseline: `${median(pairs.map(({ bare }) => of(bare))).toFixed(0)} ms`,
    ratio: spreadOf(pairs.map(({ spent, bare }) => of(spent) / of(bare))),
  }));
}

async function sequentialFigure(fixture: Fixture, audit: AuditLog): Promise<Figure> {
  const { callsEach } = await runScans(fixture, {
    count: SEQUENTIAL_SCANS,
    batch: 1,
    audit,
    deletesObjects: true,
  });
  return callsFigure("API calls per scan, one after another", [callsEach!]);
}

const MAX_CALLS = 14;
/** A policy and a Job. */
const CALLS_OF_BARE_CLIENT = 2;

function callsFigure(name: string, calls: readonly number[]): Figure {
  const each = median(calls);
  return {
    name,
    product: `${each.toFixed(1)} calls`,
    baseline: `${CALLS_OF_BARE_CLIENT} calls`,
    ratio: spreadOf(calls.map((one) => one / CALLS_OF_BARE_CLIENT)),
    goal: { text: `at most ${MAX_CALLS} calls`, met: each <= MAX_CALLS },
  };
}

interface Load {
  readonly count: number;
  /** Scans in each batch. A batch is submitted when the one before has ended. */
  readonly batch: number;
  readonly audit: AuditLog | undefined;
  /** Jobs and policies are deleted during the measurement. */
  readonly deletesObjects?: true;
}

/** Measures from the start of the controller to the last status of a scan. */
async function runScans(fixture: Fixture, { count, batch, audit, deletesObjects }: Load): Promise<Round> {
  const all = scansFor(count, (number) => `bench-${number % 20}`);
  await fixture.submit(all.slice(0, batch));
  const mark = audit?.mark() ?? 0;
  const meter = processorMeter();
  const ttl = deletesObjects && { GLOVEBOX_JOB_TTL_SECONDS: "0" };
  const controller = await fixture.controller({ ...NO_LIMITS, ...ttl });
  for (let submitted = batch; ; submitted += batch) {
    while (controller.finished < submitted) await delay(200);
    if (submitted >= count) break;
    await fixture.submit(all.slice(submitted, submitted + batch));
  }
  const seconds = (performance.now() - controller.startedAt) / 1000;
  const spent = perScan(meter?.(controller.pid), count);
  if (deletesObjects) await untilDeleted(fixture);
  await controller[Symbol.asyncDispose]();
  const calls = audit && callsOf(await audit.since(mark), fixture.namespace);
  return { rate: count / seconds, spent, callsEach: calls && calls.length / count };
}

async function untilDeleted({ cluster, namespace }: Fixture): Promise<void> {
  const owned = `${LABELS.managedBy}=${CONTROLLER_NAME}`;
  for (const resource of [JOBS, NETWORK_POLICIES])
    await until("the deletion of Jobs and policies", async () => {
      return (await cluster.count(collectionPath(resource, namespace), owned)) === 0;
    });
}

const ACCOUNTS = 20;
const MAX_UNFAIRNESS = 1.1;

/** The longest mean wait of an account compared with the shortest, when all accounts submit at the same time. */
export async function fairnessFigures(fixture: Fixture, scans: number): Promise<Figure[]> {
  // The scans of each account are submitted together: the first account must not get all slots first.
  const submitted = scansFor(scans, (number) => `fair-${Math.floor((number * ACCOUNTS) / scans)}`);
  await fixture.submit(submitted);
  const started = Date.now();
  await using controller = await fixture.controller();
  while (controller.finished < scans) await delay(1_000);
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", fixture.namespace);
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
      goal: atMost(ratio, MAX_UNFAIRNESS),
    },
  ];
}
