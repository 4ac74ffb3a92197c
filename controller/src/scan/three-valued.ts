/** What cannot be told. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Three-valued logic, as SQL has it with NULL. */
export type Verdict = boolean | typeof UNKNOWN;

export const not = (one: Verdict): Verdict => (one === UNKNOWN ? UNKNOWN : !one);

/** False as soon as one is false, whatever is not known of the others. */
export function allOf(some: readonly Verdict[]): Verdict {
  if (some.includes(false)) return false;
  return some.includes(UNKNOWN) ? UNKNOWN : true;
}

/** True as soon as one is true, whatever is not known of the others. */
export const anyOf = (some: readonly Verdict[]): Verdict => not(allOf(some.map(not)));

/** A seal in doubt is none: what cannot be told counts as true. */
export const mayBe = (one: Verdict): boolean => one !== false;
