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
import type { Reply } from "../transport/exchange.ts";
import { ordinaryReplies, overTls, theHost } from "./subjects.ts";

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
  readonly otherwise: (replies: readonly Reply[]) => Verdict;
} & (
    | {
        /** What is wrong with a response. One is enough, of all responses of the scan. */
        readonly flawIn: (reply: Reply) => string | undefined;
      }
    | {
        /** A response as it should be. One is enough. */
        readonly isGood: (reply: Reply) => boolean;
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
    ...("flawIn" in row && {
      observe: (reply, { profile }) => {
        const observed = row.flawIn(reply);
        return observed === undefined ? undefined : { observed, location: profile.host.location };
      },
    }),

    async examine(_, probe) {
      const replies: Reply[] = [];
      for await (const reply of ordinaryReplies(probe, samples)) {
        if ("isGood" in row) {
          if (row.isGood(reply)) return pass();
        } else {
          const flaw = row.flawIn(reply);
          if (flaw !== undefined) return fail(flaw);
        }
        replies.push(reply);
      }
      return otherwise(replies);
    },
  });
}

/** For flaws of session cookies: a pass where one was set. */
export function passWhereSet(replies: readonly Reply[], isSet: (reply: Reply) => boolean): Verdict {
  if (replies.some(isSet)) return pass();
  return replies.every(isBlocked)
    ? inconclusive(BLOCKED)
    : notApplicable("No session cookie was set, because the scan did not sign in.");
}
