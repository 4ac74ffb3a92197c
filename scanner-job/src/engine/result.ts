import type { Operation } from "../inventory/operation.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { AccessByCaller } from "./caller-access.ts";
import type { Check, Subject, Verdict } from "./check.ts";
import type { Detected } from "./detected.ts";
import type { Reach } from "./reach.ts";
import type { Read } from "./read-operations.ts";

/** The result of one check on one subject. */
export interface Result {
  readonly check: Check;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** How far the check's requests to the subject's operation got. */
  readonly reach: Reach;
  /** The caller of these requests. Default: `ANONYMOUS`. */
  readonly caller?: string;
  /** Requests that the first examination sent, beside those whose responses it shares. */
  readonly sent?: number;
  /** Set where the verdict is a failure that the second examination confirmed. */
  readonly finding?: Detected;
  /** The last request without a response, of an examination that found nothing, and how many requests of it had one. */
  readonly lostRequest?: { readonly request: ProbeRequest; readonly responses: number };
}

/** The results of the checks, and what the plain read of each operation showed. */
export interface Run {
  readonly results: readonly Result[];
  readonly reads: ReadonlyMap<Operation, Read>;
  /** What each caller got from the plain read of each operation; of none in a scan without identities. */
  readonly access: ReadonlyMap<Operation, AccessByCaller>;
}
