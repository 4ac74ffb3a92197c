import { found } from "@glovebox/domain/testing";
import { expect, test } from "vitest";
import { pass, type Check } from "./check.ts";
import { believable } from "./catch-all-host.ts";
import type { Result } from "./result.ts";

/** `count` rows that were found, of this many products. */
const results = (count: number, products: number): Result[] =>
  Array.from({ length: count }, (_, index) => ({
    check: {
      id: `data-exposure/exposed-${index}`,
      kind: "exposure",
      group: "Things",
      product: String(index % products),
    } as Check,
    subject: { location: { method: "GET", path: `/${index}` } },
    verdict: { outcome: "fail", observed: "Seen.", instead: {} },
    reach: "untried",
    finding: { ...found("high confirmed"), observed: "Seen.", explanation: "General." },
  }));

test.each([
  ["believes a host with much of one product", 20, 1, true],
  ["believes a host with little of many products", 7, 7, true],
  ["does not believe a host with much of many products", 8, 5, false],
])("%s", (_, count, products, isBelieved) => {
  const after = believable(results(count, products));
  expect(after.every(({ finding }) => (finding !== undefined) === isBelieved)).toBe(true);
  expect(after.every(({ verdict }) => verdict.outcome === (isBelieved ? "fail" : "inconclusive"))).toBe(true);
});

test("what other checks found at a host that is not believed stays", () => {
  const check = { id: "encryption/hsts" } as Check;
  const other: Result = { ...results(1, 1)[0]!, check };
  const passed: Result = { ...results(1, 1)[0]!, verdict: pass() };
  delete (passed as { finding?: unknown }).finding;
  expect(believable([...results(9, 9), other, passed]).slice(-2)).toEqual([other, passed]);
});
