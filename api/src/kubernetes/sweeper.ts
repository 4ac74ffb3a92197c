import { scanFailure } from "@glovebox/contract";
import { type Outcome } from "@glovebox/scan-run";
import { MAX_SCAN_SECONDS } from "@glovebox/k8s";
import { KubeError } from "@glovebox/kube";
import type { BoundScan, LaunchStore, Store, UnlaunchedScan } from "@glovebox/store";
import type { Logger } from "pino";
import { Counter, type Metric } from "prom-client";
import { PeriodicTask } from "../background/periodic-task.ts";
import type { Installation } from "./scan-launcher.ts";
import { isRefusal, type PresentScans, type ScanResources } from "./scan-resources.ts";
export interface SweeperDeps {
  readonly store: Pick<Store, "withLock"> & {
    readonly launches: Pick<LaunchStore, "unlaunched" | "launched" | "overdue" | "note">;
    readonly work: Pick<Store["work"], "record">;
  };
  readonly resources: Pick<ScanResources, "create" | "present">;
  readonly installation: Installation;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly now: () => Date;
  readonly everyMs: number;
  readonly metrics: Pick<SweepMetrics, "swept" | "failed">;
}

export interface Sweeper {
  /** Sweeps now, and from then on at intervals. */
  start(): void;
  /** One sweep; rejects when the database is unavailable. Replicas do not sweep concurrently. */
  sweep(): Promise<void>;
  /** Waits for the current sweep. */
  stop(): Promise<void>;
}

/** Maximum number of scans in one sweep. */
const BATCH = 500;
/** Minimum time between two lists of all resources, which are expensive. */
const LIST_EVERY_MS = 60_000;

/**
 * Launches scans of this installation that have no resource, so that none is lost by a crash or outage between the row and the
 * resource. Ends scans whose resource was deleted, and overdue scans of all installations, because their own may no longer
 * exist.
 */
export function createSweeper(deps: SweeperDeps): Sweeper {
  const { store, logger, now, everyMs, metrics } = deps;
  let listedAt = Number.NEGATIVE_INFINITY;

  const sweepAlone = async (installation: string): Promise<void> => {
    const listsAll = now().getTime() - listedAt >= LIST_EVERY_MS;
    const view = await readView(deps, installation, listsAll);
    if (listsAll) listedAt = now().getTime();
    await launchAll(view.unlaunched, installation, deps);
    await endAll(deletedScans(view), DELETED, deps);
    if (listsAll) await endAll(await store.launches.overdue(MAX_SCAN_SECONDS), OVERDUE, deps);
  };
  const sweep = async (): Promise<void> => {
    const installation = await deps.installation.id();
    await store.withLock(`sweep ${installation}`, () => sweepAlone(installation));
  };
  const task = new PeriodicTask({
    task: sweep,
    onFailure(error) {
      metrics.failed();
      logger.warn({ error: (error as Error).name }, "sweep failed, the next one retries");
    },
    ...{ firstMs: 0, everyMs },
  });
  return { start: () => task.start(), sweep, stop: () => task.stop() };
}

async function readView(deps: SweeperDeps, installation: string, listsAll: boolean): Promise<SweepView> {
  const { store, logger } = deps;
  const unlaunched = await store.launches.unlaunched(installation, UNLAUNCHED_SECONDS, BATCH);
  if (!listsAll) return { unlaunched };
  // Resources are listed before rows: otherwise a scan that ends in between could look deleted.
  const present = await listResources(deps).catch((error: unknown) => {
    if (!(error instanceof KubeError)) throw error;
    logger.warn({ error: error.message }, "Scan resources could not be listed");
  });
  if (!present) return { unlaunched };
  const scans = await store.launches.launched(installation, SETTLED_SECONDS);
  return { unlaunched, settled: { present, scans } };
}

/** If the namespace was deleted and created again, it is a new installation. */
async function listResources({ resources, installation, logger }: SweeperDeps): Promise<PresentScans> {
  const present = await resources.present();
  for (const namespace of present.unlisted)
    logger.warn({ namespace }, "Scan resources of the namespace could not be listed");
  await installation.refresh();
  return present;
}

/** Launches one scan after another. If the API server fails, the rest is left to the next sweep, except scans that are too old. */
async function launchAll(
  scans: SweepView["unlaunched"],
  installation: string,
  deps: SweeperDeps,
): Promise<void> {
  const { store, logger, metrics } = deps;
  const launched: BoundScan[] = [];
  const failed: string[] = [];
  let isUnavailable = false;
  for (const scan of scans) {
    const outcome: LaunchOutcome = isUnavailable ? "unavailable" : await launch(scan, deps);
    isUnavailable = outcome === "unavailable";
    if (typeof outcome === "object") launched.push(outcome);
    else if (afterFailure({ refused: outcome === "refused", ageSeconds: scan.ageSeconds }) === "fail")
      failed.push(scan.id);
  }
  await endAll(failed, NOT_STARTED, deps);
  if (launched.length === 0) return;
  await store.launches.note(launched, installation);
  metrics.swept("launched", launched.length);
  logger.info({ scans: launched.length }, "scans without a Scan resource launched");
}

/** `unavailable`: the API server. `failed`: for this scan alone, such as identities that cannot be decrypted. */
type LaunchOutcome = BoundScan | "refused" | "unavailable" | "failed";

type Failed = Extract<Outcome, { status: "failed" }>;
const NOT_STARTED: Failed = { status: "failed", failure: scanFailure("could_not_start") };
const DELETED: Failed = {
  status: "failed",
  failure: scanFailure("cancelled", "Its Scan resource was deleted."),
};
const OVERDUE: Failed = {
  status: "failed",
  failure: scanFailure("deadline_exceeded", "The installation that runs it was removed, or is not running."),
};

/** Only rows that are still processing take the outcome. */
async function endAll(
  ids: readonly string[],
  outcome: Failed,
  { store, logger, metrics }: SweeperDeps,
): Promise<void> {
  const { code } = outcome.failure;
  for (const id of ids) {
    if (!(await store.work.record(id, outcome))) continue;
    metrics.swept(code === "cancelled" ? "cancelled" : "failed", 1);
    logger.warn({ scan: id, code }, "scan without a runner ended");
  }
}

async function launch(scan: UnlaunchedScan, { resources, logger }: SweeperDeps): Promise<LaunchOutcome> {
  try {
    return await resources.create(scan, scan.account);
  } catch (error) {
    logger.warn({ scan: scan.id, error: (error as Error).message }, "scan could not be launched");
    if (isRefusal(error)) return "refused";
    return error instanceof KubeError ? "unavailable" : "failed";
  }
}

/** The replica that accepted a scan launches it immediately: only older scans are launched by the sweep. In seconds. */
const UNLAUNCHED_SECONDS = 5;
/** A scan that was launched longer ago has a resource, unless it was deleted. In seconds. */
const SETTLED_SECONDS = 60;
/** A scan that could not be launched for this time fails. In seconds. */
const GIVE_UP_SECONDS = 3_600;

export interface SweepView {
  /** Scans that are not recorded as launched. */
  readonly unlaunched: readonly UnlaunchedScan[];
  /** Scans launched some time ago, where the resources were also listed. */
  readonly settled?:
    | { readonly scans: readonly BoundScan[]; readonly present: Pick<PresentScans, "uids" | "namespaces"> }
    | undefined;
}

/**
 * Ids of scans whose resource was deleted while no controller was running: they are cancelled, as they are by the controller.
 * The resource is not created again, because its deletion is a request to stop the scan.
 * @internal
 */
export function deletedScans({ settled }: SweepView): string[] {
  if (!settled) return [];
  const { uids, namespaces } = settled.present;
  const isDeleted = ({ uid, namespace }: BoundScan): boolean => namespaces.has(namespace) && !uids.has(uid);
  return settled.scans.filter(isDeleted).map(({ id }) => id);
}

/** Whether a scan that could not be launched waits for the next sweep, or fails. @internal */
export const afterFailure = (failure: {
  readonly refused: boolean;
  readonly ageSeconds: number;
}): "wait" | "fail" => (failure.refused || failure.ageSeconds >= GIVE_UP_SECONDS ? "fail" : "wait");

/** What a sweep did with a scan. */
export type SweepOutcome = "launched" | "failed" | "cancelled";
const OUTCOMES: readonly SweepOutcome[] = ["launched", "failed", "cancelled"];

export interface SweepMetrics {
  /** For the registry of the API. */
  readonly all: readonly Metric[];
  readonly swept: (outcome: SweepOutcome, scans: number) => void;
  readonly failed: () => void;
}

/** Metrics of the sweeps of this process. */
export function createSweepMetrics(): SweepMetrics {
  const scans = new Counter({
    name: "glovebox_sweep_scans_total",
    help: "Scans that a sweep launched, failed, or cancelled because their Scan resource was deleted",
    labelNames: ["outcome"],
    registers: [],
  });
  for (const outcome of OUTCOMES) scans.inc({ outcome }, 0); // so that the first increment shows in rates
  const failures = new Counter({
    name: "glovebox_sweep_failures_total",
    help: "Sweeps that failed",
    registers: [],
  });
  return {
    all: [scans, failures],
    swept: (outcome, count) => scans.inc({ outcome }, count),
    failed: () => failures.inc(),
  };
}
