import { expect, it } from "vitest";
import { isAdministrative, isPublicByNature } from "./purpose.ts";

const facts = (parts: Partial<Parameters<typeof isAdministrative>[0]>) => ({
  base: "",
  path: "/things",
  tags: [],
  ...parts,
});

it.each([
  [true, "a segment of the path", { path: "/admin/users" }],
  [true, "a segment of the server's path", { base: "/internal" }],
  [true, "a tag", { tags: ["Management"] }],
  [true, "a word of the name", { operationId: "listAdminUsers" }],
  [true, "the summary", { summary: "Lists all tenants (admin only)" }],
  [false, "nothing at all", {}],
  [false, "a longer word", { path: "/administrators-of-the-year" }],
  [false, "a parameter's name", { path: "/users/{admin}" }],
  [false, "a longer word in its name", { operationId: "listAdministeredDoses" }],
  [false, "a summary that mentions an administrator", { summary: "The admin of a team" }],
  [false, "an administrator's way in", { path: "/admin/login" }],
  [false, "a health check", { path: "/internal/health" }],
])("that an operation is administrative is %s for %s", (expected, _, parts) => {
  expect(isAdministrative(facts(parts))).toBe(expected);
});

it.each(["/login", "/auth/sign-in", "/health/live", "/healthz", "/openapi.json", "/.well-known/jwks.json"])(
  "%s is public by nature",
  (path) => expect(isPublicByNature({ base: "/api", path })).toBe(true),
);

it.each(["/users", "/statuses", "/{login}/repos", "/versions"])("%s is not public by nature", (path) =>
  expect(isPublicByNature({ base: "/api", path })).toBe(false),
);
