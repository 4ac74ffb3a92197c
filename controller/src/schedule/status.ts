import { isDeepStrictEqual } from "node:util";
import type { ScheduleCondition, ScheduleReason, ScheduleStatus } from "@glovebox/k8s";
import type { ScheduleAction, ScheduleWorld } from "./decide.ts";

export interface Readiness {
  readonly status: "True" | "False";
  readonly reason: ScheduleReason;
  readonly message?: string;
}

/** Ready, and Stalled while it is not: then nothing gets better before somebody changes something. */
export function conditionsOf(
  { schedule, now }: ScheduleWorld,
  { status, reason, message = "" }: Readiness,
): ScheduleCondition[] {
  const { generation } = schedule.metadata;
  const before = schedule.status?.conditions ?? [];
  const condition = (type: ScheduleCondition["type"], is: "True" | "False"): ScheduleCondition => {
    const last = before.find((one) => one.type === type);
    return {
      type,
      status: is,
      reason,
      message: message.slice(0, 1024),
      lastTransitionTime: last?.status === is ? last.lastTransitionTime : now.toISOString(),
      observedGeneration: generation,
    };
  };
  return [condition("Ready", status), ...(status === "False" ? [condition("Stalled", "True")] : [])];
}

/** Ready has another reason or message than before. */
export function isNews({ schedule }: ScheduleWorld, [ready]: readonly ScheduleCondition[]): boolean {
  const before = schedule.status?.conditions?.find(({ type }) => type === "Ready");
  return before?.reason !== ready?.reason || before?.message !== ready?.message;
}

/** The action that patches the status; none if the schedule has it already. An undefined field is removed. */
export function statusAction(
  { schedule }: ScheduleWorld,
  changes: { readonly [Field in keyof ScheduleStatus]?: ScheduleStatus[Field] | undefined },
): ScheduleAction[] {
  const before = schedule.status ?? {};
  const status = defined({
    ...before,
    ...changes,
    observedGeneration: schedule.metadata.generation,
  });
  return isDeepStrictEqual(defined(before), status) ? [] : [{ do: "patchStatus", status }];
}

/** Ignores fields that are undefined, which JSON has not. */
const defined = (status: object): ScheduleStatus => JSON.parse(JSON.stringify(status)) as ScheduleStatus;
