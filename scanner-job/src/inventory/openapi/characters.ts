/** Something in a pattern for which no text is made. */
export class Unsupported extends Error {}

/** A set of characters in a pattern. */
export interface Characters {
  readonly has: (character: string) => boolean;
  /** Some that are in it, which are tried first. */
  readonly likely: string;
  /** The one that it is, where it is one. */
  readonly single?: string;
}

export const one = (single: string): Characters => ({
  has: (other) => other === single,
  likely: single,
  single,
});

export function range(from: string, to: string): Characters {
  if (from > to) throw new Unsupported();
  return { has: (character) => character >= from && character <= to, likely: from };
}

const matching = (known: RegExp, likely: string): Characters => ({
  has: (character) => known.test(character),
  likely,
});

export const CLASSES: Readonly<Record<string, Characters>> = {
  d: matching(/\d/, "1"),
  D: matching(/\D/, "a"),
  w: matching(/\w/, "a"),
  W: matching(/\W/, "-"),
  s: matching(/\s/, " "),
  S: matching(/\S/, "a"),
};
export const CONTROLS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  0: "\0",
};

/** One of the set: letters and digits before what else is in it. */
export function pick({ has, likely }: Characters): string {
  const found = [
    ..."a1A",
    ...likely,
    ..." -_.",
    ..."bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789#~",
  ].find(has);
  if (found === undefined) throw new Unsupported();
  return found;
}
