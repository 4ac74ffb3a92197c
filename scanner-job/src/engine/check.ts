import type { Category, Confidence, Location, References, ScanContext, Severity } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { Probe } from "./probe.ts";
import type { ApiDocument } from "../inventory/api-document.ts";
import type { Reply } from "../transport/exchange.ts";
import type { Calibration } from "../oracles/not-found.ts";

/** What a check looks at, one at a time: the host, an operation, a parameter, a file that should not be there. */
export interface Subject {
  readonly location: Location;
  /** The operation that the subject belongs to; counts towards coverage. */
  readonly operation?: Operation;
}

/** A severity, or one for each context where it matters what the API is for. */
export type SeverityByContext =
  | Severity
  | ({ readonly default: Severity } & Partial<Record<ScanContext, Severity>>);

/** Three outcomes, so that silence is never mistaken for safety. */
export type Verdict =
  | { readonly outcome: "pass" }
  | { readonly outcome: "fail"; readonly observed: string; readonly instead: Overrides }
  | { readonly outcome: "inconclusive"; readonly reason: string; readonly applies?: false };

/** Where one instance of a finding differs from what its check says of all. */
export interface Overrides {
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly location?: Location;
  /** Where the weakness was read in the document, as JSON pointer: it stands in place of requests. */
  readonly pointer?: string;
}

/** Nothing wrong was seen, and it would have been. */
export const pass = (): Verdict => ({ outcome: "pass" });
/** The weakness was seen; `observed` completes the description with what was seen here. */
export const fail = (observed: string, instead: Overrides = {}): Verdict => ({
  outcome: "fail",
  observed,
  instead,
});
/** Neither: the reason tells the reader why not. */
export const inconclusive = (reason: string): Verdict => ({ outcome: "inconclusive", reason });
/** There is nothing of the kind on this target, as turned out in the examination: it is not missing from the coverage. */
export const notApplicable = (reason: string): Verdict => ({
  outcome: "inconclusive",
  reason,
  applies: false,
});

/**
 * A check is the description of one attack. It says what it is, whom it concerns and how one subject is examined;
 * the engine does the rest: it sends (scope, pace, budget), keeps the evidence, repeats whatever failed with fresh
 * requests and reports it only when it fails again, and turns silence of the network into `inconclusive`.
 */
export interface Check<S extends Subject = Subject> {
  /** `<category folder>/<name>`, the path of its file below `checks/`. */
  readonly id: string;
  readonly category: Category;
  /** The table that it is a row of, where many checks differ by data alone: a heading of the documentation. */
  readonly group?: string;
  /** The software that it is about: one host that shows something of many shows whatever it is asked for. */
  readonly product?: string;
  /** The finding's title. */
  readonly title: string;
  readonly severity: SeverityByContext;
  readonly confidence: Confidence;
  /** What the weakness is and what it leads to. */
  readonly description: string;
  /** The rule of evidence: what must be seen for a finding, in one sentence. */
  readonly rule: string;
  /** The request (or second look) that must come out otherwise, in one sentence. */
  readonly control: string;
  readonly remediation: string;
  readonly references: References;
  /** True when the answer itself is the proof and no other request can be its control: a header, a certificate. */
  readonly passive?: true;
  /** True for the check that reports requests which end the target; the engine finds them in the tests of others. */
  readonly reportsCrashes?: true;
  /** True for bursts, which run after everything else because they may get the scan throttled. */
  readonly last?: true;
  /** How likely the weakness is on this subject, beside one of which nothing is known: 1 unless given. */
  readonly prior?: (subject: S) => number;
  /** Requests that the examination of one subject takes, about; 3 unless given. */
  readonly cost?: number;
  /**
   * What it concerns on this target, all of it, the most telling first; nothing when it does not apply. Asked again
   * whenever the scan has found new operations. The engine decides which of them the budget allows.
   */
  readonly subjects: (profile: TargetProfile) => readonly S[];
  /** Why there may be nothing to examine: a sentence for the report. */
  readonly notApplicable: string;
  readonly examine: (subject: S, probe: Probe) => Promise<Verdict>;
  /** It examines no subjects: what it says of an operation rests on the answers alone. */
  readonly onlyObserves?: true;
  /** What is to be seen in one answer, whatever it was sent for. Called for every answer of the scan; sends nothing. */
  readonly observe?: (reply: Reply, seen: Seen) => Observation | undefined;
}

/** Where an answer was seen. */
export interface Seen {
  readonly profile: TargetProfile;
  /** The operation that was called, if it is one that is known. */
  readonly operation: Operation | undefined;
}

/** What a check saw in one answer. */
export interface Observation extends Overrides {
  /** Completes the description with what was seen here. */
  readonly observed: string;
  /** The texts that it rests on: what the request itself had, the answer only repeats. */
  readonly values?: readonly string[];
}

/**
 * Declares a check. The type of its subjects follows from `subjects`, and is then forgotten: the engine only ever
 * gives a check its own subjects back.
 */
export const defineCheck = <S extends Subject>(check: Check<S>): Check => check as unknown as Check;

/** A check that only observes: of every answer of the scan it says what is wrong in it. */
export type ObservationCheck = Omit<
  Check,
  "observe" | "onlyObserves" | "subjects" | "examine" | "passive" | "last" | "control" | "notApplicable"
> &
  Required<Pick<Check, "observe">>;

/** Declares a check that observes. A second answer to the same request must show the same. */
export const defineObservation = (check: ObservationCheck): Check => ({
  ...check,
  control: "None: the answer itself is the proof.",
  notApplicable: "Nothing answered.",
  passive: true,
  onlyObserves: true,
  subjects: () => [],
  examine: () => Promise.resolve(pass()),
});

/** The severity of a check in the context of a scan. */
export function severityIn(
  { severity }: Pick<Check, "severity">,
  context: ScanContext | undefined,
): Severity {
  if (typeof severity === "string") return severity;
  return (context && severity[context]) ?? severity.default;
}

/** What is known of the target before the checks begin. */
export interface TargetProfile {
  /** The submitted address. */
  readonly target: URL;
  /** What the target answered to a GET of it. */
  readonly entry: Reply;
  /** The target as a whole, for checks that look at no single operation. */
  readonly host: Subject;
  /** Grows during the scan, as operations are found. */
  readonly operations: readonly Operation[];
  readonly document: ApiDocument | undefined;
  readonly calibration: Calibration;
  readonly context: ScanContext | undefined;
}
