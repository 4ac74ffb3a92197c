import { describe, expect, it } from "vitest";
import { identitiesFileSchema } from "./identities.ts";
import { expectationSchema } from "./expectations.ts";

describe("an expectation", () => {
  it.each([
    { role: "user", deny: ["/admin/**"] },
    { identity: "anonymous", allow: ["GET /products"], deny: ["/**"] },
  ])("%j is accepted", (expectation) => {
    expect(expectationSchema.parse(expectation)).toEqual(expectation);
  });

  it.each([
    [{ deny: ["/admin/**"] }, "needs either `role` or `identity`"],
    [{ role: "user", identity: "alice", deny: ["/admin/**"] }, "needs either `role` or `identity`"],
    [{ role: "user" }, "needs `allow` or `deny`"],
    [{ role: "user", deny: ["admin"] }, "must be a method, a path, both"],
  ])("%j is refused", (expectation, reason) => {
    const { error } = expectationSchema.safeParse(expectation);
    expect(error?.issues[0]?.message).toContain(reason);
  });

  it("an expectation may stand beside the identities of a file", () => {
    const file = {
      identities: [{ name: "alice", headers: { Authorization: "Bearer a-token" } }],
      expectations: [{ role: "user", deny: ["/admin/**"] }],
    };
    expect(identitiesFileSchema.parse(file).expectations).toEqual(file.expectations);
  });
});
