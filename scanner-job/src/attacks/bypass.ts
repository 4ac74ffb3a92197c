import {
  defineCheck,
  fail,
  pass,
  type ExaminingCheck,
  type Overrides,
  type Subject,
} from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isSuccess } from "../oracles/classify.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { whereRefused } from "./refusals.ts";

/**
 * A read that may be refused: an operation, or a subject that belongs to one. `caller` is the identity that is refused; without it,
 * callers without credentials are.
 */
export type GuardedRead = Operation | (Subject & { readonly operation: Operation; readonly caller?: string });

/** The refused request, changed in one way. */
export interface Variant {
  /** After "With". */
  readonly label: string;
  readonly request: ProbeRequest;
  /** Whether the response is more than a refusal; a success that is not a page unless given. */
  readonly isAccepted?: (response: ProbeResponse) => boolean;
  /** Sends the controls: whether they show that this change alone got past the refusal. */
  readonly isProven: (response: ProbeResponse) => Promise<boolean>;
  /** What was observed, where the label and the two statuses do not say it. */
  readonly observe?: (response: ProbeResponse) => { readonly observed: string } & Overrides;
}

/** The description of a way around a refusal. */
interface Bypass<S extends GuardedRead> extends Omit<
  ExaminingCheck<S, undefined>,
  "kind" | "memory" | "examine"
> {
  /** The likeliest first. */
  readonly variants: (
    subject: S,
    refused: ProbeResponse,
    probe: Probe,
  ) => readonly Variant[] | Promise<readonly Variant[]>;
}

/** Declares a check of the form "refused, then accepted after a change". */
export const defineBypass = <S extends GuardedRead>({ variants, ...bypass }: Bypass<S>): ExaminingCheck =>
  defineCheck<S>({
    ...bypass,
    kind: "bypass",
    examine: (subject, probe) =>
      whereRefused(probe, subject, async (refused) => {
        for (const variant of await variants(subject, refused, probe)) {
          const { label, request, isAccepted = returnsData, isProven, observe } = variant;
          const response = await probe.attack(request);
          if (!isAccepted(response) || !(await isProven(response))) continue;
          const { observed, ...instead } = observe?.(response) ?? {
            observed: `With ${label}, the status was ${response.status} instead of ${refused.status}.`,
          };
          return fail(observed, instead);
        }
        return pass();
      }),
  });

const returnsData = (response: ProbeResponse): boolean =>
  isSuccess(response) && response.mediaType !== "text/html";
