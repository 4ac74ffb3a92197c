import type { Action } from "../plan.ts";
import { attemptDeadlineSeconds, scanDeadlineSeconds } from "../settings.ts";
import { type ConditionUpdate, patchOf } from "../status.ts";
import { attemptInHand, type JobView, type PodView, type World } from "../world.ts";
import { planQuery, fail, requeueIn, retry, type Rule, secondsSince } from "./rule.ts";

/** Whatever else goes wrong, no scan stays unfinished past its deadline and grace. */
export const watchdog: Rule = (world) => {
  const { scan, settings, now } = world;
  const { job } = attemptInHand(world);
  const age = secondsSince(new Date(scan.metadata.creationTimestamp), now);
  if (age > scanDeadlineSeconds(settings)) return fail("watchdog", "deadline_exceeded");
  if (!job || secondsSince(job.createdAt, now) <= attemptDeadlineSeconds(settings)) return undefined;
  // A complete Job whose report could not be read in all this time has lost it.
  return fail("watchdog", job.ended?.how === "complete" ? "result_lost" : "deadline_exceeded");
};

/** Its node is unreachable for too long: the scan starts again elsewhere. */
export const nodeLost: Rule = (world) => {
  const isLost = runningJob(world)?.pods.some((pod) => isOnLostNode(pod, world));
  return isLost ? retry("nodeLost", world, ["result_lost", "Its node was lost."]) : undefined;
};

/** Follow its progress, and reconcile again at the next deadline. */
export const jobRunning: Rule = (world) => {
  const running = runningJob(world);
  if (!running) return undefined;
  const { scan, now } = world;
  const startedAt = scan.status?.startedAt ?? now.toISOString();
  const attempt = attemptInHand(world).number;
  const patch = patchOf(world, { phase: "Running", attempt, startedAt }, waitCondition(world));
  const isNew = world.followedAttempt !== attempt && running.pods.some(({ isRunning }) => isRunning);
  const follow: Action[] = isNew ? [{ do: "followProgress", attempt }] : [];
  return { rule: "jobRunning", actions: [...patch, ...follow], ...requeueIn(nextBound(running, world)) };
};

/** Its node is unreachable for longer than allowed. */
export const isOnLostNode = ({ lostSince }: PodView, { settings, now }: World): boolean =>
  lostSince !== undefined && secondsSince(lostSince, now) > settings.nodeLostSeconds;

/** Seconds until the earliest bound that something here may run into. */
function nextBound({ job, pods }: RunningJob, world: World): number {
  const { settings, now } = world;
  const due: [Date | undefined, number][] = [
    [job.createdAt, attemptDeadlineSeconds(settings)],
    ...pods.map(({ lostSince }): [Date | undefined, number] => [lostSince, settings.nodeLostSeconds]),
  ];
  const left = due.flatMap(([since, bound]) => (since ? [bound - secondsSince(since, now)] : []));
  return Math.max(0, Math.min(...left, ...nextLooksAtWait(world)));
}

/** Reasons of a waiting container that waiting longer does not cure. */
const HOPELESS: ReadonlySet<string> = new Set([
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
]);
/** What takes no longer than this is how pods start, and needs no explanation. In seconds. */
const USUAL_SECONDS = 20;
/** Kubernetes is asked for its reason so often. In seconds. */
const EXPLAIN_EVERY_SECONDS = 60;

/** A Job that has not ended, with its pods. */
export interface RunningJob {
  readonly job: JobView;
  readonly pods: readonly PodView[];
}

export function runningJob(world: World): RunningJob | undefined {
  const { job, pods } = attemptInHand(world);
  return job && !job.ended ? { job, pods } : undefined;
}

/** What an attempt waits for before its scanner runs. */
interface Wait {
  /** NoPodCreated, Unschedulable, NotStarted, or why the container waits by Kubernetes. */
  readonly reason: string;
  /** The pod that is there; none where it is what is awaited. */
  readonly pod?: string;
  readonly since: Date;
  readonly boundSeconds: number;
}

/** No pod is created, no node fits, or the container does not start: fails after a limit, with the reason of Kubernetes. */
export const podCannotStart: Rule = (world) => {
  const wait = waitsOf(world).find((one) => leftOf(one, world) < 0);
  if (!wait) return undefined;
  const words = explanationOf(world)?.words;
  if (!explanationOf(world)) return askFor(wait, world);
  const detail = words === undefined ? `Reason: ${wait.reason}.` : `Reason: ${wait.reason}: ${words}`;
  return fail("podCannotStart", "could_not_start", detail);
};

/** It takes longer than usual: the events of Kubernetes are read for the reason, once a minute. */
export const waitUnexplained: Rule = (world) => {
  const wait = longestWait(world);
  return wait && !explanationOf(world) ? askFor(wait, world) : undefined;
};

/** Why the scanner does not run yet, where it takes longer than usual. */
export function waitCondition(world: World): ConditionUpdate[] {
  const wait = longestWait(world);
  if (!wait) return [];
  const { reason, pod } = wait;
  const words = explanationOf(world)?.words;
  const what = pod === undefined ? "Its Job has no pod yet" : `Its pod has not started yet (${reason})`;
  return [
    {
      type: "ReportRecorded",
      status: "Unknown",
      reason: pod === undefined ? "NoPodCreated" : "PodNotStarted",
      message: words === undefined ? `${what}.` : `${what}: ${words}`,
    },
  ];
}

/** In how many seconds the wait is to be looked at again: when it is over its bound, unusual, or to be explained anew. */
export const nextLooksAtWait = (world: World): number[] =>
  waitsOf(world).flatMap((wait) => {
    const lasted = secondsSince(wait.since, world.now);
    return [leftOf(wait, world), lasted < USUAL_SECONDS ? USUAL_SECONDS - lasted : EXPLAIN_EVERY_SECONDS];
  });

const askFor = ({ pod }: Wait, world: World) =>
  planQuery("waitUnexplained", {
    ask: "explainWait",
    attempt: attemptInHand(world).number,
    ...(pod !== undefined && { pod }),
  });

function explanationOf(world: World): World["explanation"] {
  const { explanation, now } = world;
  const isOfThis = explanation?.attempt === attemptInHand(world).number;
  return isOfThis && secondsSince(explanation.at, now) < EXPLAIN_EVERY_SECONDS ? explanation : undefined;
}

const longestWait = (world: World): Wait | undefined =>
  waitsOf(world).find(({ since }) => secondsSince(since, world.now) >= USUAL_SECONDS);

const leftOf = ({ since, boundSeconds }: Wait, { now }: World): number =>
  boundSeconds - secondsSince(since, now);

function waitsOf(world: World): Wait[] {
  const running = runningJob(world);
  if (!running) return [];
  const { job, pods } = running;
  const { podWaitSeconds } = world.settings;
  // A Job whose pod was deleted has none either, until Kubernetes says that it has failed.
  return pods.length === 0 && !job.hadPod
    ? [{ reason: "NoPodCreated", since: job.createdAt, boundSeconds: podWaitSeconds }]
    : pods.filter((pod) => !hasStarted(pod)).map((pod) => waitOfPod(pod, world));
}

const hasStarted = ({ isRunning, terminatedReason, failedReason }: PodView): boolean =>
  isRunning === true || terminatedReason !== undefined || failedReason !== undefined;

function waitOfPod({ name: pod, createdAt, unschedulableSince, waitingReason }: PodView, world: World): Wait {
  const { startSeconds, unschedulableSeconds } = world.settings;
  if (unschedulableSince)
    return { pod, reason: "Unschedulable", since: unschedulableSince, boundSeconds: unschedulableSeconds };
  const reason = waitingReason ?? "NotStarted";
  // A pod may have waited for a node first, which has a bound of its own.
  const boundSeconds = HOPELESS.has(reason) ? -Infinity : unschedulableSeconds + startSeconds;
  return { pod, reason, since: createdAt, boundSeconds };
}
