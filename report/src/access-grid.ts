import type { AccessOfCallers, CallerAccess, CompletedScan } from "@glovebox/contract";
import { callersIn } from "@glovebox/domain";
import { csvText } from "./csv.ts";

/** The access of callers in words. */
export const ACCESS_TEXT: Readonly<Record<CallerAccess, string>> = {
  allowed: "allowed",
  different: "different data",
  refused: "refused",
  notFound: "not found",
  noAnswer: "no response",
  notCalled: "not called",
};

/** What is wrong in one row, such as `bob: finding 12ab; alice: expected to be refused`. Empty where nothing is. */
export const violationText = ({ violations = [] }: AccessOfCallers): string =>
  violations
    .map(({ caller, finding, expectation }) => {
      if (finding !== undefined) return `${caller}: finding ${finding}`;
      return `${caller}: expected to be ${expectation === "allow" ? "allowed" : "refused"}`;
    })
    .join("; ");

/** One row for each operation with a column for each caller (RFC 4180). Only the header in a scan without identities. */
export function toAccessCsv({ accessByCaller = [] }: CompletedScan): string {
  const callers = callersIn(accessByCaller);
  const rows = accessByCaller.map((row) => [
    ...[row.method, row.path],
    ...callers.map((caller) => ACCESS_TEXT[row.access[caller] ?? "notCalled"]),
    violationText(row),
  ]);
  return csvText([["method", "path", ...callers, "violations"], ...rows]);
}
