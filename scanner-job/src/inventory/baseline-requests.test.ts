import { describe, expect, it } from "vitest";
import { apiDocument } from "../testing/api-document.ts";
import { fakeApi, type Route } from "../testing/fake-api.ts";
import { inventoryOf } from "../testing/inventory-of.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { createIdPool } from "./id-pool.ts";
import type { RequestChanges } from "./operation.ts";
import { createBaselineRequests } from "./baseline-requests.ts";

interface Called {
  /** The response of the operation as it is normally called. */
  readonly response: ProbeResponse;
  /** What was sent to find that out. */
  readonly requests: readonly string[];
}

/** Calls the operation, as `POST /search`, of a real server as a check does. */
async function called(name: string, document: object, routes: Record<string, Route>): Promise<Called> {
  let response: ProbeResponse | undefined;
  const { requests } = await inventoryOf(fakeApi(routes), { document }, async ({ operations }, transport) => {
    const send = transport.send.bind(transport);
    const operation = operations.find(({ location }) => `${location.method} ${location.path}` === name)!;
    const idPool = createIdPool({ send, operations });
    const baselineRequests = createBaselineRequests({ send, operations, idPool });
    response = await send(operation.request(await baselineRequests.changesFor(operation)));
  });
  return { response: response!, requests };
}

const query = (name: string, schema: object = { type: "string" }, required = true): object => ({
  name,
  in: "query",
  required,
  schema,
});

describe("the baseline request", { timeout: 60_000 }, () => {
  it("the baseline request has values for its query that lists elsewhere show under the same name", async () => {
    const document = apiDocument({
      "/members": { get: {} },
      "/orders": { get: { parameters: [query("memberId", { type: "integer" })] } },
    });
    const { response } = await called("GET /orders", document, {
      "GET /members": { json: { data: [{ id: 4711, name: "Ada" }] } },
      "GET /orders": ({ query: sent }) =>
        sent.get("memberId") === "4711"
          ? { json: [{ id: 1 }] }
          : { status: 404, json: { error: "no such member" } },
    });
    expect(response.status).toBe(200);
  });

  it("searches for a word that is there to be found", async () => {
    const document = apiDocument({
      "/books": { get: {} },
      "/find": { get: { parameters: [query("q")] } },
    });
    const { response } = await called("GET /find", document, {
      "GET /books": { json: [{ title: "On Gardens" }] },
      "GET /find": ({ query: sent }) =>
        sent.get("q") === "Gardens"
          ? { json: [{ id: 1 }] }
          : { status: 404, json: { error: "nothing found" } },
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request has all optional parameters where those that are called required are not enough", async () => {
    const document = apiDocument({
      "/rates": {
        get: {
          parameters: [
            query("currency", undefined, false),
            query("day", { type: "string", format: "date" }, false),
          ],
        },
      },
    });
    const { response } = await called("GET /rates", document, {
      "GET /rates": ({ query: sent }) =>
        sent.has("currency") && sent.has("day")
          ? { json: { rate: 1 } }
          : { status: 400, json: { error: "currency is missing" } },
    });
    expect(response.status).toBe(200);
  });

  it("follows a link of the document", async () => {
    const document = apiDocument({
      "/session": {
        get: {
          responses: {
            200: {
              description: "",
              links: { own: { operationId: "readCart", parameters: { cart: "$response.body#/basket/ref" } } },
            },
          },
        },
      },
      "/carts": { get: { operationId: "readCart", parameters: [query("cart")] } },
    });
    const { response } = await called("GET /carts", document, {
      "GET /session": { json: { basket: { ref: "bx-99" } } },
      "GET /carts": ({ query: sent }) =>
        sent.get("cart") === "bx-99" ? { json: { items: [] } } : { status: 404, json: { error: "no cart" } },
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request is another object where the first no longer exists", async () => {
    const document = apiDocument({ "/users": { get: {} }, "/users/{userId}": { get: {} } });
    const { response } = await called("GET /users/{userId}", document, {
      "GET /users": { json: [{ id: 1 }, { id: 2 }] },
      "GET /users/{id}": ({ params }) =>
        params["id"] === "2" ? { json: { id: 2 } } : { status: 410, json: { error: "gone" } },
    });
    expect(response.status).toBe(200);
  });

  const search = (schema: object): object =>
    apiDocument({
      "/people": { get: {} },
      "/people/search": { post: { requestBody: { content: { "application/json": { schema } } } } },
    });

  it("the baseline request has a body where the operation reads by POST", async () => {
    const document = search({
      type: "object",
      required: ["surname"],
      properties: { surname: { type: "string" } },
    });
    const { response } = await called("POST /people/search", document, {
      "GET /people": { json: [{ surname: "Lovelace" }] },
      "POST /people/search": ({ body }) =>
        JSON.parse(body).surname === "Lovelace"
          ? { json: [{ id: 1 }] }
          : { status: 422, json: { error: "who?" } },
    });
    expect(response.status).toBe(200);
  });

  it("takes another alternative of the body, and then what is required alone", async () => {
    const document = search({
      oneOf: [
        { type: "object", properties: { city: { type: "string" } } },
        { type: "object", required: ["age"], properties: { age: { type: "integer", minimum: 18 } } },
      ],
    });
    const { response } = await called("POST /people/search", document, {
      "POST /people/search": ({ body }) =>
        JSON.parse(body).age >= 18 ? { json: [] } : { status: 400, json: { error: "age" } },
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request is sent once where credentials are asked for, and no more than seven times where nothing helps", async () => {
    const document = apiDocument({
      "/guarded": { get: { parameters: [query("a", undefined, false)] } },
      "/stubborn": { get: { parameters: [query("b"), query("c", undefined, false)] } },
    });
    const routes = {
      "GET /guarded": { status: 401, json: {} },
      "GET /stubborn": { status: 400, json: { error: "no" } },
    };
    const guarded = await called("GET /guarded", document, routes);
    expect(guarded.requests.filter((each) => each.includes("guarded?"))).toEqual([]);
    const stubborn = await called("GET /stubborn", document, routes);
    expect(stubborn.requests.filter((each) => each.includes("stubborn")).length).toBeLessThan(8);
  });

  it.each<[string, object, Route, string]>([
    [
      "a query that the document does not name",
      { get: {} },
      ({ query: sent }) =>
        sent.has("region")
          ? { json: [{ id: 1 }] }
          : {
              status: 422,
              json: { detail: [{ type: "missing", loc: ["query", "region"], msg: "Field required" }] },
            },
      "GET",
    ],
    [
      "one of the values that are listed",
      { get: { parameters: [query("kind")] } },
      ({ query: sent }) =>
        sent.get("kind") === "wood"
          ? { json: [] }
          : { status: 400, json: { message: ["kind must be one of the following values: wood, steel"] } },
      "GET",
    ],
    [
      "bounds and types that the document keeps to itself, one after the other",
      {
        post: { requestBody: { content: { "application/json": { schema: { properties: { days: {} } } } } } },
      },
      ({ body }) => {
        const { days, city } = JSON.parse(body);
        if (typeof days !== "number")
          return { status: 422, json: { errors: { days: ["The days must be an integer."] } } };
        if (days < 7) return { status: 422, json: { errors: { days: ["The days must be at least 7."] } } };
        return city
          ? { json: { total: 1 } }
          : { status: 422, json: { errors: { city: ["The city field is required."] } } };
      },
      "POST",
    ],
  ])("the baseline request has what refusals demand: %s", async (_, item, route, method) => {
    const { response } = await called(`${method} /quotes/search`, apiDocument({ "/quotes/search": item }), {
      [`${method} /quotes/search`]: route,
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request has ids out of the claims of a token that another response showed", async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "HS256" })}.${part({ sub: "u-77", tid: "t-9" })}.c2ln`;
    const document = apiDocument({
      "/demo": { get: {} },
      "/reports": { get: { parameters: [query("userId"), query("tenant_id")] } },
    });
    const { response } = await called("GET /reports", document, {
      "GET /demo": { json: { token } },
      "GET /reports": ({ query: sent }) =>
        sent.get("userId") === "u-77" && sent.get("tenant_id") === "t-9"
          ? { json: [1] }
          : { status: 404, json: {} },
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request has values that an operation which reads by POST returned", async () => {
    const document = apiDocument({
      "/shops/search": {
        post: { requestBody: { content: { "application/json": { schema: { properties: { a: {} } } } } } },
      },
      "/stock": { get: { parameters: [query("shopId")] } },
    });
    const { response } = await called("GET /stock", document, {
      "POST /shops/search": { json: { results: [{ id: "s-5", name: "North" }] } },
      "GET /stock": ({ query: sent }) =>
        sent.get("shopId") === "s-5" ? { json: [{ sku: 1 }] } : { status: 404, json: { error: "no shop" } },
    });
    expect(response.status).toBe(200);
  });

  it("the baseline request is sent in two ways where it has optional parameters, also where the plain one succeeds", async () => {
    const document = apiDocument({
      "/rates": {
        get: { parameters: [query("currency", undefined, false), query("day", undefined, false)] },
      },
      "/health": { get: {} },
    });
    const ways: (readonly RequestChanges[])[] = [];
    await inventoryOf(
      fakeApi({ "GET /rates": { json: [1] }, "GET /health": { json: {} } }),
      { document },
      async ({ operations }, transport) => {
        const send = transport.send.bind(transport);
        const baselineRequests = createBaselineRequests({
          send,
          operations,
          idPool: createIdPool({ send, operations }),
        });
        for (const path of ["/rates", "/health"])
          ways.push(await baselineRequests.readsOf(operations.find(({ facts }) => facts.path === path)!));
      },
    );
    expect(ways.map((each) => each.map(({ parameters }) => parameters))).toEqual([
      [undefined, "all"],
      [undefined],
    ]);
  });

  it("the baseline request is not sent at all to an operation that writes", async () => {
    const document = apiDocument({
      "/people": {
        post: { requestBody: { content: { "application/json": { schema: { properties: { a: {} } } } } } },
      },
    });
    const requests: string[] = [];
    await inventoryOf(fakeApi({}), { document }, async ({ operations }, transport) => {
      const send: typeof transport.send = (request) => (
        requests.push(request.method),
        transport.send(request)
      );
      const idPool = createIdPool({ send, operations });
      await createBaselineRequests({ send, operations, idPool }).changesFor(operations[0]!);
    });
    expect(requests).not.toContain("POST");
  });
});
