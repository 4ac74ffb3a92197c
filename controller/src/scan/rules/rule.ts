import { scanFailure, type ScanFailureCode } from "@glovebox/contract";
import type { Action, Plan } from "../action.ts";
import { failedStep } from "../ending-status.ts";
import { patchOf, withoutSeal } from "../status.ts";
import { currentAttempt, type World } from "../world.ts";

/** Wants something done, or passes the world on to the next rule. */
export type Rule = (world: World) => Plan | undefined;

/** A plan with one question. */
export const ask = (rule: string, question: Action): Plan => ({ rule, actions: [question] });

/** The scan has failed: that goes on record first, and all else follows from the record. */
export const fail = (rule: string, code: ScanFailureCode, detail?: string): Plan =>
  ask(rule, { do: "recordOutcome", outcome: { status: "failed", failure: scanFailure(code, detail) } });

/**
 * The attempt came to nothing through no fault of the target: another one, in a new Job, or after the last the
 * failure. The number goes up before anything is deleted, so that no crash in between lets an attempt run twice.
 */
export function retry(
  rule: string,
  world: World,
  [code, detail]: [ScanFailureCode, (string | undefined)?],
): Plan {
  const attempt = currentAttempt(world);
  if (attempt >= world.settings.maxAttempts) return fail(rule, code, detail);
  const failure = scanFailure(code, detail);
  // The policy goes with its attempt.
  const sayings = [...withoutSeal(world, failure.message), ...failedStep(failure)];
  return {
    rule,
    actions: [
      ...patchOf(world, { attempt: attempt + 1, phase: "Pending" }, sayings),
      { do: "deleteAttempt", attempt },
    ],
  };
}

export const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / 1000;

/** What was deleted may still be seen for so long. In seconds. */
export const LINGERS_SECONDS = 5;

/** Something of the scan was deleted a moment ago: what is seen of it is on its way out. */
export const isTidying = ({ deletedAt, now }: World): boolean =>
  deletedAt !== undefined && secondsSince(deletedAt, now) < LINGERS_SECONDS;

/** A look at the time when a bound is due, a second late so that it is over by then. */
export const requeueIn = (seconds: number): Action => ({
  do: "requeueAfter",
  seconds: Math.max(1, Math.ceil(seconds) + 1),
});
