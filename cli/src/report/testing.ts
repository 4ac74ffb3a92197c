import { assess, type Assessment } from "@glovebox/domain";
import { type CompletedScan, type Finding } from "@glovebox/contract";
import { WHOLLY_TESTED } from "@glovebox/domain/testing";
import type { Accepted } from "./suppressions.ts";

/** A completed scan with these findings, in which everything but LLM security applies and was tested. */
export function scanWith(
  findings: Finding[],
  {
    notes = [],
    sideEffects = [],
    ...more
  }: Partial<Assessment> & Pick<CompletedScan, "sideEffects"> & { notes?: string[] } = {},
): CompletedScan {
  const { pairs: tested } = WHOLLY_TESTED;
  const { llmSecurity: _, ...pairs } = tested;
  const reasons = new Map([["llmSecurity" as const, "No LLM endpoint was found."]]);
  const verdict = assess({ ...WHOLLY_TESTED, pairs, reasons, findings, ...more });
  return {
    ...verdict,
    findings,
    notes,
    sideEffects,
    id: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    status: "completed",
    url: "https://api.example.com/",
    createdAt: "2026-11-21T12:00:00Z",
    completedAt: "2026-11-21T12:00:05Z",
    summary: "This scan tested 100 % of what applies to this API.",
    checks: [],
    statistics: { operations: 17, requests: 431, durationMs: 5_234 },
  };
}

export const NOTHING_ACCEPTED: Accepted = { reasons: new Map(), marks: new Map(), notes: [] };
