import { ok, text } from "../response.ts";
import { type RouteResponse, type Route, weak } from "../route.ts";

const PLAIN = "text/plain; charset=utf-8";

/** Exposed files, endpoints and headers. The routes of `exposed` do not exist in the hardened variant. */
export const dataExposure: Route[] = [
  exposed("/.env", "The environment file with its secrets is public", () =>
    text(
      200,
      PLAIN,
      "APP_ENV=production\nDB_HOST=10.20.0.15\nDB_PASSWORD=Lark-field-2019!\nJWT_SECRET=secret\nMAIL_PASSWORD=Mail-Lark-7\n",
    ),
  ),
  exposed("/.git/HEAD", "The Git directory is public", () => text(200, PLAIN, "ref: refs/heads/main\n")),
  exposed("/.git/config", "The Git configuration is public", () =>
    text(
      200,
      PLAIN,
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@git.larkfield.test:clinic/api.git\n',
    ),
  ),
  exposed("/actuator", "The index of debug endpoints is public", () =>
    ok({
      _links: { self: { href: "/actuator" }, env: { href: "/actuator/env" }, health: { href: "/health" } },
    }),
  ),
  exposed("/actuator/env", "The runtime configuration is public", () =>
    ok({
      activeProfiles: ["prod"],
      propertySources: [
        {
          name: "systemEnvironment",
          properties: { DB_PASSWORD: { value: "Lark-field-2019!" }, JAVA_VERSION: { value: "8u181" } },
        },
      ],
    }),
  ),
  exposed("/metrics", "Internal metrics are public", () =>
    text(
      200,
      "text/plain; version=0.0.4",
      "# HELP process_cpu_seconds_total CPU time.\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 12.5\n",
    ),
  ),
  exposed("/backup/", "Directory listing is enabled", () =>
    text(
      200,
      "text/html; charset=utf-8",
      '<html><head><title>Index of /backup</title></head><body><h1>Index of /backup</h1><a href="patients-2019.sql">patients-2019.sql</a></body></html>',
    ),
  ),
  exposed("/assets/app.js", "", () =>
    text(
      200,
      "text/javascript; charset=utf-8",
      'fetch("/v2/patients");fetch("/v1/patients");fetch("/v2/internal/debug");\n//# sourceMappingURL=app.js.map\n',
    ),
  ),
  exposed("/assets/app.js.map", "The source map contains the source code", () =>
    ok({
      version: 3,
      file: "app.js",
      sources: ["../src/api.ts"],
      sourcesContent: [
        'fetch("/v2/patients");\n// the old list still works: /v1/patients\nfetch("/v1/patients");\n',
      ],
      names: [],
      mappings: "AAAA",
    }),
  ),
  {
    method: "GET",
    path: "/v2/config",
    access: "admin",
    operation: { summary: "Read the configuration", tag: "Administration" },
    weaknesses: [
      weak("dataExposure", "The response contains keys and private addresses"),
      weak("dataExposure", "CORS reflects any origin and allows credentials"),
      weak(
        "dataExposure",
        "The `Server` and `X-Powered-By` headers contain versions, and `TRACE` is enabled",
      ),
    ],
    vulnerable: () =>
      ok({
        paymentKey: ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_"),
        storage: { accessKeyId: "AKIAIOSFODNN7EXAMPLE" },
        database: "postgres://clinic:Lark-field-2019!@10.20.0.15:5432/clinic",
        supportCard: "4111 1111 1111 1111",
      }),
    hardened: () => ok({ currency: "GBP" }),
  },
];

function exposed(path: string, what: string, vulnerable: () => RouteResponse): Route {
  const weaknesses = what ? [weak("dataExposure", what)] : [];
  return { method: "GET", path, access: "public", weaknesses, vulnerable };
}
