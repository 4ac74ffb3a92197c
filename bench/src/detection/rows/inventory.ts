import type { Answer, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byBody, unauthorized, type Row } from "../row.ts";

const html = { "content-type": "text/html; charset=utf-8" };
const rows: Answer = { json: { rows: [{ shelf: "nature", books: 2 }] } };

const CONSOLE =
  '<!doctype html><title>Swagger UI</title><script src="https://cdn.library.test/swagger-ui-dist@3/swagger-ui-bundle.js"></script>' +
  '<script>SwaggerUIBundle({ url: "/openapi.json" })</script>';

/** As much of GraphQL as introspection, aliases and batches need. */
const graphql = (open: boolean): Route =>
  byBody((body) => {
    const batch = Object.keys(body).every((key) => /^\d+$/.test(key)) ? Object.values(body) : undefined;
    if (batch)
      return open
        ? { json: batch.map((each) => execute(each, open)) }
        : { status: 400, json: { errors: [{ message: "One query at a time" }] } };
    return { json: execute(body, open) };
  });

function execute(request: unknown, open: boolean): object {
  const query = String((request as { query?: unknown }).query);
  if (query.includes("__schema"))
    return open
      ? {
          data: {
            __schema: {
              queryType: { name: "Query" },
              mutationType: null,
              types: [{ name: "Query" }, { name: "Book" }],
            },
          },
        }
      : { errors: [{ message: "Introspection is off" }] };
  const fields = [...query.matchAll(/(?:(\w+)\s*:\s*)?__typename/g)];
  if (fields.length === 0) return { errors: [{ message: "Nothing like it can be asked for" }] };
  if (!open && fields.length > 3) return { errors: [{ message: "The query is too complex" }] };
  return { data: Object.fromEntries(fields.map(([, alias]) => [alias ?? "__typename", "Query"])) };
}

export const inventoryRows: readonly Row[] = [
  {
    checks: ["inventory-management/graphql-introspection"],
    at: "POST /graphql",
    weak: { "GET /graphql": { status: 405, json: { error: "Use POST" } }, "POST /graphql": graphql(true) },
    safe: { "GET /graphql": { status: 405, json: { error: "Use POST" } }, "POST /graphql": graphql(false) },
  },
  {
    checks: ["rate-limiting/graphql-cost"],
    at: "POST /graphql",
    weak: {}, // the same endpoint
    safe: {},
  },
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
