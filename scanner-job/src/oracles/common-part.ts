import { holdsData } from "./records.ts";
import { isObject, walk } from "../json.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/** Share of what one caller is shown that must be in another's view for the two to be the same data. */
const SAME = 0.8;
/** Bytes of a text that are enough to compare it by. */
const MIN_TEXT = 16;

/**
 * What two callers are both shown: of JSON the members with equal values, of anything else the whole body. Undefined where
 * less than 0.8 of what `shown` has is in `view`: it is other data, as a caller's own. Pure.
 */
export function commonPart(view: ProbeResponse, shown: ProbeResponse): unknown {
  if (view.json === undefined || shown.json === undefined) {
    const isSame =
      view.json === shown.json && view.body === shown.body && shown.body.trim().length >= MIN_TEXT;
    return isSame ? shown.body : undefined;
  }
  const common = intersection(view.json, shown.json, 12);
  const whole = leavesIn(shown.json);
  return holdsData(common) && leavesIn(common) >= SAME * whole ? common : undefined;
}

/** Items of lists are compared regardless of their order. */
function intersection(a: unknown, b: unknown, levels: number): unknown {
  if (levels === 0) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    const known = new Set(a.slice(0, MAX_ITEMS).map((item) => JSON.stringify(item)));
    return b
      .slice(0, MAX_ITEMS)
      .map((item, index) =>
        known.has(JSON.stringify(item)) ? item : intersection(a[index], item, levels - 1),
      )
      .filter((item) => item !== undefined);
  }
  if (isObject(a) && isObject(b)) {
    const members = Object.entries(b)
      .filter(([key]) => key !== "__proto__" && Object.hasOwn(a, key))
      .map(([key, value]) => [key, intersection(a[key], value, levels - 1)] as const)
      .filter(([, value]) => value !== undefined);
    return members.length === 0 ? undefined : Object.fromEntries(members);
  }
  return a === b ? b : undefined;
}

const MAX_ITEMS = 200;

const leavesIn = (json: unknown): number =>
  [...walk(json, { depth: 12, items: MAX_ITEMS })].filter(({ value }) => typeof value !== "object").length;
