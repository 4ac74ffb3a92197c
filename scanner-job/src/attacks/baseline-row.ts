import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type ExaminingCheck,
  type Subject,
  type Verdict,
} from "../engine/check.ts";
import { BLOCKED, isBlocked } from "../oracles/classify.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { baselineResponses, overTls, theHost } from "./subjects.ts";

/** A weakness of the host that its baseline responses show. The functions are pure. */
type BaselineRow = Omit<
  ExaminingCheck<Subject, undefined>,
  "kind" | "observe" | "control" | "subjects" | "examine" | "memory" | "notApplicable"
> & {
  /** Applies where the target is reached over TLS. */
  readonly overTls?: true;
  /** Number of baseline responses that are judged at most. */
  readonly samples?: number;
  /** What all responses come to, where none decided by itself. */
  readonly otherwise: (responses: readonly ProbeResponse[]) => Verdict;
} & (
    | {
        /** What is wrong with a response. One is enough, of all responses of the scan. */
        readonly weaknessIn: (response: ProbeResponse) => string | undefined;
      }
    | {
        /** A response as it should be. One is enough. */
        readonly isGood: (response: ProbeResponse) => boolean;
      }
  );

/** Declares a check that judges headers of baseline responses, and sends nothing else. */
export function defineBaselineRow({ samples, otherwise, ...row }: BaselineRow): ExaminingCheck {
  const { overTls: needsTls, ...description } = row;
  return defineCheck({
    ...description,
    kind: "passive",
    control: "None: the header itself is the proof.",
    subjects: needsTls ? overTls : theHost,
    notApplicable: needsTls ? "The target is not reached over TLS." : "This check applies to every target.",
    ...("weaknessIn" in row && {
      observe: (response, { profile }) => {
        const observed = row.weaknessIn(response);
        return observed === undefined ? undefined : { observed, location: profile.host.location };
      },
    }),

    async examine(_, probe) {
      const responses: ProbeResponse[] = [];
      for await (const response of baselineResponses(probe, samples)) {
        if ("isGood" in row) {
          if (row.isGood(response)) return pass();
        } else {
          const weakness = row.weaknessIn(response);
          if (weakness !== undefined) return fail(weakness);
        }
        responses.push(response);
      }
      return otherwise(responses);
    },
  });
}

/** For weaknesses of session cookies: a pass where one was set. */
export function passWhereSet(
  responses: readonly ProbeResponse[],
  isSet: (response: ProbeResponse) => boolean,
): Verdict {
  if (responses.some(isSet)) return pass();
  return responses.every(isBlocked)
    ? inconclusive(BLOCKED)
    : notApplicable("No session cookie was set, because the scan did not sign in.");
}
