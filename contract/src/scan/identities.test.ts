import { describe, expect, it } from "vitest";
import {
  identitiesFileSchema,
  identitiesSchema,
  MAX_IDENTITIES_BYTES,
  type IdentityInput,
} from "./identities.ts";

const alice: IdentityInput = { name: "alice", headers: { Authorization: "Bearer abc" } };
const bob: IdentityInput = {
  name: "bob",
  role: "admin",
  login: { operation: "POST /session", body: { email: "bob@example.com", password: "pw" } },
};
const flaws = (identities: unknown): string[] =>
  identitiesSchema
    .safeParse(identities)
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

describe("identities", () => {
  it("identities have the role of a user by default", () => {
    expect(identitiesSchema.parse([alice, bob]).map(({ role }) => role)).toEqual(["user", "admin"]);
  });

  it.each<[string, unknown, string]>([
    ["no identity", [], ": is empty"],
    [
      "five identities",
      Array.from({ length: 5 }, (_, at) => ({ ...alice, name: `a${at}` })),
      ": must not be more than 4",
    ],
    ["a name twice", [alice, alice], "1.name: is the name of another identity"],
    [
      "the name of the caller without credentials",
      [{ ...alice, name: "anonymous" }],
      "0.name: is the name of the caller without credentials",
    ],
    [
      "a name in capitals",
      [{ ...alice, name: "Alice" }],
      "0.name: must be 1 to 32 lower-case letters, digits and hyphens",
    ],
    ["no credential", [{ name: "alice" }], "0: needs `headers`, `cookies`, `query` or `login`"],
    [
      "an empty credential",
      [{ name: "alice", headers: {} }],
      "0: needs `headers`, `cookies`, `query` or `login`",
    ],
    [
      "a header with a line break",
      [{ name: "alice", headers: { a: "b\r\nc: d" } }],
      "0.headers.a: must not contain control characters",
    ],
    [
      "the header Host",
      [{ name: "alice", headers: { Host: "example.com" } }],
      "0.headers.Host: is set by the scanner itself",
    ],
    ["an unknown role", [{ ...alice, role: "root" }], "0.role: must be one of user, admin"],
    [
      "a sign-in without a method",
      [{ name: "bob", login: { operation: "/session" } }],
      "0.login.operation: must be a method and a path, as `POST /session`",
    ],
    [
      "a sign-in by DELETE",
      [{ name: "bob", login: { operation: "DELETE /session" } }],
      "0.login.operation: must be a method and a path, as `POST /session`",
    ],
    [
      "a body and a form",
      [{ name: "bob", login: { operation: "POST /s", body: {}, form: {} } }],
      "0.login.form: must not be given beside `body`",
    ],
    [
      "a token that is not a pointer",
      [{ name: "bob", login: { operation: "POST /s", token: "token" } }],
      "0.login.token: must be a JSON pointer, as `/data/token`",
    ],
  ])("refuse %s, with the field and the reason", (_, identities, flaw) => {
    expect(flaws(identities)).toContain(flaw);
  });

  it("refuse more secrets than a scan takes", () => {
    const headers = Object.fromEntries(
      ["a", "b", "c", "d"].map((name) => [name, "x".repeat(MAX_IDENTITIES_BYTES / 3)]),
    );
    expect(flaws([{ name: "alice", headers }])).toContain(`: must not exceed ${MAX_IDENTITIES_BYTES} bytes`);
  });

  it("identities are the only key of their file", () => {
    expect(identitiesFileSchema.safeParse({ identities: [alice], mode: "active" }).success).toBe(false);
    expect(identitiesFileSchema.safeParse({ identities: [alice] }).success).toBe(true);
  });
});
