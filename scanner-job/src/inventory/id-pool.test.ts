import { describe, expect, it } from "vitest";
import { WriteLedger } from "../writes/ledger.ts";
import { fakeApi, type Route } from "../testing/fake-api.ts";
import { serve } from "../testing/serve.ts";
import { NetworkError } from "../transport/network-error.ts";
import { createTransport } from "../transport/transport.ts";
import { createIdPool, type IdPool } from "./id-pool.ts";
import { Operation, type OperationFacts, type Parameter } from "./operation.ts";

interface Found {
  readonly ids: string[];
  readonly samples: Record<string, string>;
}

/** Ids and samples that are found for the last of the paths, when the target serves the routes. */
async function idsFound(
  routes: Record<string, Route>,
  paths: (string | Partial<OperationFacts>)[],
): Promise<Found> {
  await using server = await serve(fakeApi(routes));
  const transport = createTransport({
    writes: new WriteLedger(),
    order: {
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 30, maxRequests: 100 },
    },
    signal: AbortSignal.timeout(30_000),
    now: () => performance.now(),
    today: () => new Date(),
  });
  const operations = paths.map((path) => new Operation(server.url, factsOf(path)));
  const idPool: IdPool = createIdPool({ send: transport.send.bind(transport), operations });
  const last = operations.at(-1)!;
  const found = { ids: await idPool.idsFor(last), samples: await idPool.samplesFor(last) };
  await transport.close();
  return found;
}

function factsOf(path: string | Partial<OperationFacts>): OperationFacts {
  const given = typeof path === "string" ? { path } : path;
  const names = [...(given.path ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  return {
    method: "GET",
    path: "/",
    base: "",
    tags: [],
    deprecated: false,
    security: "undeclared",
    parameters: names.map((name) => parameter({ name })),
    responses: [],
    source: "spec",
    ...given,
  };
}

const parameter = (parts: Partial<Parameter>): Parameter => ({
  name: "id",
  in: "path",
  required: true,
  type: "string",
  sample: "1",
  sampleIsDeclared: false,
  ...parts,
});

describe("createIdPool", () => {
  it("takes ids from the list above the object", async () => {
    const routes = { "GET /users": { json: [{ id: 31 }, { id: 32 }] } };
    expect(await idsFound(routes, ["/users", "/users/{userId}"])).toEqual({
      ids: ["31", "32"],
      samples: { userId: "31" },
    });
  });

  it("takes the member of the items for which the read of an object succeeds", async () => {
    const routes: Record<string, Route> = {
      "GET /orders": {
        json: [
          { id: 1, reference: "ord-7781" },
          { id: 2, reference: "ord-7782" },
        ],
      },
      "GET /orders/ord-7781": { json: { id: 1, total: 12 } },
    };
    expect((await idsFound(routes, ["/orders", "/orders/{orderId}"])).ids).toEqual(["ord-7781", "ord-7782"]);
  });

  it("takes the likeliest member where the read succeeds for none", async () => {
    const routes: Record<string, Route> = {
      "GET /orders": {
        json: [
          { id: 1, reference: "ord-7781" },
          { id: 2, reference: "ord-7782" },
        ],
      },
    };
    expect((await idsFound(routes, ["/orders", "/orders/{orderId}"])).ids).toEqual(["1", "2"]);
  });

  it("asks for the first numbers where no response mentions an id, and takes the ids of objects", async () => {
    const counted = { path: "/orders/{id}", parameters: [parameter({ type: "integer" })] };
    const routes: Record<string, Route> = {
      "GET /orders/1": { json: { id: 1, total: 12 } },
      "GET /orders/3": { json: { id: 3, total: 9 } },
    };
    expect((await idsFound(routes, [counted])).ids).toEqual(["1", "3"]);
    expect((await idsFound({ "GET /orders/{id}": { json: { id: 1, total: 12 } } }, [counted])).ids).toEqual(
      [],
    );
    expect((await idsFound({ "GET /orders/{id}": { status: 401 } }, [counted])).ids).toEqual([]);
  });

  it("puts found ids before declared ones", async () => {
    const routes = { "GET /users": { json: { data: [{ id: "b" }] } } };
    const declared = {
      path: "/users/{id}",
      parameters: [parameter({ sample: "a", sampleIsDeclared: true })],
    };
    expect((await idsFound(routes, ["/users", declared])).ids).toEqual(["b", "a"]);
  });

  it("requests parents first, and one that owns objects", async () => {
    const routes: Record<string, Route> = {
      "GET /users": { json: [{ id: 1 }, { id: 2 }] },
      "GET /users/{id}/orders": ({ params }) => ({ json: params["id"] === "2" ? [{ orderId: "o7" }] : [] }),
    };
    const paths = ["/users", "/users/{uid}", "/users/{user}/orders", "/users/{uid}/orders/{oid}"];
    expect(await idsFound(routes, paths)).toEqual({ ids: ["o7"], samples: { uid: "2", oid: "o7" } });
  });

  it("requests below the document's sample when no parent is found", async () => {
    const routes = { "GET /users/1/orders": { json: [{ id: 77 }] } };
    const paths = ["/users/{uid}", "/users/{uid}/orders", "/users/{uid}/orders/{oid}"];
    expect(await idsFound(routes, paths)).toEqual({ ids: ["77"], samples: { uid: "1", oid: "77" } });
  });

  it("takes ids that other responses mention or link to", async () => {
    const routes = {
      "GET /orders": {
        json: [
          { id: 1, userId: 8 },
          { id: 2, owner: { href: "/users/9" } },
        ],
      },
      "GET /status": { json: { ok: true } },
    };
    expect((await idsFound(routes, ["/status", "/orders", "/users/{id}"])).ids).toEqual(["9", "8"]);
  });

  it("keeps to the base path of the operation", async () => {
    const routes = { "GET /api/users": { json: [{ id: 4 }] }, "GET /users": { json: [{ id: 5 }] } };
    const paths = [
      "/users",
      { path: "/users", base: "/api" },
      { path: "/users/{id}", base: "/api", parameters: [parameter({})] },
    ];
    expect((await idsFound(routes, paths)).ids).toEqual(["4"]);
  });

  it.each<[string, Record<string, Route>]>([
    ["the list is denied", { "GET /users": { status: 401, json: [{ id: 1 }] } }],
    ["the list is empty", { "GET /users": { json: [] } }],
    ["the connection is cut", { "GET /users": { cut: true } }],
    ["the list is not JSON", { "GET /users": { body: "<html>" } }],
  ])("createIdPool has no ids, but the document's sample, when %s", async (_, routes) => {
    expect(await idsFound(routes, ["/users", "/users/{id}"])).toEqual({ ids: [], samples: { id: "1" } });
  });

  it("createIdPool has none for an operation without an id", async () => {
    expect(await idsFound({}, ["/users"])).toEqual({ ids: [], samples: {} });
  });
});

describe("ids that cannot exist", () => {
  const operations = ["/users/{id}", "/users/{id}", "/orders/{id}", "/health"].map(
    (path) => new Operation("https://api.example", factsOf(path)),
  ) as [Operation, Operation, Operation, Operation];
  const idPool = createIdPool({
    send: () => Promise.reject(new NetworkError("refused", "no")),
    operations,
  });
  const [user, sameUser, order, health] = operations;

  it("ids that cannot exist are the same for all who ask for the same one of a path, and others for other paths", async () => {
    const id = await idPool.impossibleIdFor(user, "same");
    expect(await idPool.impossibleIdFor(sameUser, "same")).toBe(id);
    expect(await idPool.impossibleIdFor(order, "same")).not.toBe(id);
  });

  it("differ at each call that requests another", async () => {
    const ids = [await idPool.impossibleIdFor(user, "same")];
    for (let time = 0; time < 3; time++) ids.push(await idPool.impossibleIdFor(user, "another"));
    expect(new Set(ids).size).toBe(4);
  });

  it("ids that cannot exist are none for a path that names no object", async () => {
    expect(await idPool.impossibleIdFor(health, "same")).toBeUndefined();
  });
});
