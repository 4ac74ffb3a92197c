import { scanFailure, type Outcome } from "@glovebox/contract";
import { LONGEST_SCAN_SECONDS } from "@glovebox/k8s";
import { KubeError } from "@glovebox/kube";
import type { BoundScan, LaunchStore, Store } from "@glovebox/store";
import type { Logger } from "pino";
import { Counter, type Metric } from "prom-client";
import { PeriodicTask } from "../background/periodic-task.ts";
import type { Installation } from "./scan-launcher.ts";
import { isRefusal, type PresentScans, type ScanResources } from "./scan-resources.ts";
export interface SweeperDeps {
  readonly store: Pick<Store, "launches" | "work" | "withLock">;
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
  /** One sweep; rejects when the database is unavailable. Of several replicas at once, one does it. */
  sweep(): Promise<void>;
  /** Waits for the sweep under way. */
  stop(): Promise<void>;
}

/** Scans of one sweep; the rest waits for the next. */
const BATCH = 500;
/** Listing all resources is expensive: it is done at most so often. */
const LIST_EVERY_MS = 60_000;

/**
 * Launches scans that have no resource: no crash or outage between a scan's row and its resource loses it. Ends what
 * nothing carries out any more, because its resource was deleted. All this of the scans of one installation; what is
 * overdue is ended of any installation, as its own may be gone.
 */
export function createSweeper(deps: SweeperDeps): Sweeper {
  const { store, logger, now, everyMs, metrics } = deps;
  let listedAt = Number.NEGATIVE_INFINITY;

  const sweepAlone = async (installation: string): Promise<void> => {
    const listsAll = now().getTime() - listedAt >= LIST_EVERY_MS;
    if (listsAll) await store.launches.knownSeconds(installation); // so that it is known from then on
    const view = await readView(deps, installation, listsAll);
    if (listsAll) listedAt = now().getTime();
    await launchAll(view.unlaunched, installation, deps);
    await endAll(deletedScans(view), DELETED, deps);
    if (listsAll) await endAll(await store.launches.overdue(LONGEST_SCAN_SECONDS), OVERDUE, deps);
  };
  const sweep = async (): Promise<void> => {
    const installation = await deps.installation.id();
    await store.withLock(`sweep ${installation}`, () => sweepAlone(installation));
  };
  const task = new PeriodicTask({
    task: sweep,
    onFailure(error) {
      metrics.failed();
      logger.warn({ error: (error as Error).name }, "A sweep failed; the next one retries");
    },
    ...{ firstMs: 0, everyMs },
  });
  return { start: () => task.start(), sweep, stop: () => task.stop() };
}

async function readView(deps: SweeperDeps, installation: string, listsAll: boolean): Promise<SweepView> {
  const { store, logger } = deps;
  const unlaunched = await store.launches.unlaunched(installation, UNLAUNCHED_SECONDS, BATCH);
  if (!listsAll) return { unlaunched };
  // The resources first: the row of one that is deleted after its scan has ended does not count as open then.
  const present = await listResources(deps).catch((error: unknown) => {
    if (!(error instanceof KubeError)) throw error;
    logger.warn({ error: error.message }, "Scan resources could not be listed");
  });
  if (!present) return { unlaunched };
  const scans = await store.launches.launched(installation, SETTLED_SECONDS);
  return { unlaunched, settled: { present, scans } };
}

/** All of a namespace that was deleted are gone; the one that was made in its place is another installation from then on. */
async function listResources({ resources, installation, logger }: SweeperDeps): Promise<PresentScans> {
  const present = await resources.present();
  for (const namespace of present.unlisted)
    logger.warn({ namespace }, "The Scan resources of this namespace could not be listed");
  await installation.refresh();
  return present;
}

/** One after the other. Once the API server does not respond, the others wait, unless they have waited too long. */
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
  logger.info({ scans: launched.length }, "Scans without a Scan resource were launched");
}

type LaunchOutcome = BoundScan | "refused" | "unavailable";

type Failed = Extract<Outcome, { status: "failed" }>;
const NOT_STARTED: Failed = { status: "failed", failure: scanFailure("could_not_start") };
const DELETED: Failed = {
  status: "failed",
  failure: scanFailure("cancelled", "Its Scan resource was deleted."),
};
const OVERDUE: Failed = {
  status: "failed",
  failure: scanFailure(
    "deadline_exceeded",
    "The installation that should run it is gone, or is not running.",
  ),
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
    logger.warn({ scan: id, code }, "Ended a scan that nothing runs");
  }
}

async function launch(scan: UnlaunchedScan, { resources, logger }: SweeperDeps): Promise<LaunchOutcome> {
  try {
    return await resources.create(scan, scan.account);
  } catch (error) {
    logger.warn({ scan: scan.id, error: (error as Error).message }, "A scan could not be launched");
    return isRefusal(error) ? "refused" : "unavailable";
  }
}

/** Whoever accepted a scan launches it at once: only what is older than this was not launched. In seconds. */
export const UNLAUNCHED_SECONDS = 5;
/** A scan launched so long ago has a resource, unless that was deleted. In seconds. */
export const SETTLED_SECONDS = 60;
/** A scan that could not be launched for so long is not waited for any more. In seconds. */
export const GIVE_UP_SECONDS = 3_600;

type UnlaunchedScan = Awaited<ReturnType<LaunchStore["unlaunched"]>>[number];

export interface SweepView {
  /** Scans that are not recorded as launched. */
  readonly unlaunched: readonly UnlaunchedScan[];
  /** Scans launched some time ago, where the resources were listed, too. */
  readonly settled?:
    | { readonly scans: readonly BoundScan[]; readonly present: Pick<PresentScans, "uids" | "namespaces"> }
    | undefined;
}

/**
 * Ids of scans whose resource was deleted while no controller watched: they count as cancelled, as they do when one
 * watches. Whoever deletes the resource wants its target left alone, so it is not created again.
 */
export function deletedScans({ settled }: SweepView): string[] {
  if (!settled) return [];
  const { uids, namespaces } = settled.present;
  const isDeleted = ({ uid, namespace }: BoundScan): boolean => namespaces.has(namespace) && !uids.has(uid);
  return settled.scans.filter(isDeleted).map(({ id }) => id);
}

/** What becomes of a scan that could not be launched: it waits for the next sweep, or has failed. */
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

/** Counts what sweeps do. Of several replicas each counts its own. */
export function createSweepMetrics(): SweepMetrics {
  const scans = new Counter({
    name: "glovebox_sweep_scans_total",
    help: "Scans that a sweep launched, failed, or cancelled because their Scan resource was deleted",
    labelNames: ["outcome"],
    registers: [],
  });
  for (const outcome of OUTCOMES) scans.inc({ outcome }, 0); // rates need the first one, too
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
