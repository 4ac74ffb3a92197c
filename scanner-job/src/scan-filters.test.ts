import type { IncomingMessage } from "node:http";
import type { ScanOrder } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { describe, expect, test } from "vitest";
import { percentDecoded } from "./names.ts";
import { apiDocument } from "./testing/api-document.ts";
import { fakeApi } from "./testing/fake-api.ts";
import { scanned } from "./testing/scanned.ts";

const TIMED_OUT = 120_000;
const ok = { 200: { description: "ok", content: { "application/json": { schema: { type: "object" } } } } };
const byId = { parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }] };
const document = apiDocument({
  "/orders": { get: { responses: ok }, post: { responses: ok } },
  "/orders/{id}": { get: { ...byId, responses: ok }, delete: { ...byId, responses: ok } },
  "/billing/invoices": { get: { responses: ok } },
  "/billing/invoices/{id}": { get: { ...byId, responses: ok } },
  "/audit/entries": { get: { tags: ["internal"], responses: ok } },
  "/reports/everything": { get: { operationId: "exportAll", responses: ok } },
});

/** What a lenient stack of proxy and application takes a request for: each of these may be a call. */
function callsOf({ method = "", url = "/", headers }: IncomingMessage): string[] {
  const { pathname, searchParams } = new URL(url.replace(/^\/+/, "/"), "http://host");
  const override = ["x-http-method-override", "x-http-method", "x-method-override"].map(
    (name) => headers[name],
  );
  const methods = [method, ...override, searchParams.get("_method")].filter(
    (each) => typeof each === "string",
  );
  const paths = [pathname, headers["x-original-url"], headers["x-rewrite-url"]].filter(
    (each) => typeof each === "string",
  );
  return methods.flatMap((each) => paths.map((path) => `${each.toUpperCase()} ${plain(path)}`));
}

const plain = (path: string): string =>
  new URL(
    path
      .replace(/\?.*$/s, "")
      .replaceAll(/(%[\da-f]{2})+/gi, percentDecoded)
      .replaceAll(/;[^/]*/g, "")
      .replaceAll(/\/+/g, "/"),
    "http://host",
  ).pathname.toLowerCase();

/** An API that anybody may read, in two versions, which links to everything that it has. */
function api() {
  const calls = new Set<string>();
  const rows = [
    { id: 1, total: 7, email: "ada@larkfield.test" },
    { id: 2, total: 9, email: "bo@larkfield.test" },
  ];
  const paths = [
    "/orders",
    "/billing/invoices",
    "/audit/entries",
    "/reports/everything",
    "/v1/billing/invoices",
  ];
  const routes = fakeApi({
    "GET /": { json: Object.fromEntries(paths.map((path) => [path.slice(1), path])) },
    ...Object.fromEntries(
      paths.flatMap((path) => [
        [`GET ${path}`, { json: rows }],
        [`GET ${path}/{id}`, { json: rows[0] }],
        [`DELETE ${path}/{id}`, { status: 404, json: { error: "not found" } }],
      ]),
    ),
  });
  return {
    calls,
    listener: ((request, response) => {
      for (const call of callsOf(request)) calls.add(call);
      routes(request, response);
    }) satisfies typeof routes,
  };
}

const EXCLUDED = {
  DELETE: /^DELETE /,
  "/billing/**": /^\w+ (\/v\d+)?\/billing\b/,
  "tag:internal": /\/audit\/entries$/,
  "id:exportAll": /\/reports\/everything$/,
};

describe.concurrent("a scan", () => {
  test.each<[string, ScanOrder["exclude"], boolean]>([
    ["with a document", ["DELETE", "/billing/**", "tag:internal", "id:exportAll"], true],
    ["that discovers the operations", ["DELETE", "/billing/**"], false],
  ])(
    "%s calls none that is excluded, in no spelling and no version",
    { timeout: TIMED_OUT },
    async (_, exclude = [], has) => {
      const { calls, listener } = api();
      const report = await scanned(listener, has ? document : undefined, { exclude });
      for (const [filter, pattern] of Object.entries(EXCLUDED))
        if (exclude.includes(filter))
          expect(
            [...calls].filter((call) => pattern.test(call)),
            filter,
          ).toEqual([]);
      expect(calls).toContain("GET /orders/1");
      expect(report.scope).toMatchObject({ exclude });
      expect(report.notes.some((note) => note.includes("left out by `include` and `exclude`"))).toBe(true);
      const paths = [
        ...report.findings.flatMap(instancesOf).map(({ location }) => location.path),
        ...(report.anonymousAccess ?? []).map(({ path }) => path),
        ...(report.places ?? []),
      ];
      expect(paths.filter((path) => /billing/.test(path))).toEqual([]);
      if (!has) return;
      expect(report.scope?.leftOut).toBe(5);
      expect(report.statistics.operations).toBe(4); // with that of the entry
    },
  );

  test("calls only what is included, and paths that cannot exist", { timeout: TIMED_OUT }, async () => {
    const { calls, listener } = api();
    const report = await scanned(listener, document, {
      include: ["GET /orders/**"],
      exclude: ["/biling/**"],
    });
    const others = [...calls].filter((call) => !/^(GET|HEAD) \/orders(\/|$)/.test(call) && call !== "GET /");
    const [nonce] = /(?<=\/)[a-z]{16}/.exec(others.join("\n")) ?? [];
    expect(nonce).toBeDefined();
    expect(others.filter((call) => !call.includes(nonce!))).toEqual([]);
    expect(calls).toContain("GET /orders/1");
    expect(report).toMatchObject({
      scope: { include: ["GET /orders/**"], exclude: ["/biling/**"], leftOut: 7 },
      statistics: { operations: 2 },
    });
    expect(report.notes).toContain("No known operation matches `/biling/**`.");
  });

  test(
    "a scan without filters has no scope, and calls what the filters would exclude",
    { timeout: TIMED_OUT },
    async () => {
      const { calls, listener } = api();
      const report = await scanned(listener, document);
      expect(report.scope).toBeUndefined();
      for (const [filter, pattern] of Object.entries(EXCLUDED))
        expect(
          [...calls].some((call) => pattern.test(call)),
          filter,
        ).toBe(true);
    },
  );

  test("a scan of which the filters leave nothing fails, and says so", async () => {
    const { listener } = api();
    await expect(scanned(listener, document, { include: ["/nothing/**"] })).rejects.toThrow(
      "`include` and `exclude` leave none of the operations of the OpenAPI document (8).",
    );
  });
});
