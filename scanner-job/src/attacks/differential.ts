import { randomInt } from "node:crypto";
import { fail, inconclusive, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import { REPLAYS, ROUNDS } from "../oracles/rounds.ts";
import { featuresOf, sameAs, withoutEcho, type Features } from "../oracles/similarity.ts";
import type { Reply } from "../transport/exchange.ts";
import { inserting } from "./insertion-points.ts";
import { isRefused, isWorthwhile, type Attempt, type Point } from "./injection.ts";

/** What the texts of a pair are made of; the numbers are others in each round. */
export interface Values {
  /** The value that the ordinary request has there. */
  readonly ordinary: string;
  /** Four digits. */
  readonly one: number;
  /** Another number of four digits. */
  readonly other: number;
}

/**
 * Two texts of one form. If the value becomes a part of a statement, the first means the same as the ordinary value, and
 * the second something else; if not, they mean as much as each other. Both have the same length and the same classes of
 * characters, or else a validation tells them apart.
 */
export interface Pair extends Pick<Attempt, "deep" | "where"> {
  readonly same: (values: Values) => string;
  readonly different: (values: Values) => string;
  /** A third text, which means something else for another reason than `different`, and takes its place in every second round. */
  readonly third?: (values: Values) => string;
  /** What is proven where both are answered so, as a sentence. */
  readonly observed: string;
  /** What the answer to the second text must be besides. */
  readonly needs?: (reply: Reply) => boolean;
}

/**
 * Whether one of the pairs decides the answer. The ordinary answer may have any status: a refusal, a missing object or an
 * empty list is as good to compare with as a full one. Compared is what is the same in three ordinary answers; both texts
 * must do the same in each of several rounds.
 */
export async function examinePairs(
  point: Point,
  probe: Probe,
  pairs: readonly Pair[],
): Promise<Verdict | undefined> {
  let asked: Promise<IsUsual> | undefined;
  const ofUsual = (): Promise<IsUsual> => (asked ??= usualFeatures(point, probe));
  for (const pair of pairs) {
    if ((await isWorthwhile(pair, point, probe)) && (await decides(pair, point, { probe, ofUsual })))
      return fail(pair.observed);
  }
  return undefined;
}

type IsUsual = ReturnType<typeof sameAs>;

/** What is the same in the ordinary answer and its repeats; the pairs of one examination share them. */
async function usualFeatures({ usual }: Point, probe: Probe): Promise<IsUsual> {
  const replays: Features[] = [];
  while (replays.length < REPLAYS) replays.push(featuresOf(await probe.again(usual.request)));
  return sameAs([featuresOf(usual), ...replays]);
}

async function decides(
  pair: Pair,
  point: Point,
  { probe, ofUsual }: { probe: Probe; ofUsual: () => Promise<IsUsual> },
): Promise<boolean> {
  const texts = textsOf(pair, point, probe);
  const same = await texts.same(0);
  const different = same && (await texts.different(0));
  if (!different || sameAs([featuresOf(point.usual)])(different)) return false;
  const isUsual = await ofUsual();
  if (!isUsual(same) || isUsual(different)) return false;
  const compared = await compareInRounds({
    same: async (round) => isFeatures(await texts.same(round), isUsual),
    different: async (round) => isFeatures(await texts.different(round), (features) => !isUsual(features)),
  });
  return compared === "apart";
}

const isFeatures = (features: Features | undefined, is: IsUsual): boolean =>
  features !== undefined && is(features);

/** Two kinds of request. Each tells whether the response in a round is as expected of its kind. */
export interface Expected {
  readonly same: (round: number) => Promise<boolean>;
  readonly different: (round: number) => Promise<boolean>;
}

/** How two kinds of request were answered: `unsteady` where those that mean the same were answered in several ways. */
export type Comparison = "apart" | "alike" | "unsteady";

/**
 * Sends both in each round, in random order: servers that take turns, or change with time, keep no such order. The first
 * response that is not as expected ends the comparison.
 */
export async function compareInRounds(expected: Expected, rounds: number = ROUNDS - 1): Promise<Comparison> {
  const steps = [
    { isExpected: expected.same, otherwise: "unsteady" },
    { isExpected: expected.different, otherwise: "alike" },
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
  const { usual, ordinary } = point;
  const send = async (role: "attack" | "control", text: string): Promise<[Reply, Features] | undefined> => {
    const reply = await probe[role](await inserting(probe, point, text));
    if (isRefused(reply, usual)) return undefined;
    return [reply, featuresOf(reply, withoutEcho({ sent: text, ordinary }))];
  };
  return {
    async same() {
      const [reply, features] = (await send("control", pair.same(valuesOf(point)))) ?? [];
      return reply && isOfOneKind(reply, usual) ? features : undefined;
    },
    async different(round) {
      const text = round % 2 === 1 && pair.third ? pair.third : pair.different;
      const [reply, features] = (await send("attack", text(valuesOf(point)))) ?? [];
      return reply && (pair.needs?.(reply) ?? true) ? features : undefined;
    },
  };
}

/** Not worth the second text where the first was already answered with another kind of answer. */
const isOfOneKind = (reply: Reply, usual: Reply): boolean =>
  reply.status === usual.status && reply.mediaType === usual.mediaType;

function valuesOf({ ordinary }: Point): Values {
  const one = randomInt(1000, 5000);
  return { ordinary, one, other: one + randomInt(1, 4000) };
}

/** Inconclusive where the ordinary request fails: no condition decides an answer there. */
export const undecidable = (point: Point): Verdict | undefined =>
  findsSomething(point) || isDenied(point.usual) || point.usual.redirectTarget
    ? undefined
    : inconclusive(`The baseline request returned status ${point.usual.status}.`);

/** The ordinary value finds something. */
export const findsSomething = ({ usual }: Point): boolean => isSuccess(usual);
