import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { ResponseBudget } from "./response-budget.ts";

const MAX = 100_000;

const responseOf = (length: number, { isWide = false, header = "" } = {}) =>
  aResponse({ body: (isWide ? "€" : "a").repeat(length), headers: { "x-filler": header } });

describe("the budget of kept responses", () => {
  it("the budget of kept responses is never exceeded by the bytes of the whole responses", () => {
    const sizes = fc.record({
      length: fc.integer({ min: 0, max: 150_000 }),
      isWide: fc.boolean(),
      header: fc.string({ maxLength: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 30 }), (all) => {
        const budget = new ResponseBudget(MAX);
        const responses = all.map(({ length, ...rest }) => responseOf(length, rest));
        for (const response of responses) {
          budget.keep(response);
          expect(budget.bytes).toBeLessThanOrEqual(MAX);
        }
        const whole = responses.filter(({ isCut, bytes }) => !isCut && bytes > 10_000);
        expect(whole.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX);
        for (const { isCut, bytes } of responses) if (isCut) expect(bytes).toBeLessThan(10_000);
      }),
      { numRuns: 50 },
    );
  });

  it("cuts the oldest response first", () => {
    const budget = new ResponseBudget(MAX);
    const [first, second, third] = [responseOf(40_000), responseOf(40_000), responseOf(40_000)];
    for (const response of [first, second, third]) budget.keep(response);
    expect([first, second, third].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    expect(first.body).toBe("a".repeat(2_048));
  });

  it("counts two bytes for each character of a text that needs them", () => {
    const budget = new ResponseBudget(MAX);
    const [first, second] = [responseOf(30_000, { isWide: true }), responseOf(30_000, { isWide: true })];
    budget.keep(first);
    expect(first.isCut).toBe(false);
    budget.keep(second);
    expect(first.isCut).toBe(true);
  });

  it("never cuts a pinned response, and counts it", () => {
    const budget = new ResponseBudget(MAX);
    const [pinned, other, last] = [responseOf(60_000), responseOf(30_000), responseOf(30_000)];
    budget.keep(pinned);
    budget.pin([pinned]);
    budget.keep(other);
    budget.keep(last);
    expect([pinned, other, last].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  });

  it("cuts nothing of a response that is short", () => {
    const budget = new ResponseBudget(0);
    const response = responseOf(2_000);
    budget.keep(response);
    expect(response.isCut).toBe(false);
    expect(response.body).toHaveLength(2_000);
  });
});

describe("a cut response", () => {
  it("tells that it was read only once a part that was cut was read", () => {
    const response = responseOf(10_000);
    expect(response.body).toHaveLength(10_000);
    response.cut();
    expect(response.headers["x-filler"]).toBe("");
    expect(response.isReadCut).toBe(false);
    expect(response.json).toBeUndefined();
    expect(response.isReadCut).toBe(true);
  });

  it("a cut response has no headers where they were long", () => {
    const response = responseOf(10, { header: "a".repeat(60_000) });
    response.cut();
    expect(response.isCut).toBe(true);
    expect(response.headers).toEqual({});
    expect(response.body).toHaveLength(10);
    expect(response.isReadCut).toBe(true);
  });

  it("a cut response that was parsed before is not read from what was parsed", () => {
    const response = aResponse({ body: JSON.stringify({ text: "a".repeat(10_000) }) });
    expect(response.json).toEqual({ text: "a".repeat(10_000) });
    response.cut();
    expect(response.json).toBeUndefined();
  });
});
