import {
  ANONYMOUS,
  type Caller,
  type Category,
  type Confidence,
  type Expectation,
  type Location,
  type References,
  type ScanContext,
  type Severity,
} from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { DisposableSessions } from "../identities/disposable-sessions.ts";
import type { Probe } from "./probe.ts";
import type { ApiDocument } from "../inventory/api-document.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Calibration } from "../oracles/not-found.ts";
import type { Product } from "../signatures/products.ts";
import type { Loss } from "./supervisor.ts";
import type { ActiveTarget } from "../writes/active-target.ts";
import type { StoredWrite } from "../writes/ledger.ts";

/** What a check examines, one at a time: the host, an operation, a parameter, a file that should not be there. */
export interface Subject {
  readonly location: Location;
  /** The operation that the subject belongs to; counts towards coverage. */
  readonly operation?: Operation;
}

/** A severity, or one for each context where it matters what the API is for. */
export type SeverityByContext =
  | Severity
  | ({ readonly default: Severity } & Partial<Record<ScanContext, Severity>>);

/** A write that a known operation accepted. */
export interface AcceptedWrite extends StoredWrite {
  readonly operation: Operation;
  readonly response: ProbeResponse;
}

/** Three outcomes, so that a missing response never counts as a pass. */
export type Verdict =
  | { readonly outcome: "pass" }
  | { readonly outcome: "fail"; readonly observed: string; readonly instead: Overrides }
  | Inconclusive;

/** `applies` is false where the examination showed that there is nothing to test. */
export type Inconclusive = { readonly outcome: "inconclusive"; readonly applies?: false } & (
  | { readonly cause: Explained; readonly reason: string }
  | { readonly cause: Interruption }
);

/**
 * Causes whose sentence depends on the case: the responses did not decide; a request had no response; a request could have
 * been stored.
 */
export type Explained = "undecided" | "no_response" | "write_refused";

/** Causes outside the check; `reasons.ts` has their sentences. */
export type Interruption =
  | Budget
  | Loss
  | "operation_limit"
  | "response_cut"
  | "crashes"
  | "not_reproduced"
  | "fault"
  | "implausible";

/** What the order of a scan limits as a whole. */
export type Budget = "requests" | "time";

/** Values of one finding that replace its check's. */
export interface Overrides {
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  readonly location?: Location;
  /** JSON pointer to the weakness in the OpenAPI document: the evidence instead of requests. */
  readonly pointer?: string;
  /** All locations of the weakness, where one examination sees it at several; the other values are per location. */
  readonly locations?: readonly Affected[];
}

/** One of several locations at which one examination saw a weakness. */
export interface Affected {
  readonly location: Location;
  readonly observed: string;
  /** Default: the check's. */
  readonly severity?: Severity;
  readonly confidence?: Confidence;
  /** Requests of the examination whose exchanges are the evidence of this location. */
  readonly requests: readonly ProbeRequest[];
  /**
   * JSON pointer into the OpenAPI document, of a location that is read there and was not called: the evidence instead of requests.
   */
  readonly pointer?: string;
}

/** The test ran, and the weakness was not observed. */
export const pass = (): Verdict => ({ outcome: "pass" });
/** The weakness was observed; `observed` completes the description with the details of this subject. */
export const fail = (observed: string, instead: Overrides = {}): Verdict => ({
  outcome: "fail",
  observed,
  instead,
});
/** Neither pass nor fail: the reason explains why. */
export const inconclusive = (reason: string): Verdict => ({
  outcome: "inconclusive",
  cause: "undecided",
  reason,
});
/** Neither pass nor fail, for a cause outside the check. */
export const interrupted = (cause: Interruption): Verdict => ({ outcome: "inconclusive", cause });
/** The examination showed that the check does not apply to this subject: the subject does not count towards coverage. */
export const notApplicable = (reason: string): Verdict => ({
  outcome: "inconclusive",
  cause: "undecided",
  reason,
  applies: false,
});

/** What every check declares; its documentation and its findings are made of it. */
interface Description {
  /** `<category folder>/<name>`, the path of its file below `checks/`. */
  readonly id: string;
  readonly category: Category;
  /** The finding's title. */
  readonly title: string;
  readonly severity: SeverityByContext;
  readonly confidence: Confidence;
  /** What the weakness is and what an attacker gains. */
  readonly description: string;
  /** The rule of evidence: what must be observed for a finding, in one sentence. */
  readonly rule: string;
  /** The control: the request (or second observation) that must give a different result, in one sentence. */
  readonly control: string;
  readonly remediation: string;
  readonly references: References;
  /**
   * `ANONYMOUS` where the weakness is what anybody gets without credentials. Default: that of its category and kind
   * (`callerOf`).
   */
  readonly caller?: typeof ANONYMOUS;
  /** Writes to what the scan created, in active mode only; names the caller of each request. */
  readonly active?: true;
  /** Why there may be nothing to examine: a sentence for the report. */
  readonly notApplicable: string;
}

/** Observes one response. Called for every response of the scan; sends no requests. */
type Observe = (response: ProbeResponse, seen: Seen) => Observation | undefined;

/** A check that examines its subjects one at a time. `Memory` is what its examinations share during one scan. */
interface Examining<S extends Subject, Memory> extends Description {
  /** How likely the weakness is on this subject, relative to one without any hint: 1 unless given. */
  readonly prior?: (subject: S) => number;
  /** Approximate number of requests for one subject; 3 unless given. */
  readonly cost?: number;
  /**
   * All subjects of the check on this target, the most likely first; empty when it does not apply. Called again
   * when the scan has discovered operations. The engine decides which subjects the budget allows.
   */
  readonly subjects: (profile: TargetProfile) => readonly S[];
  /** Called once in each scan. */
  readonly memory?: () => Memory;
  readonly examine: (subject: S, probe: Probe, memory: Memory) => Promise<Verdict>;
}

/** How a check that examines subjects works, and what only such a check has. */
type Kind<S extends Subject> =
  /** A row of a table (`group`) of what must not be served. */
  | {
      readonly kind: "exposure";
      readonly group: string;
      /** The product that the row detects: a host that appears to run many products returns a success for any request. */
      readonly product?: string;
      readonly observe?: Observe;
    }
  /** The response (or the document, or the certificate) is the proof by itself; no other request can be its control. */
  | { readonly kind: "passive"; readonly observe?: Observe }
  /**
   * Payloads at an insertion point. The one that `opens` examines each insertion point before any other does: the responses
   * to its payloads decide which of the others come next.
   */
  | { readonly kind: "injection"; readonly opens?: true }
  /**
   * An injection that is proven by delays, and examined alone. `screen` is a first look while other tests run: undefined
   * where the subject must be examined alone; a verdict otherwise, which must not be a failure.
   */
  | {
      readonly kind: "timed";
      readonly screen: (subject: S, probe: Probe) => Promise<Verdict | undefined>;
    }
  /** An attack and its control get different responses. */
  | { readonly kind: "differential"; readonly observe?: Observe }
  /** A request that is refused is accepted once it is changed. */
  | { readonly kind: "bypass" }
  /** One request is sent as several callers; each request names its caller. */
  | { readonly kind: "comparison" }
  /** Runs alone after everything else, because it may get the scan throttled or needs what all others have learned. */
  | { readonly kind: "burst" };

export type ExaminingCheck<S extends Subject = Subject, Memory = unknown> = Examining<S, Memory> & Kind<S>;

/** A check without requests: it observes the responses to requests of other checks. */
export interface ObservationCheck extends Description {
  readonly kind: "observation";
  readonly observe: Observe;
}

/** Reports requests that crash the target; the engine finds them among the requests of other checks. */
export interface CrashCheck extends Description {
  readonly kind: "crash";
}

/** Reports writes that were accepted; the engine finds them among the requests of all checks. */
export interface WriteCheck extends Description {
  readonly kind: "write";
  readonly appliesTo: (operation: Operation) => boolean;
  /** What the accepted write shows; undefined where nothing is wrong with it. */
  readonly judge: (write: AcceptedWrite) => Observation | undefined;
}

/**
 * A check describes one weakness: the subjects that it applies to and how one subject is examined. The engine does
 * the rest: it sends requests (scope, pace, budget), records evidence, examines each failure again with fresh
 * requests and reports it only when it fails again, and reports network errors as `inconclusive`.
 */
export type Check = ExaminingCheck | ObservationCheck | CrashCheck | WriteCheck;

/** A check that also observes, or only. */
export type ObservingCheck = Extract<Check, { readonly observe?: Observe }>;

export const isExamining = (check: Check): check is ExaminingCheck => "examine" in check;

/** What the check examines on this target; nothing where the engine looks for its weakness by itself. */
export const subjectsOf = (check: Check, profile: TargetProfile): readonly Subject[] =>
  isExamining(check) ? check.subjects(profile) : [];

/** Of these categories a check tests the guard in front of an operation, which callers with credentials pass. */
const TESTS_THE_GUARD: ReadonlySet<Category> = new Set([
  "authentication",
  "bolaAuthorization",
  "bflaAuthorization",
]);

/** The caller of a check's requests that name none; undefined for the baseline caller of the scan. */
export const callerOf = ({ category, kind, caller, active }: Check): string | undefined => {
  const testsTheGuard = TESTS_THE_GUARD.has(category) && kind !== "comparison" && !active;
  return caller ?? (testsTheGuard || kind === "exposure" ? ANONYMOUS : undefined);
};

/** The table that the check is a row of. */
export const groupOf = (check: Check): string | undefined =>
  check.kind === "exposure" ? check.group : undefined;

/** The context of an observed response. */
export interface Seen {
  readonly profile: TargetProfile;
  /** The operation that was called, if it is known. */
  readonly operation: Operation | undefined;
  /**
   * The response shows what the API gives to anybody: the request was a baseline request without credentials, or it failed. False
   * where data may be
   * there because an attack succeeded, which the check of the attack reports.
   */
  readonly isBaseline: boolean;
}

/** What a check observed in one response. */
export interface Observation extends Overrides {
  /** Completes the description with the details of this response. */
  readonly observed: string;
  /** The texts that prove it. Texts that the request itself contained are not proof: the response only reflects them. */
  readonly values?: readonly string[];
}

/**
 * Declares a check that examines subjects. Their type is inferred from `subjects` and then dropped: the engine passes to a
 * check only the subjects that it returned, and the memory that it made.
 */
export const defineCheck = <S extends Subject, Memory = undefined>(
  check: ExaminingCheck<S, Memory>,
): ExaminingCheck => check as unknown as ExaminingCheck;

/** Declares a check that only observes. A second response to the same request must show the same weakness. */
export const defineObservation = (
  check: Omit<ObservationCheck, "kind" | "control" | "notApplicable">,
): ObservationCheck => ({
  ...check,
  kind: "observation",
  control: "None: the response itself is the proof.",
  notApplicable: "The target did not respond.",
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
  /** The target's response to a GET of it. */
  readonly entry: ProbeResponse;
  /** The target as a whole, for checks that do not concern a single operation. */
  readonly host: Subject;
  /** Grows during the scan, as operations are found. */
  readonly operations: readonly Operation[];
  /** Operations that are never called, because by name or description they delete, reset, stop or sign out. */
  readonly neverCalled: readonly Operation[];
  readonly document: ApiDocument | undefined;
  readonly calibration: Calibration;
  /** Products that its first responses name. */
  readonly products: ReadonlySet<Product>;
  readonly context: ScanContext | undefined;
  /** Of an active scan. */
  readonly active?: ActiveTarget | undefined;
  /** The identities of the scan. */
  readonly callers: readonly Caller[];
  /** The caller of requests that name none: one of the identities, or `ANONYMOUS`. */
  readonly baselineCaller: string;
  /** Further sessions of the identities, which a check may end. */
  readonly sessions: DisposableSessions;
  /** What roles and identities must and must not reach. */
  readonly expectations: readonly Expectation[];
}
