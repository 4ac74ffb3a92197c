import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type ExaminingCheck,
  type TargetProfile,
  type Verdict,
} from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation, Parameter } from "../inventory/operation.ts";
import { isOwnForm } from "../inventory/sign-in.ts";
import { isBlocked, isDenied, isSuccess } from "../oracles/classify.ts";
import type { Language } from "../signatures/language-errors.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { newProduct, type Product } from "./evaluation.ts";
import { inserting, insertionPoints, isSignInName, baseValueOf } from "./insertion-points.ts";
import { isSuspicious, benignValueAt } from "./screening.ts";
import type { ParameterSubject } from "./subjects.ts";

/** What the texts of an attack and of its control are made of; all but `baseValue` is new in each attempt. */
export interface Ingredients {
  /** The value that the baseline request has there. */
  readonly baseValue: string;
  /** Sixteen letters. */
  readonly nonce: string;
  readonly product: Product;
}

/** One payload, and what proves that the server interpreted it as more than a value. */
export interface Attempt {
  readonly payload: (from: Ingredients) => string;
  /** A similar text without the part that attacks: its response must not prove the same. */
  readonly control: (from: Ingredients) => string;
  /**
   * What the response proves, as a sentence; undefined where it proves nothing. `baseline` is the response to the baseline request.
   */
  readonly proof: (response: ProbeResponse, from: Ingredients, baseline: ProbeResponse) => string | undefined;
  /** Sent only where signs of a language get different responses from benign letters (`true`), or where the weakness is likely. */
  readonly deep?: true | "likely";
  /** Sent only where this holds. */
  readonly where?: (point: Point) => boolean;
  /** Sent only where a benign value gets such a response, or where the weakness is likely. */
  readonly ifBenign?: (response: ProbeResponse) => boolean;
}

/** An insertion point, and what is known of it when its attempts begin. */
export interface Point extends ParameterSubject {
  readonly baseValue: string;
  /** The baseline response, regardless of its status: only what differs from it counts. */
  readonly baseline: ProbeResponse;
  readonly language: Language | undefined;
  /** The weakness is likely there, by its name and location. */
  readonly isLikely: boolean;
}

interface Common extends Omit<
  ExaminingCheck<ParameterSubject>,
  "kind" | "category" | "subjects" | "examine" | "memory" | "prior"
> {
  /** It examines each insertion point before the other checks do. */
  readonly opens?: true;
  readonly into: (parameter: Parameter, operation: Operation) => boolean;
  /** How likely the weakness is there, by its name and location. Default: 1. From `LIKELY` on, deep attempts are sent too. */
  readonly prior?: (parameter: Parameter, operation: Operation) => number;
  /** Points that are examined at most, where each takes long. */
  readonly max?: number;
  /** The language that a value becomes a part of: where a response has an error of another language, less is tried. */
  readonly language?: Language;
  /** True for the few attacks that are also sent instead of the user name of a sign-in. */
  readonly atSignIn?: true;
}

/** The description of one injection: a table of attempts, or a separate examination. */
export type Injection = Common &
  (
    | { readonly attempts: readonly Attempt[] }
    | {
        readonly examine: (point: Point, probe: Probe) => Promise<Verdict | undefined>;
        /** Of what is proven by delays: whether the point, after a look while other tests run, must be examined alone. */
        readonly mustExamine?: (point: Point, probe: Probe) => Promise<boolean>;
      }
  );

/** From this likelihood on, everything is tried. */
const LIKELY = 2;

/**
 * Declares a check of what a value leads to. The engine's part: the insertion points, the baseline request, responses that
 * prove nothing, and the control of each attempt.
 */
export function defineInjection({
  into,
  prior,
  atSignIn,
  language,
  max,
  ...injection
}: Injection): ExaminingCheck {
  const likelihood = ({ parameter, operation }: ParameterSubject): number =>
    prior?.(parameter, operation) ?? 1;
  const lookWith =
    <Found extends Verdict | "examine">(look: Look<Found>) =>
    (subject: ParameterSubject, probe: Probe): Promise<Found | Verdict> =>
      examinePoint(subject, probe, { look, language, isLikely: likelihood(subject) >= LIKELY });
  const check = {
    ...injection,
    category: "inputValidation",
    prior: likelihood,
    subjects: (profile: TargetProfile) =>
      insertionPoints(
        profile,
        (parameter, operation) =>
          into(parameter, operation) && (atSignIn === true || !isSignInName(parameter, operation)),
      ).slice(0, max),
    examine: lookWith<Verdict>((point, probe) =>
      "attempts" in injection
        ? tryAttempts(injection.attempts, point, probe)
        : injection.examine(point, probe),
    ),
  } as const;
  if (!("mustExamine" in injection) || !injection.mustExamine)
    return defineCheck<ParameterSubject>({ ...check, kind: "injection" });
  const { mustExamine } = injection;
  const screen = lookWith<"examine">(async (point, probe) =>
    (await mustExamine(point, probe)) ? "examine" : undefined,
  );
  return defineCheck<ParameterSubject>({
    ...check,
    kind: "timed",
    async screen(subject, probe) {
      const verdict = await screen(subject, probe);
      return verdict === "examine" ? undefined : verdict;
    },
  });
}

/** Undefined where nothing is found. */
type Look<Found> = (point: Point, probe: Probe) => Promise<Found | undefined>;

/** The verdict on one insertion point: what `look` finds there, or else what its responses come to. */
async function examinePoint<Found>(
  subject: ParameterSubject,
  probe: Probe,
  { look, ...known }: { readonly look: Look<Found> } & Pick<Point, "language" | "isLikely">,
): Promise<Found | Verdict> {
  const watched = watching(probe);
  const baseValue = await baseValueOf(probe, subject);
  const baseline = await watched.probe.baseline(await inserting(probe, subject, baseValue));
  if (isBlocked(baseline)) return inconclusive(REFUSED);
  if (!subject.operation.isRead && (isSuccess(baseline) || baseline.redirectTarget))
    return inconclusive("The operation accepts invalid writes, so no payload is sent to it.");
  const found = await look({ ...subject, baseValue, baseline, ...known }, watched.probe);
  return found ?? verdictOf(subject.operation, baseline, watched.responses);
}

/** The probe, and all its responses. */
function watching(probe: Probe): { readonly probe: Probe; readonly responses: readonly ProbeResponse[] } {
  const responses: ProbeResponse[] = [];
  const recording =
    (send: Probe["attack"]): Probe["attack"] =>
    async (request) => {
      const response = await send(request);
      responses.push(response);
      return response;
    };
  return {
    responses,
    probe: {
      ...probe,
      throttled: probe.throttled,
      attack: recording(probe.attack),
      control: recording(probe.control),
      baseline: recording(probe.baseline),
    },
  };
}

/** Nothing was proven: a pass where the handler responded, and inconclusive where something else did. */
function verdictOf(
  operation: Operation,
  baseline: ProbeResponse,
  responses: readonly ProbeResponse[],
): Verdict {
  if (responses.some((response) => isRefused(response, baseline))) return inconclusive(REFUSED);
  if (responses.every((response) => isDenied(response) && !isOwnForm(response, operation)))
    return inconclusive("The operation requires credentials.");
  if (responses.every(({ status }) => status >= 500))
    return inconclusive(`The baseline request returned status ${baseline.status}.`);
  return pass();
}

const REFUSED = "A firewall or a rate limit blocked the request.";

const ALWAYS = "Benign values get the same response.";

/** Something before the API refused what differs from the baseline request. */
export const isRefused = (response: ProbeResponse, baseline: ProbeResponse): boolean =>
  isBlocked(response) || ([403, 406].includes(response.status) && response.status !== baseline.status);

/** Sends the attempts one after the other until one proves something; undefined where none does. */
export async function tryAttempts(
  attempts: readonly Attempt[],
  point: Point,
  probe: Probe,
): Promise<Verdict | undefined> {
  for (const attempt of attempts) {
    if (!(await isWorthwhile(attempt, point, probe))) continue;
    const { payload, control, proof } = attempt;
    const from = ingredients(probe, point);
    const response = await probe.attack(await inserting(probe, point, payload(from)));
    const seen = proof(response, from, point.baseline);
    if (seen === undefined || isBlocked(response)) continue;
    if (proof(point.baseline, from, point.baseline) !== undefined) return inconclusive(ALWAYS);
    const harmless = await probe.control(await inserting(probe, point, control(from)));
    return proof(harmless, from, point.baseline) === undefined ? fail(seen) : inconclusive(ALWAYS);
  }
  return undefined;
}

/** Whether an attempt is sent at this point. */
export async function isWorthwhile(
  { deep, where, ifBenign }: Pick<Attempt, "deep" | "where" | "ifBenign">,
  point: Point,
  probe: Probe,
): Promise<boolean> {
  if (where && !where(point)) return false;
  if (point.isLikely) return true;
  if (ifBenign && !ifBenign(await benignValueAt(probe, point))) return false;
  return deep === undefined || (deep === true && (await isSuspicious(probe, point, point.language)));
}

const ingredients = (probe: Probe, { baseValue }: Point): Ingredients => ({
  baseValue,
  nonce: probe.nonce(),
  product: newProduct(),
});
