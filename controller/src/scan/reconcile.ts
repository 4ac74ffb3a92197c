import { isConflict, isNotFound, type Requeue } from "@glovebox/kube";
import { PoliciesUnread } from "../caches/policy-caches.ts";
import { performCommand, type PerformDeps } from "./commands.ts";
import { decide } from "./decide.ts";
import { observe, type ObserveDeps } from "./observe.ts";
import { type Effects, Overlay, type ScanOverlay, type ScanView } from "./overlay.ts";
import { type Action, isQuery, type ReconcilePlan } from "./plan.ts";
import { runQuery, type QueryDeps } from "./queries.ts";
import type { World } from "./world.ts";

export interface ReconcileDeps {
  readonly observing: ObserveDeps;
  readonly queryDeps: QueryDeps;
  readonly performing: PerformDeps;
  /**
   * Rejects with PoliciesUnread while the policies of the cluster are not up to date: an unknown one could widen the egress of a scan
   * that starts, or could have done so for a report that is about to be read. The scan then waits.
   */
  readonly assertPoliciesRead: () => Promise<void>;
  /** The Scan of this key; undefined when it was deleted and its end is recorded. */
  readonly find: (key: string) => ScanView | undefined;
  /** The deletion of a Scan has been reconciled. */
  readonly forget: (key: string, tombstone: ScanView) => void;
  readonly observer: ReconcileObserver;
}

/** Hooks for metrics, events and logs. */
export interface ReconcileObserver {
  decided(plan: ReconcilePlan, world: World): void;
  performed(action: Action, world: World, effects: Effects): void;
}

/** Limit of plans in one reconciliation. */
const MAX_PLANS = 20;

/** Delay after a write conflict, so that the cache is updated. */
const AFTER_CONFLICT_MS = 250;

/** Observes, decides and acts, until a plan needs no further decision. Nothing else writes the status of Scans. */
export const reconciler = (deps: ReconcileDeps) => {
  const overlay = new Overlay();
  return async (key: string): Promise<Requeue | undefined> => {
    const view = deps.find(key);
    if (!view) return undefined;
    const ofScan = overlay.of(view);
    for (let plans = 0; plans < MAX_PLANS; plans++) {
      const world = await observe(ofScan, deps.observing);
      const plan = decide(world);
      deps.observer.decided(plan, world);
      const end = await performAll(plan, world, { ...deps, overlay: ofScan });
      if (end === "stale") return { afterMs: AFTER_CONFLICT_MS };
      if (end === "refused" || plan.decideAgain) continue;
      if (view.isTombstone) {
        overlay.forget(view);
        deps.forget(key, view);
      }
      return requeueOf(plan);
    }
    throw new Error(`The scan ${key} was decided on too often in one reconciliation`);
  };
};

async function performAll(
  { actions }: ReconcilePlan,
  world: World,
  deps: ReconcileDeps & { readonly overlay: ScanOverlay },
): Promise<"done" | "refused" | "stale"> {
  const { overlay, observer } = deps;
  // Before the status is written.
  if (actions.some((action) => (isQuery(action) ? action.ask === "readReport" : action.do === "createJob"))) {
    const policiesUnread = await reasonUnread(deps);
    if (policiesUnread !== undefined) {
      overlay.note({ responses: { policiesUnread } });
      return "refused";
    }
  }
  for (const action of actions) {
    const effects = await perform(action, world, deps);
    if (effects === "stale") return "stale";
    if (!isQuery(action)) overlay.row = effects.row;
    overlay.note(effects);
    observer.performed(action, world, effects);
    if (effects.recent?.refusal) return "refused";
  }
  return "done";
}

/** `stale` where the status of a Scan that was changed or deleted since would be written. */
async function perform(action: Action, world: World, deps: ReconcileDeps): Promise<Effects | "stale"> {
  try {
    return isQuery(action)
      ? await runQuery(action, world, deps.queryDeps)
      : await performCommand(action, world, deps.performing);
  } catch (error) {
    const isStale = isConflict(error) || isNotFound(error);
    if (!isQuery(action) && action.do === "patchStatus" && isStale) return "stale";
    throw error;
  }
}

async function reasonUnread({ assertPoliciesRead }: ReconcileDeps): Promise<string | undefined> {
  try {
    await assertPoliciesRead();
    return undefined;
  } catch (error) {
    if (error instanceof PoliciesUnread) return error.message;
    throw error;
  }
}

const requeueOf = ({ requeueAfterSeconds }: ReconcilePlan): Requeue | undefined =>
  requeueAfterSeconds === undefined ? undefined : { afterMs: requeueAfterSeconds * 1000 };
