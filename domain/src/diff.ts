import { instancesOf } from "./findings.ts";
import { type Instance } from "@glovebox/contract";
import { locationKey } from "./location.ts";
import { isWorse, retesting, type Retested } from "./retest.ts";

export const DIFFERENCES = ["new", "changed", "fixed", "unchanged", "not retested"] as const;

/** What became of one instance from one report to another. */
export interface Difference {
  readonly instance: Instance;
  readonly is: (typeof DIFFERENCES)[number];
  readonly detail?: string;
  /** True when it is more severe than before. */
  readonly isWorse?: true;
}

/** Every instance of two reports on one target, by what became of it. Pure. */
export function diffOf(older: Retested, newer: Retested): Difference[] {
  const before = older.findings.flatMap(instancesOf);
  const now = newer.findings.flatMap(instancesOf);
  const retest = retesting(newer, before);
  return [
    ...added(before, now).map((instance): Difference => ({ instance, is: "new" })),
    ...before.map((instance): Difference => {
      const became = retest(instance);
      if (became.is === "unchanged") return { instance, is: "unchanged" };
      if (became.is === "gone") return { instance, is: "fixed" };
      if (became.is === "not tested") return { instance, is: "not retested", detail: became.detail };
      const same = now.find(({ id }) => id === instance.id);
      const { detail } = became;
      return { instance, is: "changed", detail, ...(same && isWorse(instance, same) && { isWorse: true }) };
    }),
  ];
}

/** What was not there before, but for what replaces something that is no longer found at the same subject: that has changed. */
function added(before: readonly Instance[], now: readonly Instance[]): Instance[] {
  const isIn = (list: readonly Instance[]): ((instance: Instance) => boolean) => {
    const ids = new Set(list.map(({ id }) => id));
    return ({ id }) => ids.has(id);
  };
  const vanished = new Set(before.filter((instance) => !isIn(now)(instance)).map(locationKey));
  return now.filter((instance) => !isIn(before)(instance) && !vanished.has(locationKey(instance)));
}
