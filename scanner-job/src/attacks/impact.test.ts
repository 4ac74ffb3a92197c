import { describe, expect, it } from "vitest";
import { discoveredOperation, type OperationFacts } from "../inventory/operation.ts";
import { aResponse } from "../testing/samples.ts";
import { impactOfRead, impactOfWrite } from "./impact.ts";

function operation(method: string, path: string, ...names: readonly string[]): OperationFacts {
  const facts = discoveredOperation({ method, path, source: "spec" });
  const fields = names.map((name) => ({
    ...{ path: name, name, type: "string", readOnly: false, required: true },
  }));
  const body = { mediaType: "application/json", required: true, sample: {}, fields, closed: false };
  return names.length === 0 ? facts : { ...facts, body };
}

const CRITICAL = "critical";
const HIGH = "high";

describe("what anybody may do with a write", () => {
  const gravity = (facts: OperationFacts, records: readonly unknown[] = []): string | undefined => {
    const impact = impactOfWrite(facts, records);
    return impact && (impact.severity ?? HIGH);
  };

  it.each<[string, OperationFacts, string | undefined]>([
    ["that deletes a user is critical", operation("DELETE", "/users/{userId}"), CRITICAL],
    ["that changes a user is critical", operation("PATCH", "/accounts/{accountId}", "name"), CRITICAL],
    ["that promotes is critical", operation("POST", "/invitations", "email", "role"), CRITICAL],
    ["that executes what it is sent is critical", operation("POST", "/jobs", "command"), CRITICAL],
    ["that administers is critical", operation("POST", "/admin/jobs", "name"), CRITICAL],
    ["that resets the server is critical", operation("POST", "/nodes/reset"), CRITICAL],
    ["that changes things is high", operation("PUT", "/chairs/{chairId}", "colour"), HIGH],
    ["that stores things is high", operation("POST", "/orders", "item"), HIGH],
    [
      "that resets a forgotten password is for everybody",
      operation("POST", "/password/reset", "email"),
      undefined,
    ],
    ["that signs in is for everybody", operation("POST", "/login", "email", "password"), undefined],
    ["that registers is for everybody", operation("POST", "/register", "email", "password"), undefined],
    ["that sends a message is for everybody", operation("POST", "/contact", "text"), undefined],
  ])("%s", (_, facts, expected) => expect(gravity(facts)).toBe(expected));

  it("what anybody may do with a write is critical where the records of its resource are accounts, whatever it is called", () => {
    const records = [[{ id: 1, login: "mw", role: "owner" }]];
    expect([
      gravity(operation("DELETE", "/zorvex/{id}"), records),
      gravity(operation("DELETE", "/zorvex/{id}")),
    ]).toEqual([CRITICAL, HIGH]);
  });
});

describe("what anybody gets by a read", () => {
  const read = (json: unknown, facts: OperationFacts = operation("GET", "/things")): string | undefined => {
    const impact = impactOfRead(
      facts,
      aResponse({ body: JSON.stringify(json), headers: { "content-type": "application/json" } }),
    );
    return impact && (impact.severity ?? HIGH);
  };

  it.each<[string, unknown, string | undefined]>([
    ["accounts with roles are critical", [{ id: 1, login: "mw", role: "owner" }], CRITICAL],
    [
      "a password hash is critical",
      [{ id: 1, passwordHash: "$2b$12$eixZaYVK1fsbw1ZfabcdefKq9Kq9Kq9Kq9Kq9Kq9Kq9Kq9Kq9Kq9Kq" }],
      CRITICAL,
    ],
    ["goods are public", [{ id: 1, name: "Low chair", price: 90 }], undefined],
  ])("%s", (_, json, expected) => expect(read(json)).toBe(expected));
});
