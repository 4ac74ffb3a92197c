import type { Action } from "../action.ts";
import { patchOf } from "../status.ts";
import { attemptDeadlineSeconds } from "../settings.ts";
import { attemptInHand, type JobView, type PodView, type World } from "../world.ts";
import { fail, requeueIn, retry, secondsSince, type Rule } from "./rule.ts";

/** Reasons of a waiting container that waiting longer does not cure. */
const HOPELESS: ReadonlySet<string> = new Set([
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
]);
/** Reasons that may pass: a registry that is away, a node short of something. */
const MAY_PASS: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "CreateContainerError",
  "RunContainerError",
  "ContainerCreating",
  "PodInitializing",
]);

/** The image is not there, no node fits, or the container cannot be made: said after a bound, and by its reason. */
export const podCannotStart: Rule = (world) => {
  const running = runningJob(world);
  const reason = running && obstacleOf(running, world);
  return reason === undefined
    ? undefined
    : fail("podCannotStart", "could_not_start", `The reason is ${reason}.`);
};

/** Its node has not been heard of for a while: the scan starts again elsewhere. */
export const nodeLost: Rule = (world) => {
  const isLost = runningJob(world)?.pods.some((pod) => isOnLostNode(pod, world));
  return isLost ? retry("nodeLost", world, ["result_lost", "Its node was lost."]) : undefined;
};

/** Nothing to do but to follow its progress, and to look again when the next bound is due. */
export const jobRunning: Rule = (world) => {
  const running = runningJob(world);
  if (!running) return undefined;
  const { scan, now } = world;
  const startedAt = scan.status?.startedAt ?? now.toISOString();
  const attempt = attemptInHand(world).number;
  const patch = patchOf(world, { phase: "Running", attempt, startedAt });
  const isNew = world.followedAttempt !== attempt && running.pods.some(({ isRunning }) => isRunning);
  const follow: Action[] = isNew ? [{ do: "followProgress", attempt }] : [];
  return { rule: "jobRunning", actions: [...patch, ...follow, requeueIn(nextBound(running, world))] };
};

/** Its node has been silent for longer than it is waited for. */
export const isOnLostNode = ({ lostSince }: PodView, { settings, now }: World): boolean =>
  lostSince !== undefined && secondsSince(lostSince, now) > settings.nodeLostSeconds;

interface Running {
  readonly job: JobView;
  readonly pods: readonly PodView[];
}

function runningJob(world: World): Running | undefined {
  const { job, pods } = attemptInHand(world);
  return job && !job.ended ? { job, pods } : undefined;
}

/** A Job whose pod was deleted has none either, until Kubernetes says that it has failed. */
const awaitsPod = ({ job, pods }: Running): boolean => pods.length === 0 && !job.hadPod;

function obstacleOf({ job, pods }: Running, { settings, now }: World): string | undefined {
  const isOver = (since: Date, bound: number) => secondsSince(since, now) > bound;
  if (awaitsPod({ job, pods }) && isOver(job.createdAt, settings.startSeconds)) return "NoPodCreated";
  for (const { waitingReason, unschedulableSince, createdAt } of pods) {
    if (unschedulableSince && isOver(unschedulableSince, settings.unschedulableSeconds))
      return "Unschedulable";
    if (waitingReason === undefined) continue;
    if (HOPELESS.has(waitingReason)) return waitingReason;
    // A pod may have waited for a node first, which has a bound of its own.
    const bound = settings.unschedulableSeconds + settings.startSeconds;
    if (MAY_PASS.has(waitingReason) && isOver(createdAt, bound)) return waitingReason;
  }
  return undefined;
}

/** Seconds until the earliest bound that something here may run into. */
function nextBound({ job, pods }: Running, { settings, now }: World): number {
  const { startSeconds, unschedulableSeconds, nodeLostSeconds } = settings;
  const due: [Date | undefined, number][] = [
    [job.createdAt, attemptDeadlineSeconds(settings)],
    [awaitsPod({ job, pods }) ? job.createdAt : undefined, startSeconds],
    ...pods.flatMap((pod): [Date | undefined, number][] => [
      [pod.unschedulableSince, unschedulableSeconds],
      [pod.waitingReason === undefined ? undefined : pod.createdAt, unschedulableSeconds + startSeconds],
      [pod.lostSince, nodeLostSeconds],
    ]),
  ];
  const left = due.flatMap(([since, bound]) => (since ? [bound - secondsSince(since, now)] : []));
  return Math.max(0, Math.min(...left));
}
