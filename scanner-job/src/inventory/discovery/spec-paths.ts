import type { Reply } from "../../transport/exchange.ts";

/** Where frameworks serve their API document, the commonest first. */
export const SPEC_PATHS = [
  "/openapi.json",
  "/swagger.json",
  "/v3/api-docs",
  "/swagger/v1/swagger.json",
  "/openapi.yaml",
  "/api-docs",
  "/v2/api-docs",
  "/api-json",
  "/docs-json",
  "/api/openapi.json",
  "/api/swagger.json",
  "/api/schema/",
  "/api-docs.json",
  "/swagger.yaml",
  "/openapi.yml",
  "/docs/openapi.json",
  "/swagger/doc.json",
  "/api/docs.json",
  "/openapi/v1.json",
  "/api/v1/openapi.json",
  "/.well-known/openapi.json",
  "/swagger-resources",
  "/openapi",
  "/api/v3/api-docs",
  "/schema.json",
] as const;

/** Pages that show a document and know where it is. */
export const UI_PATHS = [
  "/docs",
  "/swagger-ui/swagger-initializer.js",
  "/swagger-ui/index.html",
  "/swagger/index.html",
  "/api-docs/",
  "/docs/swagger-ui-init.js",
  "/api-docs/swagger-ui-init.js",
  "/api/docs",
  "/swagger-ui.html",
  "/redoc",
] as const;

/** The paths in the order in which this target is likely to have them, by the software that it shows. */
export function rankedSpecPaths(entry: Reply | undefined): readonly string[] {
  const signs = `${entry?.headers["server"] ?? ""} ${entry?.headers["x-powered-by"] ?? ""} ${entry?.body.slice(0, 2_000) ?? ""}`;
  const likely = LIKELY.filter(([sign]) => sign.test(signs)).flatMap(([, paths]) => paths);
  return [...new Set([...likely, ...SPEC_PATHS])];
}

const LIKELY: readonly (readonly [RegExp, readonly string[]])[] = [
  [/uvicorn|hypercorn|fastapi|\{"detail":"Not Found"\}/i, ["/openapi.json", "/api/openapi.json"]],
  [/kestrel|asp\.net|microsoft-iis/i, ["/swagger/v1/swagger.json", "/openapi/v1.json"]],
  [/whitelabel|tomcat|jetty|undertow|"timestamp":[^}]{1,100}"path":/i, ["/v3/api-docs", "/v2/api-docs"]],
  [/express|"statusCode":404/i, ["/api-json", "/docs-json", "/api-docs", "/swagger.json"]],
  [/gunicorn|wsgi|django/i, ["/api/schema/", "/swagger.json"]],
];
