import { describe, expect, it } from "vitest";
import { ValuePool } from "./value-pool.ts";

const pool = (responses: Readonly<Record<string, unknown>>): ValuePool => {
  const values = new ValuePool();
  for (const [path, json] of Object.entries(responses)) values.add(path, json);
  return values;
};

const text = (name: string, format?: string) => ({
  name,
  type: "string" as const,
  ...(format ? { format } : {}),
});

describe("a value is found", () => {
  it.each<[string, Record<string, unknown>, ReturnType<typeof text>, string, string | undefined]>([
    ["under its own name, however it is spelt", { "/a": { user_id: "u1" } }, text("userId"), "", "u1"],
    ["as the id of what is listed", { "/v1/users": [{ id: "u1" }] }, text("userId"), "", "u1"],
    ["as another kind of id", { "/users": [{ uuid: "u-1" }] }, text("userId"), "", "u-1"],
    ["for a list of ids", { "/users": [{ id: "u1" }] }, text("userIds"), "", "u1"],
    ["under the thing's own name", { "/orders": [{ owner: "ada" }] }, text("owner_id"), "", "ada"],
    [
      "as the slug of what is listed",
      { "/posts": [{ slug: "first-post" }] },
      text("post_slug"),
      "",
      "first-post",
    ],
    ["under a name that ends in it", { "/a": { backupFileId: "f9" } }, text("fileId"), "", "f9"],
    [
      "for a bare id, by what the path names",
      { "/users": [{ id: "u1" }] },
      text("id"),
      "/api/v1/users/search",
      "u1",
    ],
    [
      "for the id of an item, by what the path names",
      { "/users": [{ id: "u1" }] },
      text("itemId"),
      "/users/me",
      "u1",
    ],
    [
      "by its format",
      { "/a": { contact: "ada@shop.test" } },
      text("recipient", "email"),
      "",
      "ada@shop.test",
    ],
    ["as a word out of a name, for a search", { "/a": { title: "Of Gardens" } }, text("q"), "", "Gardens"],
    ["never for a bare id of nothing", { "/users": [{ id: "u1" }] }, text("id"), "", undefined],
    ["never of another thing", { "/users": [{ id: "u1" }] }, text("orderId"), "", undefined],
    ["never for what many things have", { "/a": { status: "open" } }, text("status"), "", undefined],
    ["never against the format", { "/a": { day: "soon" } }, text("day", "date"), "", undefined],
  ])("%s", (_, responses, wanted, path, value) => {
    expect(pool(responses).valueFor(wanted, path)).toBe(value);
  });

  it("a value is found of a number only where it is one", () => {
    const values = pool({ "/users": [{ id: "u1" }, { id: 7 }] });
    expect(values.valueFor({ name: "userId", type: "integer" })).toBe("7");
  });

  it("a value is found in the claims of a token, by what APIs call the same", () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "none" })}.${part({ sub: "42", email: "a@b.example", org_id: "o1", exp: 1 })}.`;
    const values = pool({ "/login": { data: { token } } });
    expect(values.valueFor({ name: "user_id", type: "integer" })).toBe("42");
    expect(values.valueFor(text("organizationId"))).toBe("o1");
    expect(values.valueFor(text("to", "email"))).toBe("a@b.example");
  });
});
