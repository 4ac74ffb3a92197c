import type { ProbeResponse } from "../../transport/exchange.ts";
import { parentOf } from "./path-template.ts";

/** Paths of the list that are also tried below the target's own path and its parent. */
const ALSO_BELOW = 12;
/** Of the list at the root, those that are tried before the ones below. */
const FIRST = 14;

/** Every location at which this target may serve its document, the likeliest first. */
export function documentLocations(target: URL, entry: ProbeResponse | undefined): readonly string[] {
  const paths = rankedSpecPaths(entry);
  const base = target.pathname.replace(/\/+$/, "");
  const bases = [base, parentOf(base)].filter((prefix) => prefix !== "");
  const below = bases.flatMap((prefix) => paths.slice(0, ALSO_BELOW).map((path) => prefix + path));
  return [...new Set([...paths.slice(0, FIRST), ...below, ...paths.slice(FIRST)])];
}

/** The paths in the order in which this target is likely to have them, by the software that it shows. */
function rankedSpecPaths(entry: ProbeResponse | undefined): readonly string[] {
  const signs = `${entry?.headers["server"] ?? ""} ${entry?.headers["x-powered-by"] ?? ""} ${entry?.body.slice(0, 2_000) ?? ""}`;
  const likely = LIKELY.filter(([sign]) => sign.test(signs)).flatMap(([, paths]) => paths);
  return [...new Set([...likely, ...SPEC_PATHS])];
}

const LIKELY: readonly (readonly [RegExp, readonly string[]])[] = [
  [/uvicorn|hypercorn|fastapi|\{"detail":"Not Found"\}/i, ["/openapi.json", "/api/openapi.json"]],
  [/kestrel|asp\.net|microsoft-iis/i, ["/swagger/v1/swagger.json", "/openapi/v1.json"]],
  [/whitelabel|tomcat|jetty|undertow|"timestamp":[^}]{1,100}"path":/i, ["/v3/api-docs", "/v2/api-docs"]],
  [
    /"statusCode":404|Cannot GET \/|express/i,
    ["/api-json", "/swagger-json", "/docs-json", "/api-docs", "/swagger.json"],
  ],
  [/Route GET:\/\S{0,200} not found/i, ["/documentation/json", "/docs/json"]],
  [/gunicorn|wsgi|django/i, ["/api/schema/", "/apispec_1.json", "/swagger.json"]],
  [/quarkus|resteasy/i, ["/q/openapi?format=json"]],
  [/directus/i, ["/server/specs/oas"]],
  [/laravel|php/i, ["/docs/api-docs.json", "/api/docs.jsonopenapi"]],
];

/** Where frameworks serve their API document, the commonest first. */
const SPEC_PATHS: readonly string[] = [
  "/openapi.json",
  "/swagger.json",
  "/v3/api-docs",
  "/swagger/v1/swagger.json",
  "/openapi.yaml",
  "/api-docs",
  "/v2/api-docs",
  "/api-json",
  "/swagger-json",
  "/docs-json",
  "/api/openapi.json",
  "/api/swagger.json",
  "/api/schema/?format=json",
  "/api-docs.json",
  "/swagger.yaml",
  "/openapi.yml",
  "/docs/openapi.json",
  "/swagger/doc.json",
  "/swagger/swagger.json",
  "/api/docs.json",
  "/openapi/v1.json",
  "/api/v1/openapi.json",
  "/.well-known/openapi.json",
  "/swagger-resources",
  "/openapi",
  "/api/v3/api-docs",
  "/apispec_1.json",
  "/apispec.json",
  "/apispec",
  "/api/spec",
  "/spec.json",
  "/schema.json",
  "/schema/?format=json",
  "/api/docs-json",
  "/api/swagger-json",
  "/api/swagger/json",
  "/swagger/json",
  "/documentation/json",
  "/docs/json",
  "/q/openapi?format=json",
  "/api/api-docs",
  "/docs/swagger.json",
  "/docs/api-docs.json",
  "/api-docs/swagger.json",
  "/api/docs.jsonopenapi",
  "/docs.jsonopenapi",
  "/api/v1/swagger.json",
  "/v1/openapi.json",
  "/v1/swagger.json",
  "/v1/api-docs",
  "/swagger/openapi.json",
  "/openapi/openapi.json",
  "/api.json",
  "/doc.json",
  "/api/openapi.yaml",
  "/api/swagger.yaml",
  "/openapi3.json",
  "/static/openapi.json",
  "/static/swagger.json",
  "/server/specs/oas",
  "/explorer/swagger.json",
];

/** Pages that show a document and know where it is, and scripts of such pages. */
export const CONSOLE_PATHS: readonly string[] = [
  "/docs",
  "/swagger",
  "/swagger-ui/swagger-initializer.js",
  "/swagger-ui/index.html",
  "/swagger/index.html",
  "/api-docs/",
  "/v3/api-docs/swagger-config",
  "/api/docs",
  "/swagger-ui.html",
  "/redoc",
  "/docs/swagger-ui-init.js",
  "/api-docs/swagger-ui-init.js",
  "/api",
  "/swagger-ui/",
  "/documentation",
  "/api/swagger",
  "/api/documentation",
  "/apidocs/",
  "/scalar",
  "/scalar/v1",
  "/reference",
  "/explorer/",
  "/rapidoc",
  "/q/swagger-ui/",
  "/api/redoc",
];
