import { describe, expect, it } from "vitest";
import { apiDocument } from "../testing/api-document.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { inventoryOf } from "../testing/inventory-of.ts";

describe("operations that destroy", { timeout: 30_000 }, () => {
  it("are left out where the document declares them, and named in the notes", async () => {
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

  it("are left out where a link leads to them, and named in the notes", async () => {
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
