import { isConflict } from "../runtime/kube-error.ts";
import type { Requeue } from "../runtime/work-queue.ts";
import { isQuestion, leavesRow, type Action, type Plan } from "./action.ts";
import { decide } from "./decide.ts";
import type { Memory } from "./memory.ts";
import { observe, type ObserveDeps, type Sighting } from "./observe.ts";
import { Written } from "./written.ts";
import { perform, type PerformDeps } from "./perform.ts";
import type { Answers, World } from "./world.ts";

export interface ReconcileDeps {
  readonly observing: ObserveDeps;
  readonly performing: PerformDeps;
  /**
   * Rejects while it is not known which policies there are. One that nobody has read could unseal a scan that starts, or
   * have unsealed one whose report is to be read.
   */
  readonly assertPoliciesRead: () => Promise<void>;
  readonly memory: Memory;
  /** The Scan of this key; none when it is gone and its end is on record. */
  readonly sight: (key: string) => Sighting | undefined;
  /** A deleted Scan has been dealt with. */
  readonly forget: (key: string, sighting: Sighting) => void;
  readonly observer: ReconcileObserver;
}

/** Hooks for metrics, events and logs. */
export interface ReconcileObserver {
  decided(plan: Plan, world: World): void;
  performed(action: Action, world: World, answers: Answers): void;
}

/** More questions than any way of a scan asks in one go. */
const MOST_PLANS = 20;

/** After a write of a stale view was refused: by then the cache will have caught up. */
const AFTER_CONFLICT_MS = 250;

/** Observes, decides and performs, until a plan that is no question is done. Nobody else writes a Scan's status. */
export const reconciler = (deps: ReconcileDeps) => {
  const written = new Written();
  return async (key: string): Promise<Requeue | undefined> => {
    const sighting = deps.sight(key);
    if (!sighting) return undefined;
    let answers: Answers = { scan: written.since(sighting) };
    for (let plans = 0; plans < MOST_PLANS; plans++) {
      const world = await observe(sighting, answers, deps.observing);
      const plan = decide(world);
      deps.observer.decided(plan, world);
      const performed = await performAll(plan.actions, world, deps);
      if (performed === "stale") return { afterMs: AFTER_CONFLICT_MS };
      if (performed.scan) written.note(sighting, performed.scan);
      answers = { ...answers, ...performed, row: leavesRow(plan) ? world.row : undefined };
      if (!isQuestion(plan) && !performed.refusal) {
        if (sighting.isGone) deps.forget(key, sighting);
        return requeueOf(plan);
      }
    }
    throw new Error(`The scan ${key} asks for ever`);
  };
};

async function performAll(
  actions: readonly Action[],
  world: World,
  deps: ReconcileDeps,
): Promise<Answers | "stale"> {
  // Before anything says that there is a Job.
  if (actions.some(({ do: did }) => did === "createJob" || did === "readReport"))
    await deps.assertPoliciesRead();
  let answers: Answers = {};
  for (const action of actions) {
    try {
      const answer = await perform(action, world, deps.performing);
      deps.observer.performed(action, world, answer);
      answers = { ...answers, ...answer };
      if (action.do === "deleteAttempt") deps.memory.deletions.note(world.scanId, world.now);
      if (action.do === "createJob" && !answer.refusal) deps.memory.jobs.note(world.scanId, action.attempt);
      if (answer.explanation) deps.memory.explanations.note(world.scanId, answer.explanation);
      if (!answer.refusal) continue;
      deps.memory.refusals.note(world.scanId, answer.refusal);
      return answers;
    } catch (error) {
      if (action.do === "patchStatus" && isConflict(error)) return "stale";
      throw error;
    }
  }
  return answers;
}

function requeueOf({ actions }: Plan): Requeue | undefined {
  const requeue = actions.find((action) => action.do === "requeueAfter");
  return requeue && { afterMs: requeue.seconds * 1000 };
}
