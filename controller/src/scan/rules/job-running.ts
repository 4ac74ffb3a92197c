import type { Reason } from "@glovebox/k8s";
import type { Warning } from "@glovebox/kube";
import type { Action } from "../plan.ts";
import { attemptDeadlineSeconds, scanDeadlineSeconds } from "../settings.ts";
import { type ConditionUpdate, patchOf } from "../status.ts";
import { currentAttemptView, noteOnInjectedContainers, type World } from "../world.ts";
import { type JobView } from "../../kubernetes/job-view.ts";
import { type PodView } from "../../kubernetes/pod-view.ts";
import { planQuery, fail, requeueIn, endAttempt, type Rule, secondsSince } from "./rule.ts";

/** Ends every scan after its deadline and a grace period. */
export const watchdog: Rule = (world) => {
  const { scan, settings, now } = world;
  const { job } = currentAttemptView(world);
  const age = secondsSince(new Date(scan.metadata.creationTimestamp), now);
  if (age > scanDeadlineSeconds(settings)) return fail("watchdog", "deadline_exceeded");
  if (!job || secondsSince(job.createdAt, now) <= attemptDeadlineSeconds(settings)) return undefined;
  // The report of a complete Job could not be read in all this time.
  return fail("watchdog", job.ended?.how === "complete" ? "result_lost" : "deadline_exceeded");
};

/** The node was unreachable for too long: the scan is repeated on another one. */
export const nodeLost: Rule = (world) => {
  const isLost = runningJob(world)?.pods.some((pod) => isOnLostNode(pod, world));
  return isLost ? endAttempt("nodeLost", world, { how: "lost", detail: "Its node was lost." }) : undefined;
};

/** Follow its progress, and reconcile again at the next deadline. */
export const jobRunning: Rule = (world) => {
  const running = runningJob(world);
  if (!running) return undefined;
  const { scan, now } = world;
  const startedAt = scan.status?.startedAt ?? now.toISOString();
  const attempt = currentAttemptView(world).number;
  const patch = patchOf(world, { phase: "Running", attempt, startedAt }, waitCondition(world));
  const isNew = world.followedAttempt !== attempt && running.pods.some(({ isRunning }) => isRunning);
  const follow: Action[] = isNew ? [{ do: "followProgress", attempt }] : [];
  return { rule: "jobRunning", actions: [...patch, ...follow], ...requeueIn(nextBound(running, world)) };
};

/** Its node is unreachable for longer than allowed. */
export const isOnLostNode = ({ lostSince }: PodView, { settings, now }: World): boolean =>
  lostSince !== undefined && secondsSince(lostSince, now) > settings.nodeLostSeconds;

/** Seconds until the next limit. */
function nextBound({ job, pods }: RunningJob, world: World): number {
  const { settings, now } = world;
  const due: [Date | undefined, number][] = [
    [job.createdAt, attemptDeadlineSeconds(settings)],
    ...pods.map(({ lostSince }): [Date | undefined, number] => [lostSince, settings.nodeLostSeconds]),
  ];
  const left = due.flatMap(([since, bound]) => (since ? [bound - secondsSince(since, now)] : []));
  return Math.max(0, Math.min(...left, ...nextWaitChecks(world)));
}

/** Reasons of a waiting container that do not go away. */
const PERMANENT: ReadonlySet<string> = new Set([
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
]);
/** Normal duration until a pod starts; longer waits are explained. In seconds. */
const NORMAL_SECONDS = 20;
/** Interval of reading events for the reason, in seconds. */
const EXPLAIN_EVERY_SECONDS = 60;

/** A Job that has not ended, with its pods. */
export interface RunningJob {
  readonly job: JobView;
  readonly pods: readonly PodView[];
}

function runningJob(world: World): RunningJob | undefined {
  const { job, pods } = currentAttemptView(world);
  return job && !job.ended ? { job, pods } : undefined;
}

/** What an attempt waits for before its scanner runs. */
interface Wait {
  /** NoPodCreated, Unschedulable, NotStarted, or the waiting reason of the container. */
  readonly reason: string;
  /** The pod; undefined if it does not exist yet. */
  readonly pod?: string;
  readonly since: Date;
  readonly boundSeconds: number;
}

/** No pod is created, no node fits, or the container does not start: fails after a limit, with the reason of Kubernetes. */
export const podCannotStart: Rule = (world) => {
  const wait = waitsOf(world).find((one) => leftOf(one, world) < 0);
  if (!wait) return undefined;
  const warning = explanationOf(world)?.warning;
  if (!explanationOf(world)) return askFor(wait, world);
  const detail = warning ? `Reason: ${wait.reason}: ${warning.note}` : `Reason: ${wait.reason}.`;
  return fail("podCannotStart", "could_not_start", detail);
};

/** The start takes longer than normal: events are read for the reason, once a minute. */
export const waitUnexplained: Rule = (world) => {
  const wait = longestWait(world);
  return wait && !explanationOf(world) ? askFor(wait, world) : undefined;
};

/** The condition of a scan whose start takes longer than normal. */
function waitCondition(world: World): ConditionUpdate[] {
  const wait = longestWait(world);
  if (!wait) return [];
  const { reason, pod } = wait;
  const warning = explanationOf(world)?.warning;
  const what = pod === undefined ? withoutPod(world) : `Its pod has not started yet (${reason})`;
  const message = warning ? `${what}: ${warning.note}` : `${what}.`;
  return [
    {
      type: "ReportRecorded",
      status: "Unknown",
      reason: pod === undefined ? "NoPodCreated" : reasonOfWait(warning),
      message: [message, noteOnInjectedContainers(world) ?? []].flat().join(" "),
    },
  ];
}

/** The kubelet repeats the mount until the Secret is there: the API may create it after the Scan. */
const reasonOfWait = (warning: Warning | undefined): Reason =>
  warning?.reason === "FailedMount" ? "VolumeNotMounted" : "PodNotStarted";

const withoutPod = (world: World): string =>
  currentAttemptView(world).job?.isSuspended
    ? "Its Job has no pod, because it was suspended (spec.suspend)"
    : "Its Job has no pod yet";

/** Seconds until a wait reaches its limit, becomes unusual, or is explained again. */
const nextWaitChecks = (world: World): number[] =>
  waitsOf(world).flatMap((wait) => {
    const lasted = secondsSince(wait.since, world.now);
    return [leftOf(wait, world), lasted < NORMAL_SECONDS ? NORMAL_SECONDS - lasted : EXPLAIN_EVERY_SECONDS];
  });

const askFor = ({ pod }: Wait, world: World) =>
  planQuery("waitUnexplained", {
    ask: "explainWait",
    attempt: currentAttemptView(world).number,
    ...(pod !== undefined && { pod }),
  });

function explanationOf(world: World): World["explanation"] {
  const { explanation, now } = world;
  const isOfThis = explanation?.attempt === currentAttemptView(world).number;
  return isOfThis && secondsSince(explanation.at, now) < EXPLAIN_EVERY_SECONDS ? explanation : undefined;
}

const longestWait = (world: World): Wait | undefined =>
  waitsOf(world).find(({ since }) => secondsSince(since, world.now) >= NORMAL_SECONDS);

const leftOf = ({ since, boundSeconds }: Wait, { now }: World): number =>
  boundSeconds - secondsSince(since, now);

function waitsOf(world: World): Wait[] {
  const running = runningJob(world);
  if (!running) return [];
  const { job, pods } = running;
  const { podWaitSeconds } = world.settings;
  // A Job whose pod was deleted has none either, until Kubernetes marks it as failed.
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
  // A pod may have waited for a node first, which has its own limit.
  const boundSeconds = PERMANENT.has(reason) ? -Infinity : unschedulableSeconds + startSeconds;
  return { pod, reason, since: createdAt, boundSeconds };
}
