import {
  CATEGORY_KEYS,
  VERSION,
  type Category,
  type AccessOfCallers,
  type CheckSummary,
  type Report,
  type ScanMode,
  type JournalEntry,
  type SideEffect,
  type Evidence,
  type Finding,
  type Instance,
  type Severity,
  type Undecided,
} from "@glovebox/contract";
import { decidedShare, assess, compareFindings, instanceId } from "@glovebox/domain";
import { accessGrid } from "./access-grid.ts";
import { callerGrid } from "./caller-grid.ts";
import type { AccessByCaller } from "./caller-access.ts";
import {
  severityIn,
  type Affected,
  type Check,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "./check.ts";
import type { Tested } from "./coverage.ts";
import type { Operation } from "../inventory/operation.ts";
import type { Result } from "./result.ts";
import { referencesAt } from "./cvss.ts";
import { described, type Detected } from "./detected.ts";
import type { Exhaustion } from "./left-out.ts";
import { redactText } from "./redact.ts";
import { passedAt, locationsOf, reachesIn } from "./passed.ts";
import { reasonOf } from "./reasons.ts";
import { byRootCause } from "./root-causes.ts";
import { percent, summaryOf } from "./summary.ts";

/** What a scan comes to. */
interface Scanned {
  readonly checks: readonly Check[];
  readonly results: readonly Result[];
  readonly profile: Pick<TargetProfile, "operations" | "context" | "document"> &
    Partial<Pick<TargetProfile, "callers" | "neverCalled" | "expectations">>;
  readonly tested: Tested;
  /** What each caller got from the plain read of each operation. */
  readonly access?: ReadonlyMap<Operation, AccessByCaller>;
  /** Of a scan that ended by its own limit. */
  readonly exhaustion?: Exhaustion | undefined;
  readonly sideEffects: readonly SideEffect[];
  /** Default: `safe`. */
  readonly mode?: ScanMode | undefined;
  /** Of an active scan. */
  readonly journal?: readonly JournalEntry[] | undefined;
  readonly notes: readonly string[];
  /** Which operations the order selects, where it does not select all. */
  readonly scope?: Report["scope"];
  readonly requests: number;
  readonly durationMs: number;
}

/** The report of a scan, from its results. Pure. */
export function reportOf(scan: Scanned): Report {
  const { checks, results, profile, tested, exhaustion } = scan;
  const { callers = [] } = profile;
  const findings = byRootCause(results.flatMap(({ finding }) => (finding ? [finding] : [])))
    .map(described)
    .toSorted(compareFindings);
  const locations = locationsOf(results);
  const reaches = reachesIn(results);
  const summaries = checks.map((check) =>
    checkSummaryOf(
      results.filter((result) => result.check === check),
      { check, passed: (own) => passedAt(own, { locations, reaches }) },
    ),
  );
  const reasons = reasonsByCategory(summaries, tested);
  const verdict = assess({ ...tested, findings, reasons, context: profile.context });
  return {
    ...{ score: verdict.score, grade: verdict.grade, categories: verdict.categories },
    findings,
    summary: summaryOf(tested, { ...verdict, exhaustion }),
    coverage: verdict.coverage,
    perimeterOnly: verdict.perimeterOnly,
    scoring: verdict.scoring,
    checks: summaries,
    places: locations,
    anonymousAccess: accessGrid(profile, tested.anonymousReaches),
    sideEffects: [...scan.sideEffects],
    mode: scan.mode ?? "safe",
    ...(scan.journal && { journal: [...scan.journal] }),
    ...(callers.length > 0 && { identities: [...callers], accessByCaller: gridOf(scan, findings) }),
    ...(scan.scope && { scope: scan.scope }),
    notes: [...scan.notes],
    scannerVersion: VERSION,
    statistics: statisticsOf(scan),
  };
}

const gridOf = (
  { profile, tested, access = new Map() }: Scanned,
  findings: readonly Finding[],
): AccessOfCallers[] =>
  callerGrid({
    profile: { neverCalled: [], callers: [], expectations: [], ...profile },
    ...{ access, findings, anonymousReaches: tested.anonymousReaches },
  });

const statisticsOf = (scan: Pick<Scanned, "profile" | "requests" | "durationMs">): Report["statistics"] => ({
  requests: scan.requests,
  operations: scan.profile.operations.length,
  durationMs: Math.round(scan.durationMs),
});

function checkSummaryOf(
  results: readonly Result[],
  { check, passed }: { check: Check; passed: (results: readonly Result[]) => string },
): CheckSummary {
  const locations = passed(results);
  const count = (outcome: string) => results.filter(({ verdict }) => verdict.outcome === outcome).length;
  const reasons = results.flatMap(({ verdict }) =>
    verdict.outcome === "inconclusive" ? [reasonOf(verdict)] : [],
  );
  const undecided = undecidedIn(results);
  return {
    check: check.id,
    category: check.category,
    passed: count("pass"),
    failed: count("fail"),
    inconclusive: count("inconclusive"),
    reasons: results.length === 0 ? [check.notApplicable] : [...new Set(reasons)].slice(0, 5),
    ...(undecided.length > 0 && { undecided }),
    ...(locations !== "" && { passedAt: locations }),
  };
}

/** What does not apply has nothing to decide. */
function undecidedIn(results: readonly Result[]): Undecided[] {
  const reasons = results.flatMap(({ verdict }) =>
    verdict.outcome === "inconclusive" && verdict.applies !== false ? [reasonOf(verdict)] : [],
  );
  return [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, same]) => ({ reason, count: same.length }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 20);
}

/** Why pairs of a category were not decided: their share, and the reasons of the checks. */
function reasonsByCategory(summaries: readonly CheckSummary[], { pairs }: Tested): Map<Category, string> {
  return new Map(
    CATEGORY_KEYS.map((category) => {
      const own = summaries.filter((summary) => summary.category === category);
      const reasons = [...new Set(own.flatMap((summary) => summary.reasons))].slice(0, 3).join(" ");
      const share = decidedShare(pairs[category]);
      const tested = share > 0 ? `Only ${percent(share)} of what applies was tested.` : "";
      return [category, `${tested} ${reasons}`.trim() || "No check covers this category."];
    }),
  );
}

interface Failed {
  readonly check: Check;
  readonly subject: Subject;
  readonly verdict: Verdict & { outcome: "fail" };
  readonly evidence: Evidence;
  /** Of a verdict that names several locations. */
  readonly evidenceAt?: (affected: Affected) => Evidence;
}

/** The finding for a failed verdict of a check on a subject. */
export function findingOf(failed: Failed, { context }: Pick<TargetProfile, "context">): Detected {
  const { check, subject, verdict, evidence } = failed;
  const location = verdict.instead.location ?? subject.location;
  const severity = verdict.instead.severity ?? severityIn(check, context);
  const id = instanceId(check.id, location);
  const { pointer } = verdict.instead;
  const observed = redactText(verdict.observed, 500);
  return {
    category: check.category,
    severity,
    title: check.title,
    explanation: check.description,
    remediation: check.remediation,
    id,
    check: check.id,
    confidence: verdict.instead.confidence ?? check.confidence,
    location,
    ...(id !== instanceId(check.id, subject.location) && { subject: subject.location }),
    observed,
    evidence: pointer === undefined ? evidence : readAt(check, pointer),
    ...instancesIn(failed, severity),
    references: referencesAt(severity, check.references),
  };
}

const readAt = ({ rule }: Check, pointer: string): Evidence => ({ rule, exchanges: [], curl: "", pointer });

function instancesIn(
  { check, subject, verdict, evidenceAt }: Failed,
  defaultSeverity: Severity,
): Pick<Detected, "instances"> {
  const { locations } = verdict.instead;
  if (!locations || !evidenceAt) return {};
  const instances = locations.map((affected): Instance => {
    const { location, severity = defaultSeverity, confidence = check.confidence } = affected;
    return {
      ...{ id: instanceId(check.id, location), check: check.id, category: check.category },
      ...{ title: check.title, severity, confidence, location, subject: subject.location },
      observed: redactText(affected.observed, 500),
      evidence: affected.pointer === undefined ? evidenceAt(affected) : readAt(check, affected.pointer),
    };
  });
  return { instances };
}
