import { json, notFound, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { FIRST_PRODUCT } from "../catalogue.ts";
import { idIn } from "../collection.ts";
import { only } from "../rows.ts";
import { NUMBER, type ShopCall, type ShopRoute, TEXT, listOf, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

const PRICE = { type: "number" };
/** Administrators get the last two. */
const PRODUCT = objectOf(
  { id: NUMBER, name: TEXT, category: TEXT, price: PRICE, purchase_price: PRICE, supplier: TEXT },
  ["id", "name", "category", "price"],
);
const FIELDS = ["id", "name", "category", "price"];
const ALL = "SELECT * FROM products";

/** The products, whose purchase prices are for administrators. */
export const products: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/products",
    access: "user",
    operation: {
      summary: "List products",
      tag: "Products",
      parameters: [
        { name: "category", in: "query", schema: { type: "string", maxLength: 200 }, example: "lighting" },
      ],
      responds: listOf("products", PRODUCT),
    },
    weaknesses: [weakness("inputValidation", "sql-injection", "SQL injection in `category`")],
    vulnerable: (call, shop) => {
      const category = call.query.get("category");
      try {
        return listed(
          call,
          shop.catalogue.prepare(category === null ? ALL : `${ALL} WHERE category = '${category}'`).all(),
        );
      } catch (error) {
        return json(500, { error: (error as Error).message });
      }
    },
    hardened: (call, shop) =>
      listed(
        call,
        shop.catalogue
          .prepare(`${ALL} WHERE category = coalesce(?, category)`)
          .all(call.query.get("category")),
      ),
  },
  {
    method: "GET",
    path: "/v2/products/{productId}",
    access: "user",
    operation: {
      summary: "Read product",
      tag: "Products",
      parameters: [{ ...idIn("productId", NUMBER), example: FIRST_PRODUCT }],
      responds: PRODUCT,
    },
    weaknesses: [
      weakness(
        "propertyAuthorization",
        "field",
        "Users get `purchase_price` and `supplier`, which the list shows to administrators only",
      ),
    ],
    vulnerable: (call, shop) => {
      const row = productOf(call, shop);
      return row ? ok(row) : notFound();
    },
    hardened: (call, shop) => {
      const row = productOf(call, shop);
      return row ? ok(shownTo(call, row)) : notFound();
    },
  },
];

const shownTo = (call: ShopCall, row: Record<string, unknown>): object =>
  call.user.role === "admin" ? row : only(row, FIELDS);

const productOf = (call: ShopCall, { catalogue }: Shop): Record<string, unknown> | undefined =>
  catalogue.prepare(`${ALL} WHERE id = ?`).get(Number(call.params["productId"]));

const listed = (call: ShopCall, rows: readonly Record<string, unknown>[]): RouteResponse =>
  ok({ products: rows.map((row) => shownTo(call, row)) });
