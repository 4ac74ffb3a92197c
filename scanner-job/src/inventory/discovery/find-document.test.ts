import { describe, expect, it } from "vitest";
import { discovered, html, script } from "../../testing/discovered.ts";
import type { Route } from "../../testing/fake-api.ts";
import type { ApiDocument } from "../api-document.ts";

const MAX_REQUESTS = 300;

const SPEC = {
  openapi: "3.0.3",
  info: { title: "Hidden" },
  paths: { "/things": { get: { responses: {} } } },
};

describe("discover finds a document", { timeout: 30_000 }, () => {
  it.each<[string, string, Record<string, Route>]>([
    ["at /v3/api-docs", "/", { "GET /v3/api-docs": { json: SPEC } }],
    [
      "in YAML at the root",
      "/",
      { "GET /openapi.yaml": { body: "openapi: 3.0.0\npaths: {/things: {get: {}}}" } },
    ],
    ["below the target's path", "/gateway/api", { "GET /gateway/api/openapi.json": { json: SPEC } }],
    [
      "at an unusual path that a Link header names",
      "/",
      {
        "GET /": { headers: { link: '</hidden/desc>; rel="service-desc"' }, json: {} },
        "GET /hidden/desc": { json: SPEC },
      },
    ],
    [
      "by the API catalogue",
      "/",
      {
        "GET /.well-known/api-catalog": {
          json: { linkset: [{ "service-desc": [{ href: "/hidden/desc" }] }] },
        },
        "GET /hidden/desc": { json: SPEC },
      },
    ],
    [
      "by the Swagger UI",
      "/",
      {
        "GET /docs": html(
          "<script>const ui = SwaggerUIBundle({ url: '/hidden/desc', dom_id: '#ui' })</script>",
        ),
        "GET /hidden/desc": { json: SPEC },
      },
    ],
    [
      "by the initialiser of the Swagger UI",
      "/",
      {
        "GET /swagger-ui/swagger-initializer.js": script(
          'window.ui = SwaggerUIBundle({ url: "../hidden.json" })',
        ),
        "GET /hidden.json": { json: SPEC },
      },
    ],
    [
      "inside the script of the Swagger UI",
      "/",
      {
        "GET /api-docs/swagger-ui-init.js": script(
          `var options = {"swaggerDoc": ${JSON.stringify(SPEC)}, "customOptions": {}}`,
        ),
      },
    ],
    [
      "at the address that frameworks derive from the console's",
      "/",
      { "GET /swagger-json": { json: SPEC } },
    ],
    [
      "by the console that the entry is",
      "/",
      {
        "GET /": html('<script>SwaggerUIBundle({ url: "/spec-of-mine" })</script>'),
        "GET /spec-of-mine": { json: SPEC },
      },
    ],
    [
      "by the script beside a console that is redirected to",
      "/",
      {
        "GET /swagger": { status: 301, headers: { location: "/swagger/" } },
        "GET /swagger/": html('<script src="./swagger-ui-init.js"></script>'),
        "GET /swagger/swagger-ui-init.js": script(
          `let options = {\n "swaggerDoc": ${JSON.stringify(SPEC)}\n}`,
        ),
      },
    ],
    [
      "by the configuration of springdoc",
      "/",
      {
        "GET /v3/api-docs/swagger-config": {
          json: { configUrl: "/v3/api-docs/swagger-config", urls: [{ url: "/hidden/desc", name: "own" }] },
        },
        "GET /hidden/desc": { json: SPEC },
      },
    ],
    [
      "by the list of Springfox",
      "/",
      {
        "GET /swagger-resources": { json: [{ name: "default", url: "/hidden/desc" }] },
        "GET /hidden/desc": { json: SPEC },
      },
    ],
  ])("%s", async (_, path, routes) => {
    const { document, requests } = await discovered(routes, path);
    expect(document).toMatchObject({ isPublic: true, operations: [{ method: "GET", path: "/things" }] });
    expect(document?.origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  it("although it is longer than responses normally may be", async () => {
    const long = { ...SPEC, "x-filler": "x".repeat(2 * 1024 * 1024) };
    const { document } = await discovered({ "GET /openapi.json": { json: long } });
    expect(document?.operations).toMatchObject([{ path: "/things" }]);
  });

  it("discover finds a document but not where the response only resembles one", async () => {
    const { document } = await discovered({
      "GET /openapi.json": { json: { openapi: "3.0.0", paths: {} } },
      "GET /swagger.json": { body: "swagger: [" },
      "GET /v3/api-docs": html("openapi: 3.0.0"),
    });
    expect(document).toBeUndefined();
  });

  it("discover finds a document and searches for none when the order has one", async () => {
    const declared = { method: "GET", path: "/users", base: "/v2", parameters: [], source: "spec" };
    const document = { operations: [declared] } as unknown as ApiDocument;
    const { names, requests } = await discovered(
      { "GET /v1/users": { json: [{ id: 1 }] }, "GET /v2/users": { json: [] } },
      "/v2/users",
      document,
    );
    expect(names).toEqual(["GET /v1/users"]);
    expect(requests).not.toContain("GET /openapi.json");
    expect(requests.length).toBeLessThan(15);
  });
});
