import { expect, test } from "vitest";
import { CHECKS } from "../../../../scanner-job/src/checks/index.ts";
import { ROWS } from "./index.ts";

/** Rows of one form, each tested with samples beside its table. */
const isExposure = (id: string): boolean => id.includes("/exposed-");
const labelled = new Set(ROWS.flatMap(({ checks }) => checks));
const ids = CHECKS.map(({ id }) => id);

/** Checks that no target of the benchmark is about, each with the reason. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {};

test("every check has a labelled weakness, or a reason to have none", () => {
  const none = ids.filter((id) => !labelled.has(id) && !isExposure(id));
  expect(none.toSorted()).toEqual(Object.keys(WITHOUT_ROW).toSorted());
});

test("every row names checks that exist", () => {
  expect([...labelled].filter((id) => !ids.includes(id))).toEqual([]);
});
