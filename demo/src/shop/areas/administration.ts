import { empty, json, notFound, objectIn, ok, text } from "../../response.ts";
import { idIn } from "../collection.ts";
import { findById, only } from "../rows.ts";
import { type ShopHandle, type ShopRoute, TEXT, UUID, both, objectOf, weakness } from "../route.ts";

const COUPON = objectOf({ code: TEXT, percent: { type: "integer", minimum: 1, maximum: 90 } });
const ROLE = objectOf({ role: { type: "string", enum: ["user", "admin"] } });
const TAG = "Administration";

const allUsers: ShopHandle = (_call, { users }) =>
  ok({ users: users.map((user) => only(user, ["id", "name", "email", "role", "tenant"])) });

/** Functions of the administrator. In the vulnerable variant, a route with a weakness of functions does not check the role. */
export const administration: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/admin/audit",
    access: "admin",
    operation: { summary: "Read the audit log", tag: TAG },
    weaknesses: [weakness("bflaAuthorization", "function", "Any user can read the audit log")],
    ...both((_call, { users }) =>
      ok({ entries: users.map(({ email, credit }) => ({ user: email, action: "credit granted", credit })) }),
    ),
  },
  {
    method: "GET",
    path: "/v2/admin/coupons",
    access: "admin",
    operation: { summary: "List coupons", tag: TAG },
    weaknesses: [],
    ...both((_call, { tables }) => ok({ coupons: tables.coupons })),
  },
  {
    method: "POST",
    path: "/v2/admin/coupons",
    access: "admin",
    operation: { summary: "Create a coupon", tag: TAG, body: COUPON },
    weaknesses: [
      weakness(
        "bflaAuthorization",
        "function",
        "Listing coupons requires the administrator, creating one does not",
      ),
    ],
    ...both((call, { tables }) => {
      const row = {
        id: crypto.randomUUID(),
        owner: call.user.id,
        tenant: call.user.tenant,
        ...only(objectIn(call), ["code", "percent"]),
      };
      tables.coupons.push(row);
      return json(201, row);
    }),
  },
  {
    method: "GET",
    path: "/v2/admin/users",
    access: "admin",
    operation: { summary: "List all users", tag: TAG },
    weaknesses: [],
    ...both(allUsers),
  },
  {
    method: "GET",
    path: "/v1/admin/users",
    access: "admin",
    weaknesses: [
      weakness(
        "bflaAuthorization",
        "hidden-function",
        "The previous version of the list of users is open to any user",
      ),
    ],
    ...both(allUsers),
  },
  {
    method: "PUT",
    path: "/v2/admin/users/{userId}/role",
    access: "admin",
    operation: { summary: "Change the role of a user", tag: TAG, parameters: [idIn("userId")], body: ROLE },
    weaknesses: [weakness("bflaAuthorization", "function", "Any user can make users administrators")],
    ...both((call, { users }) => {
      const user = findById(users, call.params["userId"]);
      return user
        ? ok(only(Object.assign(user, only(objectIn(call), ["role"])), ["id", "role"]))
        : notFound();
    }),
  },
  {
    method: "DELETE",
    path: "/v2/admin/users/{userId}",
    access: "admin",
    operation: { summary: "Delete a user", tag: TAG, parameters: [idIn("userId", UUID)] },
    weaknesses: [],
    ...both((call, { users }) => {
      const user = findById(users, call.params["userId"]);
      if (user) users.splice(users.indexOf(user), 1);
      return user ? empty(204) : notFound();
    }),
  },
  {
    method: "GET",
    path: "/v2/admin/orders",
    access: "admin",
    operation: { summary: "List all orders", tag: TAG },
    weaknesses: [],
    ...both((_call, { tables }) => ok({ orders: tables.orders })),
  },
  {
    method: "GET",
    path: "/v2/admin/orders/export",
    access: "admin",
    weaknesses: [
      weakness(
        "bflaAuthorization",
        "hidden-function",
        "An undocumented export of all orders is open to any user",
      ),
    ],
    ...both((_call, { tables }) => {
      const lines = tables.orders.map(({ id, deliverTo }) => `${id},"${String(deliverTo)}"`);
      return text(200, "text/csv; charset=utf-8", ["number,deliver to", ...lines, ""].join("\n"));
    }),
  },
  {
    method: "GET",
    path: "/v2/admin/metrics",
    access: "user",
    operation: { summary: "Read the metrics of the shop", tag: TAG },
    weaknesses: [],
    traps: ["Users get a denial with status 200"],
    ...both((call, { tables }) =>
      call.user.role === "admin"
        ? ok({ orders: tables.orders.length, invoices: tables.invoices.length })
        : ok({ success: false, message: "Access denied: administrators only" }),
    ),
  },
];
