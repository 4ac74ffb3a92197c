import { ERRORS, ISOLATION_CAUSES, SCAN_FAILURES, isolationFailure } from "@glovebox/contract";
import { CHECKS } from "../checks/index.ts";
import { REASONS } from "../engine/reasons.ts";

/**
 * Replaces the messages of every table by one and the same, so that nothing can be told by what a message says: a program that
 * compares or searches messages decides wrongly, and its tests fail. It runs before the files of the project `unit-messages`.
 */
const MESSAGE = "⟦message⟧";

/** Fields of checks that are text for people. */
const CHECK_TEXTS = ["title", "description", "remediation", "rule", "notApplicable"];

function replace(table: object, isMessage: (key: string) => boolean = () => true): void {
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === "string" && isMessage(key)) Object.assign(table, { [key]: MESSAGE });
    if (typeof value === "object" && value !== null) replace(value as object, isMessage);
  }
}

replace(SCAN_FAILURES, (key) => key === "message");
replace(ERRORS, (key) => key === "meaning");
replace(ISOLATION_CAUSES);
replace(REASONS);
for (const check of CHECKS)
  for (const key of CHECK_TEXTS) if (key in check) Object.assign(check, { [key]: MESSAGE });

if (isolationFailure("CanaryLost").message !== isolationFailure("CanaryReachable").message)
  throw new Error("The messages were not replaced");
