import { instancesOf } from "@glovebox/domain";
import { describe, expect, it } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { scanWith, testCheck } from "../../testing/test-check.ts";
import { ALICE_AND_BOB, FORBIDDEN, identityOf, usersApi } from "../../testing/users-api.ts";
import check from "./denied-operation.ts";

const document = apiDocument({ "/me": { get: {} }, "/admin/users": { get: {} } });
const ROWS = { json: [{ id: 1, username: "root" }] };
const open = usersApi({ "GET /admin/users": () => ROWS });
const guarded = usersApi({ "GET /admin/users": ({ role }) => (role === "admin" ? ROWS : FORBIDDEN) });
const identities = [identityOf("admin"), identityOf("bob")];
const expectations = [{ role: "user", deny: ["/admin/**"] }] as const;
const common = {
  document,
  identities,
  expectations: expectations.map(({ role, deny }) => ({ role, deny: [...deny] })),
};

testCheck(check, {
  positive: [
    {
      name: "an operation that a denied role reaches",
      target: open,
      ...common,
      count: 1,
      finding: {
        location: { method: "GET", path: "/admin/users" },
        observed: "bob reached the operation, which the expectations deny.",
      },
    },
  ],
  negative: [{ name: "an operation that refuses the denied role", target: guarded, ...common }],
  inconclusive: [
    { name: "a scan without expectations", target: open, document, identities },
    {
      name: "an operation that responds with faults",
      target: usersApi({ "GET /admin/users": () => ({ status: 500, json: {} }) }),
      ...common,
    },
  ],
});

describe("the grid of a scan", () => {
  it("the grid of a scan has what each caller got, and the violations", async () => {
    const report = await scanWith([check], { name: "", target: open, ...common });
    expect(report.accessByCaller).toEqual([
      {
        ...{ method: "GET", path: "/admin/users" },
        access: { admin: "allowed", bob: "allowed", anonymous: "refused" },
        violations: [
          { caller: "bob", finding: instancesOf(report.findings[0]!)[0]!.id },
          { caller: "bob", expectation: "deny" },
        ],
      },
      { method: "GET", path: "/me", access: { admin: "allowed", bob: "different", anonymous: "refused" } },
    ]);
  });

  it("the grid of a scan is not there without identities", async () => {
    const report = await scanWith([check], { name: "", target: open, document });
    expect(report.accessByCaller).toBeUndefined();
  });

  it("shows a user who may not do what another may", async () => {
    const report = await scanWith([check], {
      name: "",
      target: guarded,
      document,
      identities: ALICE_AND_BOB,
    });
    expect(report.accessByCaller![0]!.access).toEqual({
      alice: "refused",
      bob: "refused",
      anonymous: "refused",
    });
  });
});
