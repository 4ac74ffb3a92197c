import { isDeepStrictEqual } from "node:util";
import {
  CONDITION_TYPES,
  type Condition,
  type ConditionType,
  type Reason,
  type ScanResource,
  type ScanStatus,
} from "@glovebox/k8s";
import type { Action } from "./plan.ts";
import { attemptInHand, type World } from "./world.ts";

export type Saying = Pick<Condition, "type" | "status"> & {
  readonly reason: Reason;
  readonly message?: string;
};

const MAX_MESSAGE = 1024;

/** What holds a pod up is true at one look: the next one says it again, or it has passed. */
const ABOUT_PODS: ReadonlySet<Reason> = new Set(["NoPodCreated", "PodNotStarted"]);

/** The action that gives the Scan this status, or none where it has it already. */
export function patchOf(
  world: World,
  changes: Partial<ScanStatus>,
  sayings: readonly Saying[] = [],
): Action[] {
  const status = statusOf(world, changes, sayings);
  return isSame(world.scan.status ?? {}, status) ? [] : [{ do: "patchStatus", status }];
}

/** The same, also where the Scan has it already: a write that tells whether the Scan was seen as it is. */
export const alwaysPatchOf = (...args: Parameters<typeof statusOf>): Action => ({
  do: "patchStatus",
  status: statusOf(...args),
});

function statusOf(world: World, changes: Partial<ScanStatus>, sayings: readonly Saying[]): ScanStatus {
  const before = world.scan.status ?? {};
  const accepted: Saying[] =
    world.row.state === "processing" ? [{ type: "Accepted", status: "True", reason: "Charged" }] : [];
  const { job, policy } = attemptInHand(world);
  const unsealed = world.row.state === "processing" && !policy?.isAsMade ? withoutSeal(world) : [];
  const said = [...accepted, ...unsealed, ...sayings].reduce(
    (all, saying) => withCondition(all, saying, world),
    // Once the Job is there, nobody refuses it any more, and it has a canary.
    (before.conditions ?? []).filter(
      (condition) => !job || !(isRefusal(condition) || condition.reason === "NoCanary"),
    ),
  );
  const isSaid = ({ reason }: Condition): boolean => sayings.some((saying) => saying.reason === reason);
  const conditions = said.filter((condition) => !ABOUT_PODS.has(condition.reason) || isSaid(condition));
  return {
    ...before,
    ...changes,
    ...whyItIsThere(conditions),
    // Whose id another Scan has is not said to be its own.
    ...(isAnothers(world.row) ? {} : { scanId: world.scanId }),
    observedGeneration: world.scan.metadata.generation,
    conditions,
  };
}

/**
 * The reason and the message of the condition that decides the present state: of the first step that failed, else of the
 * furthest that is held up, else of the furthest that was reached.
 */
function whyItIsThere(conditions: readonly Condition[]): Pick<ScanStatus, "reason" | "message"> {
  const steps = conditions.toSorted((a, b) => stepOf(a) - stepOf(b));
  const decisive =
    steps.find(({ status }) => status === "False") ??
    steps.findLast(({ status }) => status === "Unknown") ??
    steps.at(-1);
  return decisive ? { reason: decisive.reason, message: decisive.message } : {};
}

const stepOf = ({ type }: Condition): number => CONDITION_TYPES.indexOf(type);

const isAnothers = ({ state }: World["row"]): boolean => state === "foreign" || state === "unbound";

/** The latch: the scan has ended, and its status says how. */
export const isFinished = ({ status }: ScanResource): boolean => status?.finishedAt !== undefined;

/** What is to be said where there was a seal, and is none for now. */
export const withoutSeal = (world: World, message?: string): Saying[] =>
  conditionOf(world, "Sealed")?.status === "True"
    ? [{ type: "Sealed", status: "Unknown", reason: "AwaitingPolicy", ...(message && { message }) }]
    : [];

/** It says that the API server refused something of the scan's. */
export const isRefusal = ({ status, reason }: Condition): boolean =>
  status === "Unknown" && reason === "CouldNotStart";

export const conditionOf = ({ scan }: World, type: ConditionType): Condition | undefined =>
  scan.status?.conditions?.find((condition) => condition.type === type);

function withCondition(conditions: readonly Condition[], saying: Saying, { now, scan }: World): Condition[] {
  const before = conditions.find(({ type }) => type === saying.type);
  const after: Condition = {
    type: saying.type,
    status: saying.status,
    reason: saying.reason,
    message: (saying.message ?? "").slice(0, MAX_MESSAGE),
    lastTransitionTime: before?.status === saying.status ? before.lastTransitionTime : now.toISOString(),
    observedGeneration: scan.metadata.generation,
  };
  return before ? conditions.map((one) => (one === before ? after : one)) : [...conditions, after];
}

/** Equal whatever the order of keys, which the API server does not keep, and whether a field is absent or undefined. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b) || canonical(a) === canonical(b);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
