import { Reply, type ProbeRequest } from "../transport/exchange.ts";
import type { Check, TargetProfile, Verdict } from "./check.ts";
import { evidenceOf } from "./evidence.ts";
import { findingOf } from "./report.ts";
import type { Result } from "./runner.ts";

/**
 * The finding that one request crashes the target: neither it nor later requests had a response, first among concurrent requests,
 * and again when it was sent alone. The control is a request that had a response before.
 */
export function crashResult(
  check: Check,
  { subject, unanswered }: Pick<Result, "subject"> & { readonly unanswered: ProbeRequest },
  profile: TargetProfile,
): Result {
  const nothing = new Reply({
    request: unanswered,
    status: 0,
    headers: {},
    body: "No answer came.",
  });
  const { entry } = profile;
  const verdict: Verdict & { outcome: "fail" } = {
    outcome: "fail",
    observed: `After ${unanswered.method} ${new URL(unanswered.url).pathname} nothing was answered until the target had recovered, twice.`,
    instead: {},
  };
  const evidence = evidenceOf(
    check.rule,
    [
      { role: "control", request: entry.request, reply: entry },
      { role: "attack", request: unanswered, reply: nothing },
    ],
    [{ role: "attack", request: unanswered, reply: nothing }],
  );
  return {
    check,
    subject,
    verdict,
    reach: "failed",
    finding: findingOf({ check, subject, verdict, evidence }, profile),
  };
}
