import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { calibrate } from "../../oracles/not-found.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { serve } from "../../testing/serve.ts";
import { createTransport } from "../../transport/transport.ts";
import { type ApiDocument, readDocument } from "../api-document.ts";
import { discover, MAX_REQUESTS, type Discovery } from "./discover.ts";

interface Result extends Discovery {
  /** `GET /users/{id}`, sorted. */
  readonly names: string[];
  readonly requests: string[];
}

type Target = Record<string, Route> | RequestListener;

/** What discovery finds at a real server, seen through the real transport and calibration. */
async function discovered(target: Target, path: string = "/", document?: ApiDocument): Promise<Result> {
  const requests: string[] = [];
  const handler = typeof target === "function" ? target : fakeApi(target);
  await using server = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  const transport = createTransport({
    order: {
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 60, maxRequests: 1_000 },
    },
    signal: AbortSignal.timeout(60_000),
    now: () => performance.now(),
    today: () => new Date(),
  });
  const send = transport.send.bind(transport);
  const base = path.replace(/\/+$/, "");
  const calibration = await calibrate(send, { origin: server.url, base, nonce: "zqxjkvbnmwpt" });
  requests.length = 0;
  const found = await discover({
    send,
    targetUrl: new URL(path, server.url),
    isMissing: (reply) => calibration.looksMissing(reply),
    readDocument,
    maxRequests: 5_000,
    ...(document ? { document } : {}),
  });
  await transport.close();
  const names = found.operations.map((facts) => `${facts.method} ${facts.base}${facts.path}`).toSorted();
  return { ...found, names, requests };
}

const html = (body: string): Route => ({ headers: { "content-type": "text/html" }, body });
const script = (body: string): Route => ({ headers: { "content-type": "text/javascript" }, body });
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
    ["at the address that frameworks derive from that of the console", "/", { "GET /swagger-json": { json: SPEC } }],
    [
      "by the console that the entry is",
      "/",
      {
        "GET /": html("<script>SwaggerUIBundle({ url: \"/spec-of-mine\" })</script>"),
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

  it("although it is longer than answers usually may be", async () => {
    const long = { ...SPEC, "x-filler": "x".repeat(2 * 1024 * 1024) };
    const { document } = await discovered({ "GET /openapi.json": { json: long } });
    expect(document?.operations).toMatchObject([{ path: "/things" }]);
  });

  it("but not where the answer only looks like one", async () => {
    const { document } = await discovered({
      "GET /openapi.json": { json: { openapi: "3.0.0", paths: {} } },
      "GET /swagger.json": { body: "swagger: [" },
      "GET /v3/api-docs": html("openapi: 3.0.0"),
    });
    expect(document).toBeUndefined();
  });

  it("and looks for none when the order has one, nor asks for what it declares", async () => {
    const declared = { method: "GET", path: "/users", base: "/v2", source: "spec" };
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

describe("discover finds operations", { timeout: 30_000 }, () => {
  it("by the links, lists and redirects of a JSON API", async () => {
    const { names, operations } = await discovered({
      "GET /": { json: { users: "/api/users", _links: { orders: { href: "/api/orders?page=1" } } } },
      "GET /api/users": { json: [{ id: 41, name: "A" }] },
      "GET /api/users/{id}": ({ params }) =>
        params["id"] === "41" ? { json: { id: 41, team: "/api/teams/3" } } : { status: 404 },
      "GET /api/orders": { json: { data: [], next: "/api/orders?page=2" } },
      "GET /api/teams/{id}": { status: 301, headers: { location: "/api/groups/3" } },
      "GET /api/groups/{id}": { status: 401, json: { message: "Who are you?" } },
    });
    expect(names).toEqual([
      "GET /",
      "GET /api/groups/{id}",
      "GET /api/orders",
      "GET /api/users",
      "GET /api/users/{id}",
    ]);
    const byPath = new Map(operations.map((facts) => [facts.path, facts]));
    expect(byPath.get("/api/users/{id}")?.parameters).toMatchObject([
      { name: "id", in: "path", type: "integer", sample: "41", sampleIsDeclared: true },
    ]);
    expect(byPath.get("/api/orders")?.parameters).toMatchObject([
      { name: "page", in: "query", required: false, sample: "1" },
    ]);
    expect(byPath.get("/api/orders")?.source).toBe("discovered");
  });

  it("by the scripts of a page", async () => {
    const { names } = await discovered({
      "GET /": html('<script src="/assets/app.js"></script><script src="https://cdn.test/x.js"></script>'),
      "GET /assets/app.js": script(
        'fetch("/api/session"); fetch(`/api/carts/${id}`); const x="/api/logo.png", y="/api/logout"',
      ),
      "GET /api/session": { status: 401, json: { error: "no" } },
      "GET /api/carts/{id}": { json: { total: 5 } },
      "GET /api/logo.png": { headers: { "content-type": "image/png" }, body: "x" },
      "GET /api/logout": { json: { bye: true } },
    });
    expect(names).toEqual(["GET /api/carts/{id}", "GET /api/session"]);
  });

  it("by robots.txt and the site map", async () => {
    const { names } = await discovered({
      "GET /robots.txt": {
        body: "User-agent: *\nDisallow: /internal/report\nDisallow: /*.pdf$\nSitemap: /map.xml",
      },
      "GET /map.xml": {
        headers: { "content-type": "application/xml" },
        body: "<url><loc>/api/news</loc></url>",
      },
      "GET /internal/report": { json: { secret: 1 } },
      "GET /api/news": { json: [] },
    });
    expect(names).toEqual(["GET /api/news", "GET /internal/report"]);
  });

  it("by common names, and by what a 405 allows", async () => {
    const { names } = await discovered({
      "GET /api/v1/products": { json: [{ id: "p-1" }] },
      "GET /api/v1/products/p-1": { json: { id: "p-1" } },
      "GET /api/v1/login": { status: 405, headers: { allow: "POST, OPTIONS" } },
    });
    expect(names).toEqual(["GET /api/v1/products", "GET /api/v1/products/{id}", "POST /api/v1/login"]);
  });

  it("in the versions beside the one that is known", async () => {
    const { names } = await discovered(
      { "GET /v2/users": { json: [{ name: "A" }] }, "GET /v1/users": { json: [{ name: "A" }] } },
      "/v2/users",
    );
    expect(names).toEqual(["GET /v1/users", "GET /v2/users"]);
  });
});

const NOTHING_MORE = "<p>Welcome</p>";

describe("discover reads pages", { timeout: 30_000 }, () => {
  it("from the one that the entry redirects to, and takes their forms as operations", async () => {
    const { operations, requests } = await discovered({
      "GET /": { status: 302, headers: { location: "/login" } },
      "GET /login": html(
        '<form method="post" action="/login"><input type=hidden name=_csrf value=abc><input name="userName">' +
          '<input type="password" name="password"><button type="submit">Log in</button></form><a href="/signup">Join</a>' +
          '<a href="/logout">Out</a><a href="/about.pdf">About</a>',
      ),
      "GET /signup": html(
        '<form method=POST><select name=plan><option value="basic">Basic</select><input type=email name=mail required></form>' +
          '<form action="/find"><input name="q"></form>',
      ),
    });
    expect(operations).toMatchObject([
      {
        method: "POST",
        path: "/login",
        summary: "Log in",
        body: {
          mediaType: "application/x-www-form-urlencoded",
          sample: { _csrf: "abc", userName: "glovebox", password: "glovebox" },
        },
      },
      { method: "POST", path: "/signup", body: { sample: { plan: "basic", mail: "glovebox@glovebox.invalid" } } },
      { method: "GET", path: "/find", parameters: [{ name: "q", in: "query" }] },
    ]);
    expect(requests).not.toContain("GET /logout");
  });

  it("and takes the pages that are linked with a query as operations", async () => {
    const { operations } = await discovered({
      "GET /": html('<a href="/show?item=7&amp;lang=en">7</a>'),
      "GET /show": html("<h1>Seven</h1>"),
    });
    expect(operations).toMatchObject([
      { method: "GET", path: "/show", parameters: [{ name: "item", sample: "7" }, { name: "lang" }] },
    ]);
  });

  it("and the source maps of their scripts", async () => {
    const { names } = await discovered({
      "GET /": html('<script src="/app.js"></script>'),
      "GET /app.js": script("x()\n//# sourceMappingURL=app.js.map"),
      "GET /app.js.map": { json: { sourcesContent: ['client.get("/accounts/mine")'] } },
      "GET /accounts/mine": { status: 401, json: {} },
    });
    expect(names).toEqual(["GET /accounts/mine"]);
  });

  it("but not more than a few levels and pages of them", async () => {
    let made = 0;
    const { requests } = await discovered((_, response) => {
      const links = Array.from({ length: 100 }, () => `<a href="/p${(made += 1)}x">x</a>`).join("");
      response.writeHead(200, { "content-type": "text/html" }).end(NOTHING_MORE + links);
    });
    expect(requests.filter((request) => /\/p\d+x/.test(request)).length).toBeLessThanOrEqual(25);
  });
});

describe("discover finds nothing", { timeout: 30_000 }, () => {
  it.each<[string, Target]>([
    [
      "at a single-page app that answers 200 to everything",
      { "* *": html("<!doctype html><title>App</title><div id=root></div>") },
    ],
    [
      "at a host that answers the same JSON to everything",
      { "* *": { json: { ok: true, message: "Hello" } } },
    ],
    ["at a gateway that refuses everything", { "* *": { status: 403, json: { message: "Forbidden" } } }],
    ["at a host that knows no path", {}],
    ["at a host that cuts every second connection", cutting()],
  ])("%s", async (_, target) => {
    const { names, document, requests } = await discovered(target);
    expect(names).toEqual([]);
    expect(document).toBeUndefined();
    expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});

describe("discover stays within its bounds", { timeout: 30_000 }, () => {
  const links = (count: number): string =>
    Array.from({ length: count }, (_, n) => `<a href="/api/page${n}">"/api/word${n}"</a>`).join("");

  it("at a page of a million links", async () => {
    const page = links(10_000).repeat(100);
    const { requests, operations } = await discovered((request, response) => {
      response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html" });
      response.end(request.url === "/" ? page : "");
    });
    expect(operations).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  it("at an API whose every answer leads to others", async () => {
    let made = 0;
    const { requests, notes } = await discovered((request, response) => {
      const known = /^\/(api\/word[a-z]+)?$/.test(request.url ?? "");
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
      const words = Array.from(
        { length: 500 },
        () => `/api/word${(made += 1).toString(36).replace(/\d/g, "x")}`,
      );
      response.end(JSON.stringify(known ? words : {}));
    });
    expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(notes.length).toBeLessThanOrEqual(1);
  });

  it("and on the target's origin", async () => {
    const other: string[] = [];
    await using elsewhere = await serve((request, response) => {
      other.push(request.url ?? "");
      response.end("{}");
    });
    await discovered({
      "GET /": {
        headers: { link: `<${elsewhere.url}/spec>; rel="service-desc"` },
        json: { next: `${elsewhere.url}/api/x` },
      },
      "GET /docs": html(`<redoc spec-url="${elsewhere.url}/openapi.json"></redoc>`),
    });
    expect(other).toEqual([]);
  });
});

function cutting(): RequestListener {
  let count = 0;
  return (request, response) => {
    count += 1;
    // The first ones are those of the calibration.
    if (count > 10 && count % 2) request.socket.destroy();
    else response.writeHead(404, { "content-type": "application/json" }).end("{}");
  };
}
