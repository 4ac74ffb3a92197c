import { describe, expect, it } from "vitest";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { callerIn, ROOT, ROOT_AND_ANN, signedIn } from "../../testing/callers.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import fieldsBeyondRole, { hiddenIn, shownIn } from "./fields-beyond-role.ts";

const document = apiDocument({ "/products": { get: {} }, "/products/{id}": { get: {} } }, BEARER);
const identities = ROOT_AND_ANN;
const products = [1, 2, 3].map((id) => ({ id, title: `Tea ${id}`, price: 4 + id, supplier: `Leaf ${id}` }));
const internal = products.map((product) => ({ ...product, costPrice: 1.5 }));
const without = (rows: readonly { supplier: string }[]) => rows.map(({ supplier: _, ...rest }) => rest);

/** All rows to the administrator; to others those of `toUser`. */
const list = (rows: readonly object[], toUser: readonly object[] = rows): Route =>
  signedIn((incoming) => ({ json: callerIn(incoming) === "root" ? rows : toUser }));
const one = (rows: readonly { id: number }[], toUser: readonly { id: number }[] = rows): Route =>
  signedIn((incoming) => {
    const found = (callerIn(incoming) === "root" ? rows : toUser).find(
      ({ id }) => String(id) === incoming.params["id"],
    );
    return found ? { json: found } : { status: 404, json: { error: "Unknown product" } };
  });

testCheck(fieldsBeyondRole, {
  positive: [
    {
      name: "cost prices",
      document,
      identities,
      target: fakeApi({ "GET /products": list(internal), "GET /products/{id}": one(products) }),
      finding: { severity: "medium", confidence: "firm", location: { method: "GET", path: "/products" } },
      count: 1,
    },
    {
      name: "a member of single objects that the list shows to the administrator only",
      document,
      identities,
      target: fakeApi({
        "GET /products": list(products, without(products)),
        "GET /products/{id}": one(products),
      }),
      finding: { location: { method: "GET", path: "/products/{id}" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "members that both see everywhere",
      document,
      identities,
      target: fakeApi({ "GET /products": list(products), "GET /products/{id}": one(products) }),
    },
    {
      name: "cost prices that only the administrator sees",
      document,
      identities,
      target: fakeApi({
        "GET /products": list(internal, products),
        "GET /products/{id}": one(internal, products),
      }),
    },
    {
      name: "a list that has fewer members for both",
      document,
      identities,
      target: fakeApi({ "GET /products": list(without(products)), "GET /products/{id}": one(products) }),
    },
    {
      name: "a member of the user's own object",
      document,
      identities,
      target: fakeApi({
        "GET /products": list(products, without(products)),
        "GET /products/{id}": one(products, products.slice(0, 1)),
      }),
    },
  ],
  inconclusive: [
    {
      name: "a scan without a plain user",
      document,
      identities: [ROOT],
      target: fakeApi({ "GET /products": list(internal), "GET /products/{id}": one(internal) }),
    },
  ],
});

describe("the members that two callers see", () => {
  const seen = (user: unknown, admin: unknown) => [{ user: { json: user }, admin: { json: admin } }];
  it("count for each object that both see with the same value", () => {
    const views = seen(
      [
        { id: 1, a: 1, b: 2 },
        { id: 2, a: 1 },
      ],
      [
        { id: 1, a: 1, b: 3 },
        { id: 2, a: 1 },
        { id: 3, a: 1 },
      ],
    );
    expect(shownIn(views).get("a")).toBe(2);
    expect(shownIn(views).has("b")).toBe(false);
  });

  it("the members that two callers see are hidden where the administrator alone sees them in a common object", () => {
    expect([...hiddenIn(seen({ data: { id: 1 } }, { data: { id: 1, note: "x" } }))]).toEqual(["note"]);
    expect([...hiddenIn(seen({ id: 1 }, { id: 2, note: "x" }))]).toEqual([]);
  });
});
