import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { discovered, html, script, type Target } from "../../testing/discovered.ts";
import { serve } from "../../testing/serve.ts";

const MAX_REQUESTS = 300;

describe("discover finds operations", { timeout: 30_000 }, () => {
  it("discover finds operations by the links, lists and redirects of a JSON API", async () => {
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

  it("discover finds operations by the scripts of a page", async () => {
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

  it("discover finds operations by robots.txt and the site map", async () => {
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

  it("discover finds operations by common names, and by what a 405 allows", async () => {
    const { names } = await discovered({
      "GET /api/v1/products": { json: [{ id: "p-1" }] },
      "GET /api/v1/products/p-1": { json: { id: "p-1" } },
      "GET /api/v1/login": { status: 405, headers: { allow: "POST, OPTIONS" } },
    });
    expect(names).toEqual(["GET /api/v1/products", "GET /api/v1/products/{id}", "POST /api/v1/login"]);
  });

  it("discover finds operations in the versions beside the one that is known", async () => {
    const { names } = await discovered(
      { "GET /v2/users": { json: [{ name: "A" }] }, "GET /v1/users": { json: [{ name: "A" }] } },
      "/v2/users",
    );
    expect(names).toEqual(["GET /v1/users", "GET /v2/users"]);
  });
});

describe("discover finds nothing", { timeout: 30_000 }, () => {
  it.each<[string, Target]>([
    [
      "at a single-page app that returns 200 for everything",
      { "* *": html("<!doctype html><title>App</title><div id=root></div>") },
    ],
    [
      "at a host that returns the same JSON for everything",
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

  it("discover stays within its bounds at a page of a million links", async () => {
    const page = links(10_000).repeat(100);
    const { requests, operations } = await discovered((request, response) => {
      response.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html" });
      response.end(request.url === "/" ? page : "");
    });
    expect(operations).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });

  it("discover stays within its bounds at an API whose every response leads to others", async () => {
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

  it("discover stays within its bounds and on the target's origin", async () => {
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
    // The first ones are the calibration's.
    if (count > 10 && count % 2) request.socket.destroy();
    else response.writeHead(404, { "content-type": "application/json" }).end("{}");
  };
}
