import { randomUUID } from "node:crypto";
import { empty, ok } from "../../response.ts";
import { idIn } from "../collection.ts";
import { isOwn, only, visibleTo } from "../rows.ts";
import { NUMBER, type ShopRoute, UUID, both } from "../route.ts";

const NEWS = { news: [{ title: "Free delivery in May" }, { title: "A new shop in York" }] };
const NEWS_TAG = '"news-7"';
const TAG = "Start page";

/** What differs between callers, or does not, and is right in both variants. */
export const harmless: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/dashboard",
    access: "user",
    operation: { summary: "Read the dashboard", tag: TAG },
    weaknesses: [],
    traps: ["The dashboard of each user differs, and changes with each request"],
    ...both((call, { tables, now }) =>
      ok({
        greeting: `Good day, ${call.user.name}`,
        openOrders: visibleTo(call, tables.orders, isOwn).filter((order) => order["status"] === "open")
          .length,
        requestId: randomUUID(),
        time: now().toISOString(),
      }),
    ),
  },
  {
    method: "GET",
    path: "/v2/accounts/{userId}/summary",
    access: "user",
    operation: { summary: "Read the summary of an account", tag: TAG, parameters: [idIn("userId")] },
    weaknesses: [],
    traps: ["The id is ignored: all users read their own summary"],
    ...both(({ user }) => ok(only(user, ["name", "email", "credit"]))),
  },
  {
    method: "GET",
    path: "/v2/returns",
    access: "user",
    operation: {
      summary: "List returns",
      tag: "Orders",
      parameters: [{ name: "userId", in: "query", schema: UUID }],
    },
    weaknesses: [],
    traps: ["`userId` is ignored: users list their own returns"],
    ...both((call, { tables }) =>
      ok({ returns: tables.returns.filter(({ owner }) => owner === call.user.id) }),
    ),
  },
  {
    method: "GET",
    path: "/v2/parcels/{parcelId}",
    access: "user",
    operation: { summary: "Find a parcel", tag: "Orders", parameters: [idIn("parcelId", NUMBER)] },
    weaknesses: [],
    traps: [
      "A parcel of somebody else is a soft 404: status 200 and `found: false`, as for a number that does not exist",
    ],
    ...both((call, { tables }) => {
      const order = visibleTo(call, tables.orders, isOwn).find(
        ({ id }) => String(id) === call.params["parcelId"],
      );
      return ok(order ? { found: true, ...only(order, ["id", "status"]) } : { found: false });
    }),
  },
  {
    method: "GET",
    path: "/v2/news",
    access: "user",
    operation: { summary: "Read the news", tag: TAG },
    weaknesses: [],
    traps: ["All users get the same news from a shared cache"],
    ...both((call) => (call.headers["if-none-match"] === NEWS_TAG ? empty(304, CACHED) : ok(NEWS, CACHED))),
  },
  {
    method: "GET",
    path: "/v2/recommendations",
    access: "user",
    operation: { summary: "Read recommendations", tag: TAG },
    weaknesses: [],
    traps: ["A cache with an entry for each user reports hits"],
    ...both(({ user }) =>
      ok(
        { products: user.tenant === "castle" ? ["Shelf", "Office chair"] : ["Desk lamp"] },
        { "cache-control": "private, max-age=60", vary: "Authorization, Cookie", "x-cache": "HIT" },
      ),
    ),
  },
  {
    method: "GET",
    path: "/v2/currencies",
    access: "user",
    operation: { summary: "List currencies", tag: TAG },
    weaknesses: [],
    traps: ["Reference data is the same for all users"],
    ...both(() => ok({ currencies: ["EUR", "GBP", "USD"] })),
  },
];

const CACHED = { "cache-control": "public, max-age=300", etag: NEWS_TAG, age: "42", "x-cache": "HIT" };

/** What the shop says about itself. */
export const entry: ShopRoute[] = [
  {
    method: "GET",
    path: "/",
    access: "public",
    weaknesses: [],
    ...both(() => ok({ name: "Larkfield Supplies", document: "/shop/openapi.json" })),
  },
  {
    method: "GET",
    path: "/openapi.json",
    access: "public",
    weaknesses: [],
    ...both((_call, { document }) => ok(document)),
  },
];
