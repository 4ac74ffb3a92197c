import { MAX_SIDE_EFFECTS, type SideEffect } from "@glovebox/contract";
import { isRejectedInput } from "../oracles/classify.ts";
import { areSimilar } from "../oracles/similarity.ts";
import type { StoredWrite, WriteLedger } from "../writes/ledger.ts";
import { leadsBack } from "../writes/outcome.ts";
import {
  interrupted,
  pass,
  type AcceptedWrite,
  type Check,
  type WriteCheck,
  type TargetProfile,
  type Verdict,
} from "./check.ts";
import { noResponse } from "./crash.ts";
import { evidenceOf, shownExchange } from "./evidence.ts";
import { findingOf } from "./report.ts";
import type { Result } from "./result.ts";

/** What the scan may have left behind, as the report lists it. Nothing is removed again. */
export const sideEffectsOf = (stored: readonly StoredWrite[]): SideEffect[] =>
  stored.slice(0, MAX_SIDE_EFFECTS).map(({ location, request, response }) => ({
    operation: location,
    ...shownExchange(request, response ?? noResponse(request)),
    cleaned: false,
  }));

/**
 * The results of the checks that judge writes: a finding for each known operation that accepted one, and a pass for each that
 * rejected the input of its first. The write is not repeated; the control is the response to a path that does not exist.
 */
export function writeResults(
  checks: readonly Check[],
  { stored, refusals }: Pick<WriteLedger, "stored" | "refusals">,
  profile: TargetProfile,
): Result[] {
  const accepted = stored.filter((write): write is AcceptedWrite =>
    Boolean(write.operation && write.response),
  );
  // Of several callers, one whose input was rejected tells.
  const rejecting = [
    ...new Map(refusals.filter(([, response]) => response.isCut || isRejectedInput(response))),
  ];
  return checks.flatMap((check) => {
    if (check.kind !== "write") return [];
    const { appliesTo } = check;
    return [
      ...accepted
        .filter(({ operation }) => appliesTo(operation))
        .flatMap((write) => findingIn(check, write, profile) ?? []),
      ...rejecting
        .filter(([operation]) => appliesTo(operation))
        .map(([subject, response]): Result => ({
          ...{ check, subject, reach: "reached" },
          verdict: response.isCut ? interrupted("response_cut") : pass(),
        })),
    ];
  });
}

function findingIn(check: WriteCheck, write: AcceptedWrite, profile: TargetProfile): Result | undefined {
  const { operation, request, response } = write;
  if (response.isCut)
    return { check, subject: operation, verdict: interrupted("response_cut"), reach: "reached" };
  const [missing] = profile.calibration.missing;
  // A redirect back to the form tells neither that it was stored nor that it was refused.
  if (!missing || areSimilar(response, missing) || leadsBack(response)) return undefined;
  const observation = check.judge(write);
  if (!observation) return undefined;
  const { observed, values: _, ...instead } = observation;
  const verdict: Verdict & { outcome: "fail" } = { outcome: "fail", observed, instead };
  const evidence = evidenceOf(
    { rule: check.rule, location: operation.location },
    [
      { role: "control", request: missing.request, response: missing },
      { role: "attack", request, response },
    ],
    [],
  );
  const finding = findingOf({ check, subject: operation, verdict, evidence }, profile);
  return { check, subject: operation, verdict, reach: "reached", finding };
}
