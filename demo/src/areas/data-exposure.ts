import { ok, text } from "../reply.ts";
import { type Reply, type Route, weak } from "../route.ts";

const PLAIN = "text/plain; charset=utf-8";

/** What is given away by files, endpoints and headers. None of the routes below exists in the twin. */
export const dataExposure: Route[] = [
  left("/.env", "The environment file, with its keys, is served", () =>
    text(
      200,
      PLAIN,
      "APP_ENV=production\nDB_HOST=10.20.0.15\nDB_PASSWORD=Lark-field-2019!\nJWT_SECRET=secret\nMAIL_PASSWORD=Mail-Lark-7\n",
    ),
  ),
  left("/.git/HEAD", "The Git directory is served", () => text(200, PLAIN, "ref: refs/heads/main\n")),
  left("/.git/config", "The Git configuration is served", () =>
    text(
      200,
      PLAIN,
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@git.larkfield.test:clinic/api.git\n',
    ),
  ),
  left("/actuator", "The index of debug endpoints is served", () =>
    ok({
      _links: { self: { href: "/actuator" }, env: { href: "/actuator/env" }, health: { href: "/health" } },
    }),
  ),
  left("/actuator/env", "The running configuration is served", () =>
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
  left("/metrics", "Internal metrics are served", () =>
    text(
      200,
      "text/plain; version=0.0.4",
      "# HELP process_cpu_seconds_total CPU time.\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 12.5\n",
    ),
  ),
  left("/backup/", "A directory is listed", () =>
    text(
      200,
      "text/html; charset=utf-8",
      '<html><head><title>Index of /backup</title></head><body><h1>Index of /backup</h1><a href="patients-2019.sql">patients-2019.sql</a></body></html>',
    ),
  ),
  left("/assets/app.js", "", () =>
    text(
      200,
      "text/javascript; charset=utf-8",
      'fetch("/v2/patients");fetch("/v1/patients");fetch("/v2/internal/debug");\n//# sourceMappingURL=app.js.map\n',
    ),
  ),
  left("/assets/app.js.map", "The source map gives away the source", () =>
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
      weak("dataExposure", "Keys and private addresses are in the body"),
      weak(
        "dataExposure",
        "Any web page may read answers with the visitor's credentials (CORS reflects the origin)",
      ),
      weak(
        "dataExposure",
        "The `Server` and `X-Powered-By` banners name versions, and `TRACE` echoes headers",
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

function left(path: string, what: string, vulnerable: () => Reply): Route {
  const weaknesses = what ? [weak("dataExposure", what)] : [];
  return { method: "GET", path, access: "public", weaknesses, vulnerable };
}
