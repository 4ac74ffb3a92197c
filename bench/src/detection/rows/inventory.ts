import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";
import { unauthorized, type Row } from "../row.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const rows: FakeResponse = { json: { rows: [{ shelf: "nature", books: 2 }] } };

const CONSOLE =
  '<!doctype html><title>Swagger UI</title><script src="https://cdn.library.test/swagger-ui-dist@3/swagger-ui-bundle.js"></script>' +
  '<script>SwaggerUIBundle({ url: "/openapi.json" })</script>';

export const inventoryRows: readonly Row[] = [
  {
    checks: ["unsafe-consumption/docs-scripts-without-integrity"],
    at: "GET /docs",
    weak: {}, // the same page
    safe: {},
  },
  {
    checks: ["inventory-management/exposed-swagger-ui"],
    at: "GET /docs",
    weak: { "GET /docs": { headers: html, body: CONSOLE } },
    safe: { "GET /docs": { headers: html, body: "<!doctype html><h1>Manual</h1>" } },
  },
  {
    checks: ["inventory-management/deprecated-operation-alive"],
    at: "GET /export",
    document: { "/export": { get: { deprecated: true } } },
    weak: { "GET /export": { ...rows, headers: { sunset: "Mon, 01 Jul 2024 00:00:00 GMT" } } },
    safe: { "GET /export": { status: 410, json: { error: "Gone" } } },
  },
  {
    checks: ["inventory-management/old-version-alive"],
    at: "GET /v1/catalogue",
    document: { "/v2/catalogue": { get: {} } },
    weak: { "GET /v2/catalogue": rows, "GET /v1/catalogue": rows },
    safe: { "GET /v2/catalogue": rows, "GET /v1/catalogue": { status: 410, json: { error: "Gone" } } },
  },
  {
    checks: ["inventory-management/documented-but-absent"],
    at: "GET /faxes",
    document: { "/faxes": { get: {} } },
    weak: {},
    safe: { "GET /faxes": unauthorized },
  },
  {
    checks: ["inventory-management/undocumented-response"],
    at: "GET /news",
    document: {
      "/news": {
        get: {
          responses: {
            200: { description: "News", content: { "application/json": { schema: { type: "object" } } } },
          },
        },
      },
    },
    weak: { "GET /news": { headers: html, body: "<p>New books" } },
    safe: { "GET /news": { json: { news: [] } } },
  },
];
