import { SHOP_WEAKNESSES } from "@glovebox/demo";
import { expect, test } from "vitest";
import { CHECKS } from "../../../../scanner-job/src/checks/index.ts";
import { identityRows } from "./rows.ts";

const all = (["token", "desk"] as const).flatMap(identityRows);

test("every weakness of the shop is a row of one part", () => {
  expect(all.map(({ at }) => at).toSorted()).toEqual(
    SHOP_WEAKNESSES.map(({ method, path }) => `${method} /shop${path}`).toSorted(),
  );
});

test.each([
  ["GET /shop/v2/orders/{orderId}", "safe"],
  ["PUT /shop/v2/admin/users/{userId}/role", "safe"],
  ["POST /shop/v2/deliveries/track", "active"],
  ["DELETE /shop/desk/messages/{messageId}", "active"],
])("%s is proved in the mode %s", (location, mode) => {
  expect(all.find(({ at }) => at === location)?.mode).toBe(mode);
});

test("every row names checks that exist", () => {
  const ids = CHECKS.map(({ id }) => id);
  const named = all.flatMap(({ checks, alsoTrue = {} }) => [...checks, ...Object.keys(alsoTrue)]);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});
