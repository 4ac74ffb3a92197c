import { ANONYMOUS, type Evidence } from "@glovebox/contract";
import type { ProbeRequest } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import {
  callerOf,
  interrupted,
  type Affected,
  type Check,
  type ExaminingCheck,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "./check.ts";
import { optional } from "../json.ts";
import { evidenceOf } from "./evidence.ts";
import { observe, type Suspicion } from "./observer.ts";
import type { RecordedProbe } from "./probe.ts";
import { calls, farthest, reachOf, type Reach } from "./reach.ts";
import { withoutResponse } from "./reasons.ts";
import { findingOf } from "./report.ts";
import type { Result } from "./result.ts";
import type { Confirmation, Examination, Task } from "./task.ts";

export interface ExaminerDeps {
  readonly profile: TargetProfile;
  /** The second examination shares no response with the first. */
  readonly probe: (pass: 1 | 2, subject: Subject, caller?: string) => RecordedProbe;
  /** What the examinations of the check share in this scan. */
  readonly memoryOf: (check: ExaminingCheck) => unknown;
  /** Called with errors thrown by a check; the scan continues. */
  readonly onFault: (check: Check, error: unknown) => void;
}

/** The memory of each check, made when it is first needed. */
export function memories(): ExaminerDeps["memoryOf"] {
  const known = new Map<ExaminingCheck, unknown>();
  return (check) => {
    if (!known.has(check)) known.set(check, check.memory?.());
    return known.get(check);
  };
}

/**
 * The result of a task. Undefined for one that was screened and must be examined alone: it is given again, with
 * `alone`.
 */
export async function examineTask(task: Task, deps: ExaminerDeps): Promise<Result | undefined> {
  if (task.suspicion || task.check.kind !== "timed" || task.alone) return examineTwice(task, deps);
  const { check, subject } = task;
  const { screen } = task.check;
  const recorded = deps.probe(1, subject, callerOf(check));
  const said = await guarded(check, deps, () => screen(subject, recorded.probe));
  const verdict = said && onWholeResponses(said, recorded);
  const lost = lostAt(recorded.lostRequests.at(-1), recorded);
  const reach = reachIn(task, recorded, deps);
  const sent = recorded.sent();
  return verdict && { check, subject, verdict, reach, sent, ...calledAs(check, deps), ...lost };
}

/** Examines once; what fails is examined again with fresh requests, and counts only when it fails again. */
async function examineTwice(task: Task, deps: ExaminerDeps): Promise<Result> {
  const { check, subject } = task;
  const first = await firstExamination(task, deps);
  const { verdict, reach, lostRequest, sent } = first;
  const called = { reach, ...optional("sent", sent), ...calledAs(check, deps) };
  if (verdict.outcome !== "fail")
    return { check, subject, verdict, ...called, ...lostAt(lostRequest, first) };

  const second = deps.probe(2, subject, callerOf(check));
  const again = task.suspicion
    ? await confirm(task, { second, profile: deps.profile })
    : await examine(task, second, deps);
  if (again.outcome !== "fail") {
    const lost = lostAt(second.lostRequests.at(-1), first, second);
    return { check, subject, verdict: unconfirmedBy(again), ...called, ...lost };
  }
  const location = verdict.instead.location ?? subject.location;
  const evidence = evidenceOf({ rule: check.rule, location }, first.exchanges, second.exchanges);
  const evidenceAt = (affected: Affected): Evidence =>
    evidenceOf(
      { rule: check.rule, location: affected.location },
      exchangesOf(affected, first.exchanges),
      exchangesOf(affected, second.exchanges),
    );
  const finding = findingOf({ check, subject, verdict, evidence, evidenceAt }, deps.profile);
  return { check, subject, verdict, ...called, finding };
}

/** The caller of the check's requests, where it is an identity. */
function calledAs(check: Check, { profile }: ExaminerDeps): Pick<Result, "caller"> {
  const caller = callerOf(check) ?? profile.baselineCaller;
  return caller === ANONYMOUS ? {} : { caller };
}

/** What was seen once applies, even where the second examination found nothing to test. */
function unconfirmedBy(second: Exclude<Verdict, { outcome: "fail" }>): Verdict {
  if (second.outcome === "pass") return interrupted("not_reproduced");
  const { applies: _, ...open } = second;
  return open;
}

/** The exchanges of the requests that prove the weakness at a location. */
function exchangesOf(
  { requests }: Affected,
  recorded: RecordedProbe["exchanges"],
): RecordedProbe["exchanges"] {
  const key = ({ method, url, headers, body }: ProbeRequest): string =>
    JSON.stringify([method, url, headers, body]);
  const own = new Set(requests.map(key));
  return recorded.filter(({ request }) => own.has(key(request)));
}

const lostAt = (
  lostRequest: ProbeRequest | undefined,
  ...examinations: readonly Pick<RecordedProbe, "exchanges">[]
): Pick<Result, "lostRequest"> =>
  lostRequest === undefined
    ? {}
    : {
        lostRequest: {
          request: lostRequest,
          responses: examinations.flatMap(({ exchanges }) => exchanges).length,
        },
      };

interface FirstExamination {
  readonly verdict: Verdict;
  readonly reach: Reach;
  readonly exchanges: RecordedProbe["exchanges"];
  /** Undefined for a suspicion. */
  readonly sent?: number;
  readonly lostRequest?: ProbeRequest | undefined;
}

/** For a suspicion, the first examination is the response in which it was observed. */
async function firstExamination(task: Task, deps: ExaminerDeps): Promise<FirstExamination> {
  if (task.suspicion) {
    const { response } = task.suspicion;
    const exchanges = [{ role: "baseline" as const, request: response.request, response }];
    return { verdict: verdictOf(task.suspicion), reach: "untried", exchanges };
  }
  const probe = deps.probe(1, task.subject, callerOf(task.check));
  const verdict = await examine(task, probe, deps);
  const { exchanges, lostRequests } = probe;
  const reach = reachIn(task, probe, deps);
  return { verdict, reach, exchanges, sent: probe.sent(), lostRequest: lostRequests.at(-1) };
}

const verdictOf = ({ observation: { observed, values: _, ...instead } }: Suspicion): Verdict => ({
  outcome: "fail",
  observed,
  instead,
});

/** Sends the request of the observation again, and observes the response. */
async function confirm(
  { check, subject, suspicion: { response } }: Confirmation,
  { second, profile }: { second: RecordedProbe; profile: TargetProfile },
): Promise<Verdict> {
  try {
    const again = await second.probe.baseline(response.request);
    // It is a baseline request if the suspicion's was, or else it would not have been observed.
    const seen = { profile, operation: subject.operation, isBaseline: true };
    const observation = observe(check, again, seen);
    return observation ? verdictOf({ response: again, observation }) : { outcome: "pass" };
  } catch (error) {
    if (error instanceof NetworkError) return withoutResponse(error);
    throw error;
  }
}

function reachIn({ subject: { operation } }: Task, { exchanges }: RecordedProbe, deps: ExaminerDeps): Reach {
  if (!operation) return "untried";
  const own = exchanges.filter(({ request }) => calls(request, operation));
  return farthest(own.map(({ response }) => reachOf(response, operation, deps.profile.calibration)));
}

async function examine(
  { check, subject }: Examination,
  recorded: RecordedProbe,
  deps: ExaminerDeps,
): Promise<Verdict> {
  const { probe, exchanges } = recorded;
  const verdict = await guarded(check, deps, async () => {
    const verdict = await check.examine(subject, probe, deps.memoryOf(check));
    if (
      verdict.outcome === "fail" &&
      check.kind !== "passive" &&
      !exchanges.some(({ role }) => role === "control")
    ) {
      throw new Error(`${check.id} found something without a control`);
    }
    return verdict;
  });
  return onWholeResponses(verdict, recorded);
}

/** Nothing is concluded from a response of which a part had been cut when it was read. */
function onWholeResponses(verdict: Verdict, { hasReadCut }: RecordedProbe): Verdict {
  const isOpen = verdict.outcome === "inconclusive" && verdict.applies !== false;
  return !isOpen && hasReadCut() ? interrupted("response_cut") : verdict;
}

/** What the check says; inconclusive where no response arrived, or where the check itself is at fault. */
async function guarded<Said extends Verdict | undefined>(
  check: Check,
  deps: Pick<ExaminerDeps, "onFault">,
  look: () => Promise<Said>,
): Promise<Said | Verdict> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof NetworkError) return withoutResponse(error);
    deps.onFault(check, error);
    return interrupted("fault");
  }
}
