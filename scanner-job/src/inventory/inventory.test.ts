import { describe, expect, it } from "vitest";
import { apiDocument } from "../testing/api-document.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { inventoryOf } from "../testing/inventory-of.ts";

describe("operations that destroy", { timeout: 30_000 }, () => {
  it("operations that destroy are left out where the document declares them, and named in the notes", async () => {
    const document = apiDocument({
      "/users": { get: {} },
      "/createdb": { get: { summary: "Creates and populates the database" } },
      "/maintenance": { post: { operationId: "purgeEverything" } },
    });
    const { names, notes, requests } = await inventoryOf(
      fakeApi({ "GET /users": { json: [] }, "GET /createdb": { json: { done: true } } }),
      { document },
    );
    expect(names).toEqual(["GET /users"]);
    expect(notes.join(" ")).toContain("GET /createdb, POST /maintenance");
    expect(requests.join(" ")).not.toContain("createdb");
  });

  it("operations that destroy are left out where a link leads to them, and named in the notes", async () => {
    const { names, notes, requests } = await inventoryOf(
      fakeApi({
        "GET /": { json: { users: "/users", reset: "/api/reset" } },
        "GET /users": { json: [] },
        "GET /api/reset": { json: { done: true } },
      }),
    );
    expect(names).toContain("GET /users");
    expect(notes.join(" ")).toContain("GET /api/reset");
    expect(requests).not.toContain("GET /api/reset");
  });
});

describe("the base path that responds", { timeout: 30_000 }, () => {
  const paths = { "/users": { get: {} }, "/orders/{orderId}": { get: {} }, "/orders": { post: {} } };
  const api = (base: string) =>
    fakeApi({
      [`GET ${base}/users`]: { json: [{ id: 1 }] },
      [`GET ${base}/orders/{id}`]: { status: 404, json: { message: "There is no such order" } },
      [`GET ${base}/orders`]: { status: 405, json: { message: "Method not allowed" } },
    });
  const at = (base: string) => [`GET ${base}/orders/{orderId}`, `GET ${base}/users`, `POST ${base}/orders`];

  it.each<[string, object, string, string]>([
    ["is the root where the server is empty", { servers: [{ url: "" }] }, "/", ""],
    ["is a relative server's", { servers: [{ url: "/v2" }] }, "/", "/v2"],
    ["is the path of a server on another host", { servers: [{ url: "https://prod.test/v2" }] }, "/", "/v2"],
    [
      "is the path for another value of a variable",
      { servers: [{ url: "/{v}", variables: { v: { default: "v1", enum: ["v1", "v2"] } } }] },
      "/",
      "/v2",
    ],
    [
      "is the second server's",
      { servers: [{ url: "https://prod.test/prod" }, { url: "https://prod.test/v2" }] },
      "/",
      "/v2",
    ],
    ["is the submitted path where the document names none", {}, "/gateway/api", "/gateway/api"],
    ["is the root where the document's own does not respond", { servers: [{ url: "/wrong/v1" }] }, "/", ""],
    ["is below a gateway's prefix", { servers: [{ url: "/v1" }] }, "/gateway", "/gateway/v1"],
    ["is /api where the document names nothing", {}, "/", "/api"],
    ["is a relative server's without a slash", { servers: [{ url: "v2" }] }, "/", "/v2"],
    [
      "is the path of the server on the target's host, among several",
      { servers: [{ url: "https://prod.test/v9" }, { url: "http://127.0.0.1:1/v2" }, { url: "/v2" }] },
      "/",
      "/v2",
    ],
    [
      "is the target's where the host is left open",
      { servers: [{ url: "{scheme}://{host}/v3" }] },
      "/",
      "/v3",
    ],
  ])("%s (OpenAPI 3.1 and 3.0)", async (_, rest, path, base) => {
    for (const openapi of ["3.1.0", "3.0.3"]) {
      const document = apiDocument(paths, { ...rest, openapi });
      const { names } = await inventoryOf(api(base), { document, path });
      expect(names).toEqual(expect.arrayContaining(at(base)));
    }
  });

  it.each<[string, object, string, string]>([
    ["is the documented one", { basePath: "/v2" }, "/", "/v2"],
    ["is the root where it is empty", { basePath: "" }, "/", ""],
    ["is another host's", { host: "prod.test", schemes: ["https"], basePath: "/v2" }, "/", "/v2"],
    ["is the path of a host left open", { host: "{host}", basePath: "/v2" }, "/", "/v2"],
    ["is the submitted path where none is documented", {}, "/gateway/api", "/gateway/api"],
    ["is below a gateway's prefix", { basePath: "/v1" }, "/gateway", "/gateway/v1"],
    ["is another than the documented one, which does not respond", { basePath: "/old" }, "/", "/api"],
  ])("%s (Swagger 2)", async (_, rest, path, base) => {
    const document = { swagger: "2.0", info: {}, paths, ...rest };
    const { names, notes } = await inventoryOf(api(base), { document, path });
    expect(names).toEqual(expect.arrayContaining(at(base)));
    if ("basePath" in rest && rest.basePath === "/old")
      expect(notes.join(" ")).toContain("called below /api");
  });

  it("stays as documented, with a note that it does not respond, where no other does either", async () => {
    const document = apiDocument(paths, { servers: [{ url: "/v1" }] });
    const { names, notes } = await inventoryOf(fakeApi({}), { document });
    expect(names).toEqual(at("/v1"));
    expect(notes.join(" ")).toContain("None of the document's operations was found below /v1");
  });

  it("the base path that responds is not searched for where every path is refused", async () => {
    const document = apiDocument(paths, { servers: [{ url: "/v1" }] });
    const { names } = await inventoryOf(fakeApi({ "* *": { status: 403, json: {} } }), { document });
    expect(names).toEqual(expect.arrayContaining(at("/v1")));
  });
});
