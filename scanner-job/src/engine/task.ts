import type { ExaminingCheck, ObservingCheck, Subject } from "./check.ts";
import type { Suspicion } from "./observer.ts";

/** One check on one subject. */
export interface Examination {
  readonly check: ExaminingCheck;
  readonly subject: Subject;
  readonly suspicion?: undefined;
  /** Screened before, and to be examined while nothing else is sent. */
  readonly alone?: true;
}

/** An observation in one response, which a second response must confirm. */
export interface Confirmation {
  readonly check: ObservingCheck;
  readonly subject: Subject;
  readonly suspicion: Suspicion;
}

export type Task = Examination | Confirmation;
