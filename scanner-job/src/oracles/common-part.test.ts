import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { commonPart } from "./common-part.ts";

const json = (value: unknown) => aResponse({ body: JSON.stringify(value) });
const text = (body: string) => aResponse({ body });
const order = { id: 5, item: "Lamp", total: 20, owner: { id: 1, email: "a@b.example" } };

describe("commonPart", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["equal objects", order, order, order],
    ["members in another order", { a: "x", b: "y" }, { b: "y", a: "x" }, { a: "x", b: "y" }],
    ["rows in another order", [{ a: "x" }, { a: "y" }], [{ a: "y" }, { a: "x" }], [{ a: "y" }, { a: "x" }]],
    ["a part of what the owner sees", order, { id: 5, item: "Lamp" }, { id: 5, item: "Lamp" }],
    ["one member of six that differs", { ...order, at: "10:00" }, { ...order, at: "10:01" }, order],
    [
      "another object",
      order,
      { id: 6, item: "Cup", total: 3, owner: { id: 2, email: "c@d.example" } },
      undefined,
    ],
    ["values that are masked", { email: "a@b.example" }, { email: "a***@b.example" }, undefined],
    ["an envelope without an object", { data: order }, { data: null }, undefined],
    ["two empty lists", [], [], undefined],
  ])("commonPart of %s", (_, view, shown, common) => {
    expect(commonPart(json(view), json(shown))).toEqual(common);
  });

  it("commonPart of texts is the whole text, or nothing", () => {
    const body = "%PDF-1.7 an invoice";
    expect(commonPart(text(body), text(body))).toBe(body);
    expect(commonPart(text(body), text(`${body}.`))).toBeUndefined();
    expect(commonPart(text("short"), text("short"))).toBeUndefined();
    expect(commonPart(text(body), json(order))).toBeUndefined();
  });

  it("commonPart has no value that the owner does not see", () => {
    const record = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("x", "y", 1, 2));
    fc.assert(
      fc.property(record, record, (view, shown) => {
        const common = (commonPart(json(view), json(shown)) ?? {}) as Record<string, unknown>;
        for (const [key, value] of Object.entries(common)) expect(view[key]).toBe(value);
      }),
    );
  });
});
