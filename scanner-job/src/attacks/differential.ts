import { randomInt } from "node:crypto";
import { fail, inconclusive, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import { featuresOf, sameAs } from "../oracles/similarity.ts";
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
 * the second something else; if not, they mean as much as each other.
 */
export interface Pair extends Pick<Attempt, "deep" | "where"> {
  readonly same: (values: Values) => string;
  readonly different: (values: Values) => string;
  /** What is proven where both are answered so, as a sentence. */
  readonly observed: string;
  /** What the answer to the second text must be besides. */
  readonly needs?: (reply: Reply) => boolean;
}

/**
 * Whether one of the pairs decides the answer. The ordinary answer may have any status: a refusal, a missing object or an
 * empty list is as good to compare with as a full one. Compared is what is the same in three ordinary answers; both texts
 * must do the same twice.
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

/** What is the same in three ordinary answers; the pairs of one examination share them. */
async function usualFeatures({ usual }: Point, probe: Probe): Promise<IsUsual> {
  const replays = [await probe.again(usual.request), await probe.again(usual.request)];
  return sameAs([featuresOf(usual), ...replays.map((reply) => featuresOf(reply))]);
}

async function decides(
  pair: Pair,
  point: Point,
  { probe, ofUsual }: { probe: Probe; ofUsual: () => Promise<IsUsual> },
): Promise<boolean> {
  const { usual } = point;
  const send = async (role: "attack" | "control", text: string) => {
    const reply = await probe[role](await inserting(probe, point, text));
    return { reply, features: featuresOf(reply, { sent: text, ordinary: point.ordinary }) };
  };
  const sendBoth = async () => {
    const values = valuesOf(point);
    const same = await send("control", pair.same(values));
    if (isRefused(same.reply, usual) || !isOfOneKind(same.reply, usual)) return undefined;
    const different = await send("attack", pair.different(values));
    const isUsable = !isRefused(different.reply, usual) && (pair.needs?.(different.reply) ?? true);
    return isUsable ? { same, different } : undefined;
  };
  const first = await sendBoth();
  if (!first || sameAs([featuresOf(usual)])(first.different.features)) return false;
  const isUsual = await ofUsual();
  const second = await sendBoth();
  return [first, second].every(
    (round) => round && isUsual(round.same.features) && !isUsual(round.different.features),
  );
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
  findsSomething(point) || isDenied(point.usual)
    ? undefined
    : inconclusive(`The ordinary request was answered with status ${point.usual.status}.`);

/** The ordinary value finds something. */
export const findsSomething = ({ usual }: Point): boolean => isSuccess(usual);
