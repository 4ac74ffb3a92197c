import { notFound, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { idIn } from "../collection.ts";
import { findById, isOfTenant, only, visibleTo } from "../rows.ts";
import { type ShopCall, type ShopRoute, TEXT, UUID, both, listOf, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

/** Administrators get the last two. */
const MEMBER = objectOf(
  { id: UUID, name: TEXT, title: TEXT, salary: { type: "integer" }, bankAccount: TEXT },
  ["id", "name", "title"],
);
const MEMBER_FIELDS = ["id", "name", "title"];
const ALL_FIELDS = [...MEMBER_FIELDS, "salary", "bankAccount"];
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
      ok({ members: visibleTo(call, users, isOfTenant).map((user) => only(user, fieldsFor(call))) }),
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
      responds: MEMBER,
    },
    weaknesses: [
      weakness(
        "propertyAuthorization",
        "field",
        "Users get the `salary` and `bankAccount` of a colleague, which the list shows to administrators only",
      ),
    ],
    vulnerable: (call, shop) => member(call, shop, ALL_FIELDS),
    hardened: (call, shop) => member(call, shop, fieldsFor(call)),
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

const fieldsFor = ({ user }: ShopCall): readonly string[] =>
  user.role === "admin" ? ALL_FIELDS : MEMBER_FIELDS;

function member(call: ShopCall, { users }: Shop, fields: readonly string[]): RouteResponse {
  const user = findById(users, call.params["memberId"]);
  return user && isOfTenant(call.user, user) ? ok(only(user, fields)) : notFound();
}
