import type { Action } from "../plan.ts";
import { patchOf } from "../status.ts";
import { attemptDeadlineSeconds } from "../settings.ts";
import { attemptInHand, type PodView, type World } from "../world.ts";
import { nextLooksAtWait, runningJob, waitCondition, type Running } from "./pod-awaited.ts";
import { requeueIn, retry, secondsSince, type Rule } from "./rule.ts";

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
  const patch = patchOf(world, { phase: "Running", attempt, startedAt }, waitCondition(world));
  const isNew = world.followedAttempt !== attempt && running.pods.some(({ isRunning }) => isRunning);
  const follow: Action[] = isNew ? [{ do: "followProgress", attempt }] : [];
  return { rule: "jobRunning", actions: [...patch, ...follow], ...requeueIn(nextBound(running, world)) };
};

/** Its node has been silent for longer than it is waited for. */
export const isOnLostNode = ({ lostSince }: PodView, { settings, now }: World): boolean =>
  lostSince !== undefined && secondsSince(lostSince, now) > settings.nodeLostSeconds;

/** Seconds until the earliest bound that something here may run into. */
function nextBound({ job, pods }: Running, world: World): number {
  const { settings, now } = world;
  const due: [Date | undefined, number][] = [
    [job.createdAt, attemptDeadlineSeconds(settings)],
    ...pods.map(({ lostSince }): [Date | undefined, number] => [lostSince, settings.nodeLostSeconds]),
  ];
  const left = due.flatMap(([since, bound]) => (since ? [bound - secondsSince(since, now)] : []));
  return Math.max(0, Math.min(...left, ...nextLooksAtWait(world)));
}
