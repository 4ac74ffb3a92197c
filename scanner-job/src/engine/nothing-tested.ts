import {
  SEVERITIES,
  scanFailure,
  type Finding,
  type ScanFailure,
  type ScanFailureCode,
} from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { TargetProfile } from "./check.ts";
import type { Exhaustion } from "./left-out.ts";
import type { Tested } from "./coverage.ts";
import { isEntry } from "./document-gap.ts";
import { isRefusedWholesale, type Reach } from "./reach.ts";
import type { Loss } from "./supervisor.ts";

/** Findings of the host alone that are worth a report: medium or worse, and not of its TLS or its document only. */
const isTelling = ({ severity, category, evidence }: Finding): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf("medium") &&
  category !== "encryption" &&
  evidence.pointer === undefined;

/** What is decided of such operations is decided by the document alone. */
const WITHOUT_RESPONSE: ReadonlySet<Reach> = new Set(["failed", "untried"]);

/** Why a scan that decided nothing beyond the host has failed, with what the owner can do; undefined where it did decide. Pure. */
export function failureOf(scan: {
  profile: Profile;
  tested: Tested;
  findings: readonly Finding[];
  loss: Loss | undefined;
  exhaustion: Exhaustion | undefined;
}): ScanFailure | undefined {
  const { profile, tested, findings, loss, exhaustion } = scan;
  const { reaches } = tested;
  const isBeyondHost = (operation: Operation): boolean =>
    !isEntry(operation, profile) && !WITHOUT_RESPONSE.has(reaches.get(operation) ?? "untried");
  if ([...tested.decided].some(isBeyondHost) || findings.some(isTelling)) return undefined;
  if (exhaustion && !loss && isUnread(profile, reaches)) return scanFailure(...EXHAUSTED[exhaustion.of]);
  if (loss === "unresponsive")
    return scanFailure(
      "target_unavailable",
      "Nothing had been tested by then. Check its logs, and scan again.",
    );
  if (loss === "blocking" || isRefusedWholesale(profile.calibration))
    return scanFailure(
      "target_blocked",
      "Allow the scanner's address in the firewall or gateway, or scan from a network that is let through.",
    );
  if (profile.operations.length === 0) return withoutOperations(profile);
  const called = profile.operations.filter((operation) => reaches.get(operation) !== "untried");
  const isFailing = called.some(
    (operation) => reaches.get(operation) === "failed" && !isEntry(operation, profile),
  );
  return isFailing &&
    called.every((operation) => reaches.get(operation) === "failed" || isEntry(operation, profile))
    ? scanFailure("target_errors", "Each of its operations failed. Check its logs, and scan again.")
    : withoutResponses(profile);
}

/** A read is left that had no response. */
const isUnread = ({ operations }: Profile, reaches: Tested["reaches"]): boolean =>
  operations.some(
    (operation) => operation.isRead && WITHOUT_RESPONSE.has(reaches.get(operation) ?? "untried"),
  );

const EXHAUSTED: Readonly<Record<Exhaustion["of"], readonly [ScanFailureCode, string]>> = {
  requests: [
    "nothing_tested",
    "The scan reached its request limit before anything was tested. Raise the limit (--max-requests).",
  ],
  time: ["deadline_exceeded", "Nothing had been tested by then. Raise the limit (--timeout)."],
};

type Profile = Pick<TargetProfile, "host" | "operations" | "document" | "calibration">;

function withoutOperations({ calibration }: Profile): ScanFailure {
  const advice = "Name its OpenAPI document (specUrl, --spec), or submit the address of the API itself.";
  if (calibration.deniesEverything)
    return scanFailure(
      "nothing_tested",
      `Every URL requires credentials, so no operation was found. ${advice}`,
    );
  if (calibration.acceptsEverything)
    return scanFailure("nothing_tested", `Every URL returns the same response, like a web page. ${advice}`);
  return scanFailure("nothing_tested", `No operation of an API was found. ${advice}`);
}

function withoutResponses({ operations, document, calibration }: Profile): ScanFailure {
  const declared = operations.filter(({ facts }) => facts.source === "spec");
  const named = declared.length > 0 ? declared : operations;
  const names = named.slice(0, 3).map(({ location: { method, path } }) => `${method} ${path}`.slice(0, 80));
  const tried = `Tried, among ${named.length}: ${names.join(", ")}.`;
  if (calibration.acceptsEverything)
    return scanFailure("nothing_tested", `Every URL returns the same response, existing or not. ${tried}`);
  return document
    ? scanFailure("wrong_base_path", `${tried} Submit the address with the API's base path.`)
    : scanFailure("nothing_tested", `No operation returned a conclusive response. ${tried}`);
}
