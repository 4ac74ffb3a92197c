import { notFound, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { idIn } from "../collection.ts";
import { findById, isOfTenant, only, visibleTo } from "../rows.ts";
import { type ShopCall, type ShopRoute, TEXT, UUID, both, listOf, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

const MEMBER = objectOf({ id: UUID, name: TEXT, title: TEXT });
/** Administrators get more. */
const COMPLETE = objectOf(
  { id: UUID, name: TEXT, title: TEXT, salary: { type: "integer" }, bankAccount: TEXT },
  ["id", "name", "title"],
);
const MEMBER_FIELDS = ["id", "name", "title"];
const CONFIDENTIAL = ["salary", "bankAccount"];
const PROFILE_FIELDS = ["id", "name"];

/** Other users, as colleagues and as the public see them. */
export const people: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/members",
    access: "user",
    operation: { summary: "List colleagues", tag: "Company", responds: listOf("members", MEMBER) },
    weaknesses: [],
    traps: ["Colleagues see each other, and other companies do not see them"],
    ...both((call, { users }) =>
      ok({ members: visibleTo(call, users, isOfTenant).map((user) => only(user, MEMBER_FIELDS)) }),
    ),
  },
  {
    method: "GET",
    path: "/v2/members/{memberId}",
    access: "user",
    operation: {
      summary: "Read a colleague",
      tag: "Company",
      parameters: [idIn("memberId")],
      responds: COMPLETE,
    },
    weaknesses: [
      weakness(
        "propertyAuthorization",
        "field",
        "Users get the `salary` and `bankAccount` of colleagues, which are for administrators",
      ),
    ],
    vulnerable: (call, shop) => member(call, shop, [...MEMBER_FIELDS, ...CONFIDENTIAL]),
    hardened: (call, shop) =>
      member(call, shop, call.user.role === "admin" ? [...MEMBER_FIELDS, ...CONFIDENTIAL] : MEMBER_FIELDS),
  },
  {
    method: "GET",
    path: "/v2/profiles/{userId}",
    access: "public",
    operation: {
      summary: "Read a public profile",
      tag: "Profiles",
      parameters: [idIn("userId")],
      responds: objectOf({ id: UUID, name: TEXT }),
    },
    weaknesses: [],
    traps: ["Profiles are public"],
    ...both((call, { users }) => {
      const user = findById(users, call.params["userId"]);
      return user ? ok(only(user, PROFILE_FIELDS)) : notFound();
    }),
  },
];

function member(call: ShopCall, { users }: Shop, fields: readonly string[]): RouteResponse {
  const user = findById(users, call.params["memberId"]);
  return user && isOfTenant(call.user, user) ? ok(only(user, fields)) : notFound();
}
