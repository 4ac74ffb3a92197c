import { expect, test } from "vitest";
import { CHECKS } from "../../../../scanner-job/src/checks/index.ts";
import { identityRows } from "../identities/rows.ts";
import { ROWS } from "./index.ts";

/** Rows of one form, each tested with samples beside its table. */
const isExposure = (id: string): boolean => id.includes("/exposed-");
const ofIdentities = [...identityRows("token"), ...identityRows("desk")];
const labelled = new Set([...ROWS, ...ofIdentities].flatMap(({ checks }) => checks));
const ids = CHECKS.map(({ id }) => id);

/** Checks that no target of the benchmark is about, each with the reason. */
const WITHOUT_ROW: Readonly<Record<string, string>> = {
  "authentication/session-fixation": "no sign-in of the shop keeps a cookie of before",
  "bfla-authorization/denied-operation": "the benchmark declares no expectations",
  "data-exposure/personal-data-as-user": "no list of the shop shows personal data of all users",
  "data-exposure/service-secrets-as-user": "no read of the shop shows secrets of the service",
};

test("every check has a labelled weakness, or a reason to have none", () => {
  const none = ids.filter((id) => !labelled.has(id) && !isExposure(id));
  expect(none.toSorted()).toEqual(Object.keys(WITHOUT_ROW).toSorted());
});

test("every row names checks that exist", () => {
  expect([...labelled].filter((id) => !ids.includes(id))).toEqual([]);
});
