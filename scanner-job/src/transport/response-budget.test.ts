import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import { ResponseBudget } from "./response-budget.ts";

const MAX = 100_000;

const replyOf = (length: number, { isWide = false, header = "" } = {}) =>
  aReply({ body: (isWide ? "€" : "a").repeat(length), headers: { "x-filler": header } });

describe("the budget of kept responses", () => {
  it("is never exceeded by the bytes of the whole responses", () => {
    const sizes = fc.record({
      length: fc.integer({ min: 0, max: 150_000 }),
      isWide: fc.boolean(),
      header: fc.string({ maxLength: 5_000 }),
    });
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 30 }), (all) => {
        const budget = new ResponseBudget(MAX);
        const replies = all.map(({ length, ...rest }) => replyOf(length, rest));
        for (const reply of replies) {
          budget.keep(reply);
          expect(budget.bytes).toBeLessThanOrEqual(MAX);
        }
        const whole = replies.filter(({ isCut, bytes }) => !isCut && bytes > 10_000);
        expect(whole.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX);
        for (const { isCut, bytes } of replies) if (isCut) expect(bytes).toBeLessThan(10_000);
      }),
      { numRuns: 50 },
    );
  });

  it("cuts the oldest response first", () => {
    const budget = new ResponseBudget(MAX);
    const [first, second, third] = [replyOf(40_000), replyOf(40_000), replyOf(40_000)];
    for (const reply of [first, second, third]) budget.keep(reply);
    expect([first, second, third].map(({ isCut }) => isCut)).toEqual([true, false, false]);
    expect(first.body).toBe("a".repeat(2_048));
  });

  it("counts two bytes for each character of a text that needs them", () => {
    const budget = new ResponseBudget(MAX);
    const [first, second] = [replyOf(30_000, { isWide: true }), replyOf(30_000, { isWide: true })];
    budget.keep(first);
    expect(first.isCut).toBe(false);
    budget.keep(second);
    expect(first.isCut).toBe(true);
  });

  it("never cuts a pinned response, and counts it", () => {
    const budget = new ResponseBudget(MAX);
    const [pinned, other, last] = [replyOf(60_000), replyOf(30_000), replyOf(30_000)];
    budget.keep(pinned);
    budget.pin([pinned]);
    budget.keep(other);
    budget.keep(last);
    expect([pinned, other, last].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  });

  it("cuts nothing of a response that is short", () => {
    const budget = new ResponseBudget(0);
    const reply = replyOf(2_000);
    budget.keep(reply);
    expect(reply.isCut).toBe(false);
    expect(reply.body).toHaveLength(2_000);
  });
});

describe("a cut response", () => {
  it("tells that it was read only once a part that was cut was read", () => {
    const reply = replyOf(10_000);
    expect(reply.body).toHaveLength(10_000);
    reply.cut();
    expect(reply.headers["x-filler"]).toBe("");
    expect(reply.isReadCut).toBe(false);
    expect(reply.json).toBeUndefined();
    expect(reply.isReadCut).toBe(true);
  });

  it("has no headers where they were long", () => {
    const reply = replyOf(10, { header: "a".repeat(60_000) });
    reply.cut();
    expect(reply.isCut).toBe(true);
    expect(reply.headers).toEqual({});
    expect(reply.body).toHaveLength(10);
    expect(reply.isReadCut).toBe(true);
  });

  it("that was parsed before is not read from what was parsed", () => {
    const reply = aReply({ body: JSON.stringify({ text: "a".repeat(10_000) }) });
    expect(reply.json).toEqual({ text: "a".repeat(10_000) });
    reply.cut();
    expect(reply.json).toBeUndefined();
  });
});
