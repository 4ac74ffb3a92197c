import { ERROR_CODES } from "@glovebox/contract";
import { expect, test } from "vitest";
import { accessByPath } from "./http/access-control.ts";
import { errorTable } from "./openapi.ts";
import { ROUTES, buildOpenApiDocument } from "./routes.ts";
import { SIGN_IN_PAGES } from "./sign-in/pages.ts";

const document = buildOpenApiDocument();
const text = JSON.stringify(document);

test("the document is the same at every call", () => {
  expect(JSON.stringify(buildOpenApiDocument())).toBe(text);
});

test("the document has the operations of /v1, and nothing else", () => {
  const operations = Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  expect(operations).toEqual([
    "post /scan",
    "get /scan/{id}",
    "delete /scan/{id}",
    "get /scan/{id}/report",
    "get /scan/{id}/events",
    "get /scans",
    "post /webhooks",
    "get /webhooks",
    "get /webhooks/{id}",
    "patch /webhooks/{id}",
    "delete /webhooks/{id}",
    "post /webhooks/{id}/secret",
    "post /webhooks/{id}/test",
    "get /webhooks/{id}/deliveries",
    "post /webhooks/{id}/deliveries/{delivery}",
    "post /schedules",
    "get /schedules",
    "get /schedules/{id}",
    "patch /schedules/{id}",
    "delete /schedules/{id}",
    "get /schedules/{id}/runs",
    "get /openapi.json",
    "get /docs",
  ]);
});

test("every code of the error table is explained, with its status", () => {
  for (const code of ERROR_CODES) expect(errorTable()).toContain(`| ${code} |`);
  expect(document.info.description).toContain(errorTable());
});

test("every reference leads somewhere", () => {
  const references = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    ),
  );
  const components = document.components as Record<string, Record<string, unknown>>;
  expect(references.size).toBeGreaterThan(20);
  for (const reference of references) {
    const [kind = "", name = ""] = reference.split("/");
    expect(components[kind]?.[name], reference).toBeDefined();
  }
});

test("every response names the headers that every response has", () => {
  for (const item of Object.values(document.paths!))
    for (const operation of Object.values(
      item as Record<string, { responses: Record<string, { headers: object }> }>,
    ))
      for (const { headers } of Object.values(operation.responses))
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining([
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "X-Request-Id",
          ]),
        );
});

test("a request takes no unknown fields, and a response may gain some", () => {
  const { schemas = {} } = document.components!;
  expect(schemas["ScanRequest"]).toHaveProperty("additionalProperties", false);
  for (const name of ["ProcessingScan", "CompletedScan", "Finding", "ScanList"])
    expect(schemas[name]).not.toHaveProperty("additionalProperties");
});

test("identities are write-only: no response has the shape that holds secrets", () => {
  const { schemas = {} } = document.components!;
  const referring = Object.entries(schemas).filter(([, schema]) =>
    JSON.stringify(schema).includes('#/components/schemas/Identity"'),
  );
  expect(referring.map(([name]) => name)).toEqual(["ScanRequest"]);
  expect(schemas["ScanRequest"]).toMatchObject({ properties: { identities: { writeOnly: true } } });
  expect(JSON.stringify(document.paths)).not.toContain('schemas/Identity"');
});

test("only the document, its page, sign-in and what stands outside /v1 are open without a key", () => {
  const pages = new Set(SIGN_IN_PAGES);
  const isOpen = ({ access }: (typeof ROUTES)[number]): boolean => access !== "key" && access !== "session";
  const open = ROUTES.filter((route) => isOpen(route) && !pages.has(route)).map(({ path }) => path);
  expect(SIGN_IN_PAGES.filter(({ path }) => path.startsWith("/v1"))).toEqual([]);
  expect(open).toEqual([
    "/v1/openapi.json",
    "/v1/docs",
    "/v1/docs/{file}",
    "/healthz",
    "/readyz",
    "/metrics",
  ]);
  const accessOf = accessByPath(ROUTES);
  for (const path of [
    "/v1",
    "/v1/scan",
    "/v1/scans",
    "/v1/scan/x/events",
    "/v1/openapi.json/",
    "/v1/docsx",
    "/v1/%64ocs",
  ])
    expect(accessOf(path), path).toBe("key");
  for (const path of [
    "/admin/scan/x/report",
    "/admin/scan/",
    "/admin/x",
    "/",
    "/v10",
    "/V1/scans",
    "/healthz/",
  ])
    expect(accessOf(path), path).toBe("session");
  expect(accessOf("/v1/docs/start.js")).toBe("public");
});
