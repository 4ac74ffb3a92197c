import fc from "fast-check";
import { expect, test } from "vitest";
import { Holders } from "./holders.ts";

const contender = fc.record({
  id: fc.constantFrom("1", "2", "3", "4"),
  account: fc.constantFrom("a", "b"),
  host: fc.constantFrom("x", "y"),
});

test("whoever comes, goes or turns out to be another's, the counts are those of the holders that are left", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ contender, comes: fc.boolean() })), (steps) => {
      const holders = new Holders();
      const left = new Map<string, (typeof steps)[number]["contender"]>();
      for (const { contender: one, comes } of steps) {
        if (!comes) expect(holders.delete(one.id)).toBe(left.delete(one.id));
        if (comes) holders.put(one);
        if (comes) left.set(one.id, one);
      }
      const countOf = (key: "account" | "host", name: string) =>
        [...left.values()].filter((one) => one[key] === name).length;
      expect(holders.total).toBe(left.size);
      for (const account of ["a", "b"]) expect(holders.ofAccount(account)).toBe(countOf("account", account));
      for (const host of ["x", "y"]) expect(holders.ofHost(host)).toBe(countOf("host", host));
    }),
  );
});
