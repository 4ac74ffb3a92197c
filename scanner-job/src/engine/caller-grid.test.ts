import { accessOfCallersSchema, type CallerAccess, type Expectation, type Finding } from "@glovebox/contract";
import { instanceId } from "@glovebox/domain";
import { describe, expect, it } from "vitest";
import { anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { accessOf } from "./caller-access.ts";
import { callerGrid } from "./caller-grid.ts";

const { calibration } = aTargetProfile();
const operation = anOperation({ path: "/orders/{id}" });
const admin = anOperation({ path: "/admin/users", tags: ["admin"] });
const json = (value: unknown, status = 200) =>
  aResponse({ status, body: JSON.stringify(value), headers: { "content-type": "application/json" } });

describe("accessOf", () => {
  const order = { id: 1, owner: "alice", item: "Lamp" };
  it.each<[string, ReturnType<typeof json>, CallerAccess]>([
    ["the same data is allowed", json(order), "allowed"],
    ["the same data in another order is allowed", json({ item: "Lamp", owner: "alice", id: 1 }), "allowed"],
    ["other data is different", json({ id: 2, owner: "bob", item: "Cup" }), "different"],
    ["fewer members are different", json({ id: 1 }), "different"],
    ["a demand for credentials is refused", json({ error: "Sign in" }, 401), "refused"],
    ["404 is not found", json({ error: "Not found" }, 404), "notFound"],
    ["a fault is no answer", json({ error: "Fault" }, 500), "noAnswer"],
  ])("%s", (_, response, access) => {
    expect(accessOf(response, json(order), { operation, calibration })).toBe(access);
  });

  it("a success is allowed where the baseline identity is refused", () => {
    expect(accessOf(json(order), json({}, 403), { operation, calibration })).toBe("allowed");
  });

  it("two empty lists are the same", () => {
    expect(accessOf(json([]), json([]), { operation, calibration })).toBe("allowed");
  });
});

describe("callerGrid", () => {
  const callers = [
    { name: "alice", role: "user" as const },
    { name: "root", role: "admin" as const },
  ];
  const gridOf = (expectations: readonly Expectation[] = [], findings: readonly Finding[] = []) =>
    callerGrid({
      profile: aTargetProfile({ operations: [operation, admin], callers, expectations }),
      access: new Map([
        [
          admin,
          new Map<string, CallerAccess>([
            ["alice", "allowed"],
            ["root", "allowed"],
            ["anonymous", "refused"],
          ]),
        ],
      ]),
      anonymousReaches: new Map([[operation, "refused" as const]]),
      findings,
    }).map((row) => accessOfCallersSchema.parse(row));

  it("callerGrid has a row for each operation, also for what was not read", () => {
    expect(gridOf()).toEqual([
      {
        method: "GET",
        path: "/admin/users",
        access: { alice: "allowed", root: "allowed", anonymous: "refused" },
      },
      {
        method: "GET",
        path: "/orders/{id}",
        access: { alice: "notCalled", root: "notCalled", anonymous: "refused" },
      },
    ]);
  });

  it.each<[string, Expectation[], unknown]>([
    [
      "a role that reaches what is denied",
      [{ role: "user", deny: ["/admin/**"] }],
      [{ caller: "alice", expectation: "deny" }],
    ],
    [
      "an identity that reaches what is denied",
      [{ identity: "root", deny: ["tag:admin"] }],
      [{ caller: "root", expectation: "deny" }],
    ],
    [
      "anonymous callers that are refused what is allowed",
      [{ identity: "anonymous", allow: ["GET /admin/users"] }],
      [{ caller: "anonymous", expectation: "allow" }],
    ],
    [
      "nothing where an exception is allowed",
      [{ role: "user", deny: ["/admin/**"], allow: ["/admin/users"] }],
      undefined,
    ],
    ["nothing where a denied caller is refused", [{ identity: "anonymous", deny: ["/**"] }], undefined],
  ])("shows %s", (_, expectations, violations) => {
    expect(gridOf(expectations)[0]!.violations).toEqual(violations);
  });

  it("shows the attacker of a finding of authorization", () => {
    const finding = {
      ...{ id: "f1", check: "bola-authorization/user-object-read", category: "bolaAuthorization" },
      location: { method: "GET", path: "/orders/{id}" },
      evidence: {
        exchanges: [
          { role: "baseline", request: { caller: "root" } },
          { role: "attack", request: { caller: "alice" } },
          { role: "control", request: {} },
        ],
      },
    } as unknown as Finding;
    expect(gridOf([], [finding])[1]!.violations).toEqual([
      { caller: "alice", finding: instanceId(finding.check, finding.location) },
    ]);
  });
});
