import { randomInt } from "node:crypto";
import { fail, inconclusive, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import { REPLAYS, ROUNDS } from "../oracles/rounds.ts";
import { featuresOf, sameAs, withoutEcho, type Features } from "../oracles/similarity.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { inserting } from "./insertion-points.ts";
import { isRefused, isWorthwhile, type Attempt, type Point } from "./injection.ts";

/** What the texts of a pair are made of; the numbers are others in each round. */
export interface Values {
  /** The value that the baseline request has there. */
  readonly baseValue: string;
  /** Four digits. */
  readonly one: number;
  /** Another number of four digits. */
  readonly other: number;
}

/**
 * Two texts of one form. If the value becomes a part of a statement, the first means the same as the base value, and
 * the second something else; if not, they mean as much as each other. Both have the same length and the same classes of
 * characters, or else a validation tells them apart.
 */
export interface Pair extends Pick<Attempt, "deep" | "where"> {
  readonly same: (values: Values) => string;
  readonly different: (values: Values) => string;
  /** A third text, which means something else for another reason than `different`, and replaces it in every second round. */
  readonly third?: (values: Values) => string;
  /** What is proven by such responses to both, as a sentence. */
  readonly observed: string;
  /** What else the response to the second text must be. */
  readonly needs?: (response: ProbeResponse) => boolean;
}

/**
 * Whether one of the pairs decides the response. The baseline response may have any status: a refusal, a missing object or an
 * empty list is as good to compare with as a full one. Compared is what is the same in three baseline responses; both texts
 * must do the same in each of several rounds.
 */
export async function examinePairs(
  point: Point,
  probe: Probe,
  pairs: readonly Pair[],
): Promise<Verdict | undefined> {
  let asked: Promise<IsBaseline> | undefined;
  const ofBaseline = (): Promise<IsBaseline> => (asked ??= baselineFeatures(point, probe));
  for (const pair of pairs) {
    if ((await isWorthwhile(pair, point, probe)) && (await decides(pair, point, { probe, ofBaseline })))
      return fail(pair.observed);
  }
  return undefined;
}

type IsBaseline = ReturnType<typeof sameAs>;

/** What is the same in the baseline response and its repeats; the pairs of one examination share them. */
async function baselineFeatures({ baseline }: Point, probe: Probe): Promise<IsBaseline> {
  const replays: Features[] = [];
  while (replays.length < REPLAYS) replays.push(featuresOf(await probe.again(baseline.request)));
  return sameAs([featuresOf(baseline), ...replays]);
}

async function decides(
  pair: Pair,
  point: Point,
  { probe, ofBaseline }: { probe: Probe; ofBaseline: () => Promise<IsBaseline> },
): Promise<boolean> {
  const texts = textsOf(pair, point, probe);
  const same = await texts.same(0);
  const different = same && (await texts.different(0));
  if (!different || sameAs([featuresOf(point.baseline)])(different)) return false;
  const isBaseline = await ofBaseline();
  if (!isBaseline(same) || isBaseline(different)) return false;
  const compared = await compareInRounds({
    same: async (round) => isFeatures(await texts.same(round), isBaseline),
    different: async (round) => isFeatures(await texts.different(round), (features) => !isBaseline(features)),
  });
  return compared === "apart";
}

const isFeatures = (features: Features | undefined, is: IsBaseline): boolean =>
  features !== undefined && is(features);

/** Two kinds of request. Each tells whether the response in a round is as expected of its kind. */
export interface Expected {
  readonly same: (round: number) => Promise<boolean>;
  readonly different: (round: number) => Promise<boolean>;
}

/**
 * Sends both in each round, in random order: servers that take turns, or change with time, keep no such order. The first
 * response that is not as expected ends the comparison.
 */
export async function compareInRounds(
  expected: Expected,
  rounds: number = ROUNDS - 1,
): Promise<"apart" | "similar" | "unsteady"> {
  const steps = [
    { isExpected: expected.same, otherwise: "unsteady" },
    { isExpected: expected.different, otherwise: "similar" },
  ] as const;
  for (let round = 1; round <= rounds; round++) {
    for (const { isExpected, otherwise } of randomInt(2) === 0 ? steps : steps.toReversed())
      if (!(await isExpected(round))) return otherwise;
  }
  return "apart";
}

interface Texts {
  /** Features of the response to a text in a round; undefined where it proves nothing. */
  readonly same: (round: number) => Promise<Features | undefined>;
  readonly different: (round: number) => Promise<Features | undefined>;
}

function textsOf(pair: Pair, point: Point, probe: Probe): Texts {
  const { baseline, baseValue } = point;
  const send = async (
    role: "attack" | "control",
    text: string,
  ): Promise<[ProbeResponse, Features] | undefined> => {
    const response = await probe[role](await inserting(probe, point, text));
    if (isRefused(response, baseline)) return undefined;
    return [response, featuresOf(response, withoutEcho({ sent: text, baseValue }))];
  };
  return {
    async same() {
      const [response, features] = (await send("control", pair.same(valuesOf(point)))) ?? [];
      return response && isOfOneKind(response, baseline) ? features : undefined;
    },
    async different(round) {
      const text = round % 2 === 1 && pair.third ? pair.third : pair.different;
      const [response, features] = (await send("attack", text(valuesOf(point)))) ?? [];
      return response && (pair.needs?.(response) ?? true) ? features : undefined;
    },
  };
}

/** Not worth the second text where the first already got another kind of response. */
const isOfOneKind = (response: ProbeResponse, baseline: ProbeResponse): boolean =>
  response.status === baseline.status && response.mediaType === baseline.mediaType;

function valuesOf({ baseValue }: Point): Values {
  const one = randomInt(1000, 5000);
  return { baseValue, one, other: one + randomInt(1, 4000) };
}

/** Inconclusive where the baseline request fails: no condition decides a response there. */
export const undecidable = (point: Point): Verdict | undefined =>
  findsSomething(point) || isDenied(point.baseline) || point.baseline.redirectTarget
    ? undefined
    : inconclusive(`The baseline request returned status ${point.baseline.status}.`);

/** The base value finds something. */
export const findsSomething = ({ baseline }: Point): boolean => isSuccess(baseline);
