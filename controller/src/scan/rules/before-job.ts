import { notesOnPins, type Pin, type ScanOrder, type ScanRequest } from "@glovebox/contract";
import { REASONS } from "@glovebox/k8s";
import type { CanaryReference } from "../../canary/protocol.ts";
import { alwaysPatchOf, conditionOf, isCreationRefused, patchOf } from "../status.ts";
import { attemptInHand, type AttemptView, currentAttempt, type World } from "../world.ts";
import { isOnLostNode } from "./job-running.ts";
import {
  planQuery,
  fail,
  failWith,
  isTidying,
  LINGERS_SECONDS,
  requeueIn,
  retry,
  type Rule,
  secondsSince,
} from "./rule.ts";

/** What is left of an earlier attempt is deleted before the next one starts: at most one live Job for each scan. */
export const olderAttempts: Rule = (world) => {
  const current = currentAttempt(world);
  const older = world.attempts.filter((attempt) => attempt.number < current && isInTheWay(attempt, world));
  if (older.length === 0) return undefined;
  const rule = "olderAttempts";
  if (isTidying(world)) return { rule, actions: [], ...requeueIn(LINGERS_SECONDS) };
  return {
    rule,
    actions: older.map(({ number }) => ({ do: "deleteAttempt", attempt: number })),
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** A deleted pod on an unreachable node stays until the node is back or removed, which may be never. */
const isInTheWay = ({ job, policy, pods }: AttemptView, world: World): boolean =>
  job !== undefined || policy !== undefined || pods.some((pod) => !isOnLostNode(pod, world));

/** Pause before a rejected creation is retried, in seconds. */
const REFUSED_SECONDS = 15;

/** Pause before another try to find a canary, in seconds. */
const NO_CANARY_SECONDS = 2;

/** The API server refuses the Job or its policy, which may pass. The status shows it, it is retried, and after a limit the scan fails. */
export const creationRefused: Rule = (world) => {
  const { refusal, now, settings } = world;
  const left = refusal ? REFUSED_SECONDS - secondsSince(refusal.at, now) : 0;
  if (!refusal || left <= 0 || attemptInHand(world).job) return undefined;
  const rule = "creationRefused";
  const message = `The API server rejects its ${refusal.what}: ${refusal.message}`;
  const shown = conditionOf(world, "ReportRecorded");
  const since = shown && isCreationRefused(shown) ? new Date(shown.lastTransitionTime) : now;
  if (secondsSince(since, now) > settings.podWaitSeconds) return fail(rule, "could_not_start", message);
  const patch = patchOf(world, { phase: "Pending" }, [
    { type: "ReportRecorded", status: "Unknown", reason: "CouldNotStart", message },
  ]);
  return { rule, actions: patch, ...requeueIn(left) };
};

/**
 * The Job was made, and is no more. The API server is asked before it is given up. Where nothing tells that it was made,
 * `startJob` makes it, as it does for an attempt that was announced by a controller that ended before it made the Job.
 */
export const jobVanished: Rule = (world) => {
  const { number, job, pods } = attemptInHand(world);
  const wasMade = world.madeAttempt === number || pods.length > 0;
  if (job || !wasMade || world.scan.status?.phase !== "Running") return undefined;
  const { liveJob } = world.answers;
  if (liveJob?.attempt !== number) return planQuery("confirmJob", { ask: "confirmJob", attempt: number });
  if (liveJob.exists) return { rule: "jobNotSeenYet", actions: [], ...requeueIn(5) };
  return retry("jobVanished", world, ["result_lost", "Its Job was deleted."]);
};

/** As many scans as allowed are running. Events requeue it; the timer is for the longest time in the queue. */
export const waitingForSlot: Rule = (world) => {
  if (world.slot === "granted" || attemptInHand(world).job) return undefined;
  const { scan, settings, now } = world;
  const left = settings.queueSeconds - secondsSince(new Date(scan.metadata.creationTimestamp), now);
  if (left <= 0) return fail("queuedTooLong", "could_not_start", "It waited too long in the queue.");
  const patch = patchOf(world, { phase: "Pending" }, [
    { type: "Sealed", status: "Unknown", reason: "WaitingForSlot" },
  ]);
  return { rule: "waitingForSlot", actions: patch, ...requeueIn(left) };
};

/** The target is resolved once for each attempt, right before its policy is made. */
export const targetResolved: Rule = (world) => {
  const { policy, job } = attemptInHand(world);
  if (policy || job) return undefined;
  const { target } = world.answers;
  if (!target) return planQuery("resolveTarget", { ask: "resolveTarget" });
  if (target.ok) return undefined;
  const { code, message } = target.failure;
  const rule = code === "egress_refused" ? "targetRefused" : "targetUnresolved";
  return failWith(rule, { code, message });
};

/** The policy is there, and seen, before there is a pod. */
export const policyBeforePod: Rule = (world) => {
  const { number, policy, job } = attemptInHand(world);
  const { target } = world.answers;
  if (policy || job || !target?.ok) return undefined;
  return {
    rule: "policyBeforePod",
    actions: [
      // The policy was there before, and was deleted.
      ...(conditionOf(world, "Sealed")?.status === "True" ? patchOf(world, {}) : []),
      { do: "createPolicy", attempt: number, pins: target.pins },
    ],
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** Without a canary no scan can prove its isolation: it waits for one. */
export const noCanary: Rule = (world) => {
  if (attemptInHand(world).job || world.canary) return undefined;
  const patch = patchOf(world, { phase: "Pending" }, [
    { type: "IsolationProven", status: "Unknown", reason: "NoCanary", message: REASONS.NoCanary },
  ]);
  return { rule: "noCanary", actions: patch, ...requeueIn(NO_CANARY_SECONDS) };
};

/**
 * The status announces the Job before there is one: a write that fails when the Scan was seen too long ago, so that
 * no stale view starts a Job beside another. One that was announced and never made, because the controller ended in
 * between, is made later and costs no attempt. After a rejection, the phase becomes Running only when the Job is seen.
 */
export const startJob: Rule = (world) => {
  const { number, policy, job } = attemptInHand(world);
  const { canary, row } = world;
  if (job || !policy || !canary || row.state !== "processing") return undefined;
  const order = orderOf(world, row.request, { pins: policy.pins, canary });
  const started = world.scan.status?.startedAt ?? world.now.toISOString();
  const phase = world.refusal ? "Pending" : "Running";
  return {
    rule: "startJob",
    actions: [
      alwaysPatchOf(world, { phase, attempt: number, startedAt: started }, [
        {
          type: "TargetResolved",
          status: "True",
          reason: "Resolved",
          message: notesOnPins(policy.pins).join(" "),
        },
        { type: "Sealed", status: "True", reason: "PolicyInPlace" },
      ]),
      { do: "createJob", attempt: number, policy: policy.version, order, canary },
    ],
    ...requeueIn(world.settings.graceSeconds),
  };
};

function orderOf(
  { settings, scanId }: World,
  { url, specUrl, context }: ScanRequest,
  { pins, canary }: { readonly pins: readonly Pin[]; readonly canary: CanaryReference },
): ScanOrder {
  return {
    scanId,
    url,
    ...(specUrl !== undefined && { spec: { from: "url", url: specUrl } }),
    ...(context !== undefined && { context }),
    pins: [...pins],
    isolation: {
      canaries: canary.endpoints,
      controlEndpoints: settings.controlEndpoints,
      waitSeconds: settings.isolationWaitSeconds,
    },
    limits: settings.limits,
  };
}
