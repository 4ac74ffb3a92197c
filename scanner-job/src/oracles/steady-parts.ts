import type { ProbeResponse } from "../transport/exchange.ts";

/** Tests whether a response has the parts that two replays have in common. */
export type Steady = (parts: ReadonlySet<string>) => boolean;

/**
 * What two replays have in common, as a test of a third: that has all of it, and nothing else where the two were the
 * same. Undefined when they have nothing in common.
 */
export function steadyParts(left: ReadonlySet<string>, right: ReadonlySet<string>): Steady | undefined {
  const common = [...left].filter((part) => right.has(part));
  const isSame = common.length === left.size && common.length === right.size;
  if (common.length === 0 && !isSame) return undefined;
  return (parts) => common.every((part) => parts.has(part)) && (!isSame || parts.size === common.length);
}

/** The members or elements of a body that have words, without the names that were sent and what changes every time. */
export const partsOf = ({ body }: ProbeResponse, names: readonly string[] = []): ReadonlySet<string> =>
  new Set(
    names
      .reduce((text, name) => text.replace(asWholeWord(name), "¤"), body.slice(0, 32_768))
      .replace(/[\da-f]{8}-[\da-f-]{27}|\b[\da-f]{16,}\b|\d[\d.:TZ-]*/gi, "#")
      .split(/[\n<>{}]|(?<="),/)
      .filter((part) => /[a-z¤]{2}/i.test(part)),
  );

/** The name where it stands alone: `admin` is not part of `administrator`. */
const asWholeWord = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])${name.replace(/[\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\d])`, "gu");
