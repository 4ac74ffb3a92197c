import { DEFAULT_LIMITS } from "@glovebox/contract";
import { expect, test } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";
import { scan } from "./scan.ts";
import { BEARER, apiDocument } from "./testing/api-document.ts";
import { fakeApi, type Route } from "./testing/fake-api.ts";
import { serve } from "./testing/serve.ts";

const ACCESS = new Set(["authentication", "bolaAuthorization", "bflaAuthorization"]);
const products = [1, 2, 3].map((id) => ({ id, name: `Chair ${"abc"[id - 1]}`, price: 100 + id }));
const one =
  (rows: readonly { id: number }[]): Route =>
  ({ params }) => {
    const row = rows.find(({ id }) => String(id) === params["id"]);
    return row ? { json: row } : { status: 404, json: { error: "No such product" } };
  };

test("a public catalogue in a document that protects everything has no finding of medium or above", async () => {
  const reads = ["/products", "/products/{id}", "/categories", "/categories/{id}", "/stores", "/stores/{id}"];
  await using server = await serve(
    fakeApi({
      "GET /": { json: { name: "shop" } },
      ...Object.fromEntries(
        ["products", "categories", "stores"].flatMap((name): [string, Route][] => [
          [`GET /${name}`, { json: products }],
          [`GET /${name}/{id}`, one(products)],
        ]),
      ),
    }),
  );
  const outcome = await scan(
    {
      scanId: "test",
      url: server.url,
      spec: {
        from: "text",
        text: JSON.stringify(
          apiDocument(Object.fromEntries(reads.map((path) => [path, { get: {} }])), BEARER),
        ),
      },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
    },
    {
      checks: CHECKS.filter(({ category }) => ACCESS.has(category)),
      onProgress: () => {},
      onFault: (_, error) => {
        throw error;
      },
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: () => Promise.resolve(),
      today: () => new Date(),
    },
  );
  const findings = outcome.status === "completed" ? outcome.report.findings : undefined;
  const grave = findings?.filter(({ severity }) => severity !== "low" && severity !== "info");
  expect(grave?.map(({ check, location }) => `${check} ${location.path}`)).toEqual([]);
  expect(findings?.length).toBeGreaterThan(0);
}, 60_000);
