import { notesOnPins, type IsolationOrder } from "@glovebox/contract";
import { scanOrder, specOf } from "@glovebox/scan-run";
import { REASONS } from "@glovebox/k8s";
import type { CanaryReference } from "../../canary/protocol.ts";
import type { ScanSettings } from "../settings.ts";
import { alwaysPatchOf, conditionOf, isCreationRefused, patchOf } from "../status.ts";
import { currentAttemptView, type AttemptView, currentAttempt, type World } from "../world.ts";
import { identitiesSecretOf } from "./identities.ts";
import { isOnLostNode } from "./job-running.ts";
import {
  planQuery,
  fail,
  failWith,
  isDeleting,
  LINGERS_SECONDS,
  requeueIn,
  endAttempt,
  type Rule,
  secondsSince,
} from "./rule.ts";

/** Objects of earlier attempts are deleted before the next one starts, so that a scan has at most one running Job. */
export const olderAttempts: Rule = (world) => {
  const current = currentAttempt(world);
  const older = world.attempts.filter(
    (attempt) => attempt.number < current && blocksNextAttempt(attempt, world),
  );
  if (older.length === 0) return undefined;
  const rule = "olderAttempts";
  if (isDeleting(world)) return { rule, actions: [], ...requeueIn(LINGERS_SECONDS) };
  return {
    rule,
    actions: older.map(({ number }) => ({ do: "deleteAttempt", attempt: number })),
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** A deleted pod on an unreachable node is ignored: it stays until the node is back or removed. */
const blocksNextAttempt = ({ job, policy, pods }: AttemptView, world: World): boolean =>
  job !== undefined || policy !== undefined || pods.some((pod) => !isOnLostNode(pod, world));

/** Pause before a rejected creation is retried, in seconds. */
const REFUSED_SECONDS = 15;

/** Pause before the next check for a canary, in seconds. */
const NO_CANARY_SECONDS = 2;

/** The API server rejected the Job or its policy. The status shows it, the creation is retried, and after a limit the scan fails. */
export const creationRefused: Rule = (world) => {
  const { refusal, now, settings } = world;
  const left = refusal ? REFUSED_SECONDS - secondsSince(refusal.at, now) : 0;
  if (!refusal || left <= 0 || currentAttemptView(world).job) return undefined;
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
 * The Job was created and no longer exists, which is confirmed with the API server. If it is not known that it was created,
 * `startJob` creates it, as for an attempt that a controller announced before it crashed.
 */
export const jobVanished: Rule = (world) => {
  const { number, job, pods } = currentAttemptView(world);
  const wasMade = world.madeAttempt === number || pods.length > 0;
  if (job || !wasMade || world.scan.status?.phase !== "Running") return undefined;
  const { liveJob } = world.responses;
  if (liveJob?.attempt !== number) return planQuery("confirmJob", { ask: "confirmJob", attempt: number });
  if (liveJob.exists) return { rule: "jobNotSeenYet", actions: [], ...requeueIn(5) };
  return endAttempt("jobVanished", world, { how: "lost", detail: "Its Job was deleted." });
};

/** The limit of running scans is reached. Events requeue the scan; the timer is for the maximum time in the queue. */
export const waitingForSlot: Rule = (world) => {
  if (world.slot === "granted" || currentAttemptView(world).job) return undefined;
  const { scan, settings, now } = world;
  const left = settings.queueSeconds - secondsSince(new Date(scan.metadata.creationTimestamp), now);
  if (left <= 0) return fail("queuedTooLong", "could_not_start", "It waited too long in the queue.");
  const patch = patchOf(world, { phase: "Pending" }, [
    { type: "Sealed", status: "Unknown", reason: "WaitingForSlot" },
  ]);
  return { rule: "waitingForSlot", actions: patch, ...requeueIn(left) };
};

/** The target is resolved once for each attempt, right before its policy is created. */
export const targetResolved: Rule = (world) => {
  const { policy, job } = currentAttemptView(world);
  if (policy || job) return undefined;
  const { target } = world.responses;
  if (!target) return planQuery("resolveTarget", { ask: "resolveTarget" });
  if (target.ok) return undefined;
  const { code, message } = target.failure;
  const rule = code === "egress_refused" ? "targetRefused" : "targetUnresolved";
  return failWith(rule, { code, message });
};

/** The policy exists, and is in the cache, before the Job is created. */
export const policyBeforePod: Rule = (world) => {
  const { number, policy, job } = currentAttemptView(world);
  const { target } = world.responses;
  if (policy || job || !target?.ok) return undefined;
  return {
    rule: "policyBeforePod",
    actions: [
      // The policy existed before, and was deleted.
      ...(conditionOf(world, "Sealed")?.status === "True" ? patchOf(world, {}) : []),
      { do: "createPolicy", attempt: number, pins: target.pins },
    ],
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** Without a reachable canary no scan can prove its isolation, so it waits. */
export const noCanary: Rule = (world) => {
  if (currentAttemptView(world).job || world.canary) return undefined;
  const patch = patchOf(world, { phase: "Pending" }, [
    { type: "IsolationProven", status: "Unknown", reason: "NoCanary", message: REASONS.NoCanary },
  ]);
  return { rule: "noCanary", actions: patch, ...requeueIn(NO_CANARY_SECONDS) };
};

/**
 * The status announces the Job before it is created. This write fails if the view of the Scan is stale, so that no second Job is
 * started. A Job that was announced and not created, because the controller crashed in between, is created later and costs no
 * attempt. After a rejection, the phase becomes Running only when the Job is in the cache.
 */
export const startJob: Rule = (world) => {
  const { number, policy, job } = currentAttemptView(world);
  const { canary, row } = world;
  if (job || !policy || !canary || row.state !== "processing") return undefined;
  const { settings, scanId } = world;
  const { url, context, mode, include, exclude } = row.request;
  const order = scanOrder(
    { scanId, url, spec: specOf(row.request), pins: policy.pins },
    { context, mode, include, exclude, isolation: isolationBy(canary, settings), limits: settings.limits },
  );
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
      {
        ...{ do: "createJob", attempt: number, policy: policy.version, order, canary },
        identitiesSecret: identitiesSecretOf(world),
      },
    ],
    ...requeueIn(world.settings.graceSeconds),
  };
};

/** What the scanner must find blocked, and unblocked, before its first request. */
const isolationBy = (
  { endpoints }: CanaryReference,
  { controlEndpoints, isolationWaitSeconds }: ScanSettings,
): IsolationOrder => ({ canaries: endpoints, controlEndpoints, waitSeconds: isolationWaitSeconds });
