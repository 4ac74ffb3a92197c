import { describe, expect, test } from "vitest";
import { pastedIdentities } from "./pasted-identities.ts";

const YAML = `
identities:
  - name: alice
    role: admin
    headers: {Authorization: "Bearer s3cret"}
`;
const ALICE = { name: "alice", role: "admin", headers: { Authorization: "Bearer s3cret" } };

describe("pasted identities", () => {
  test.each<[string, unknown]>([
    ["a file in YAML", YAML],
    ["a list in YAML", YAML.split("\n").slice(2).join("\n")],
    ["a file in JSON", JSON.stringify({ identities: [ALICE] })],
    ["a list in JSON", JSON.stringify([ALICE])],
    ["values", [ALICE]],
  ])("pasted identities are read from %s", (_, pasted) => {
    expect(pastedIdentities.parse(pasted)).toEqual({ identities: [ALICE] });
  });

  test("keep a password that looks like a date as text", () => {
    const login = "[{name: bob, login: {operation: POST /session, form: {user: bob, password: 2026-01-31}}}]";
    expect(pastedIdentities.parse(login)).toMatchObject({
      identities: [{ login: { form: { password: "2026-01-31" } } }],
    });
  });

  test.each<[unknown, string]>([
    ["", "is neither YAML nor JSON (line 1)"],
    ["s3cret", "must be a list of identities, or have the key `identities`"],
    [{ mode: "s3cret" }, "must be a list of identities, or have the key `identities`"],
    ["a: [s3cret\nb: c: d", "is neither YAML nor JSON (line 2)"],
    ["[{name: a, name: s3cret}]", "is neither YAML nor JSON (line 1)"],
    ["- &a {name: a, query: {k: s3cret}}\n- *a", "must not have aliases"],
    ["x".repeat(65 * 1024), "is longer than 65536 characters"],
  ])("%# are refused with the reason, which repeats no value", (pasted, reason) => {
    expect(pastedIdentities.safeParse(pasted).error?.issues).toMatchObject([{ path: [], message: reason }]);
    expect(reason).not.toContain("s3cret");
  });

  test("pasted identities are refused by the field within the text", () => {
    const { error } = pastedIdentities.safeParse("[{name: a, headers: {Host: s3cret}}]");
    expect(error?.issues).toMatchObject([
      { path: [0, "headers", "Host"], message: "is set by the scanner itself" },
    ]);
  });

  test("pasted identities have the expectations of the file, and a mistake in them is found by its field", () => {
    const withDeny = (deny: string) => `${YAML}expectations:\n  - {role: user, deny: [${deny}]}`;
    expect(pastedIdentities.parse(withDeny("/admin/**"))).toEqual({
      identities: [ALICE],
      expectations: [{ role: "user", deny: ["/admin/**"] }],
    });
    const { error } = pastedIdentities.safeParse(withDeny("sometimes"));
    expect(error?.issues).toMatchObject([{ path: ["expectations", 0, "deny", 0] }]);
  });

  test("pasted identities with another key are refused", () => {
    const { error } = pastedIdentities.safeParse(`${YAML}mode: s3cret`);
    expect(error?.issues).toMatchObject([{ path: [], message: "has unknown fields: mode" }]);
    expect(JSON.stringify(error?.issues)).not.toContain("s3cret");
  });

  test("pasted identities of aliases without end are refused in no time", () => {
    const levels = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    const bomb = ["a0: &a0 [x]", ...levels].join("\n");
    expect(pastedIdentities.safeParse(bomb).error?.issues).toMatchObject([
      { message: "must not have aliases" },
    ]);
  });
});
