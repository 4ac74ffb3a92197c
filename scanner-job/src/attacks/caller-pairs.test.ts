import type { Caller } from "@glovebox/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callerPairs } from "./caller-pairs.ts";

const caller = (name: string, rest: Partial<Caller> = {}): Caller => ({ name, role: "user", ...rest });
const namesOf = (callers: readonly Caller[]): string[] =>
  callerPairs(callers).map(({ owner, attacker }) => `${owner.name} > ${attacker.name}`);

it.each<[string, Caller[], string[]]>([
  ["no pair of one identity", [caller("a")], []],
  ["both directions of two users", [caller("a"), caller("b")], ["a > b", "b > a"]],
  ["no administrator as the attacker", [caller("a"), caller("root", { role: "admin" })], ["root > a"]],
  ["no users of one tenant", [caller("a", { tenant: "t" }), caller("b", { tenant: "t" })], []],
  [
    "users of other tenants, and administrators as owners last",
    [caller("a", { tenant: "t" }), caller("b", { tenant: "u" }), caller("root", { role: "admin" })],
    ["a > b", "b > a", "root > a", "root > b"],
  ],
])("the pairs of callers are %s", (_, callers, pairs) => {
  expect(namesOf(callers)).toEqual(pairs);
});

it("no pair has a caller attack an own object", () => {
  const callers = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      role: fc.constantFrom("user" as const, "admin" as const),
    }),
    { selector: ({ name }) => name },
  );
  fc.assert(
    fc.property(callers, (all) => {
      for (const { owner, attacker } of callerPairs(all)) {
        expect(owner).not.toBe(attacker);
        expect(attacker.role).toBe("user");
      }
    }),
  );
});
