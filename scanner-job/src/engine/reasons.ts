import type { NetworkError, NetworkErrorKind } from "../transport/network-error.ts";
import {
  interrupted,
  notApplicable,
  type Explained,
  type Inconclusive,
  type Interruption,
  type Verdict,
} from "./check.ts";

/** Why a subject has no verdict, for causes outside its check. */
export const REASONS: Readonly<Record<Interruption, string>> = {
  requests: "Left out: the scan reached its request limit.",
  time: "Left out: the scan reached its time limit.",
  operation_limit: "Left out: the operation reached its request limit.",
  response_cut:
    "The target's responses exceeded the memory that the scanner keeps for them, and were cut before they were compared.",
  blocking: "The target began to block or throttle the scan.",
  unresponsive: "The target stopped responding during the scan.",
  crashes: "Left out: the target crashed several times, and further tests could keep it down.",
  not_reproduced: "Seen once, but not reproduced.",
  fault: "The check failed because of an error in the scanner.",
  implausible:
    "The host appears to serve files and consoles of many unrelated products: it returns a success for every path.",
};

/** The sentence of the report. */
export const reasonOf = (verdict: Inconclusive): string =>
  "reason" in verdict ? verdict.reason : REASONS[verdict.cause];

const INTERRUPTION_OF: Partial<Record<NetworkErrorKind, Interruption>> = {
  budget: "requests",
  deadline: "time",
  operation_budget: "operation_limit",
};

/** The verdict of an examination that a request without a response ended. */
export function withoutResponse({ kind, message }: NetworkError): Verdict {
  const interruption = INTERRUPTION_OF[kind];
  if (interruption) return interrupted(interruption);
  if (kind === "not_selected") return notApplicable(`${message}.`);
  const cause: Explained = kind === "write_refused" ? "write_refused" : "no_response";
  return { outcome: "inconclusive", cause, reason: `${message}.` };
}
