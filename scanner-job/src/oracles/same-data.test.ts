import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { holdSameData } from "./same-data.ts";

const of = (json: unknown) =>
  aResponse({ headers: { "content-type": "application/json" }, body: JSON.stringify(json) });
const csv = (body: string) => aResponse({ headers: { "content-type": "text/csv" }, body });

describe("the data that two callers get", () => {
  it.each<[string, ReturnType<typeof of>, ReturnType<typeof of>, boolean]>([
    [
      "is the same where both get the same rows in another order",
      of([{ id: 1 }, { id: 2 }]),
      of([{ id: 2 }, { id: 1 }]),
      true,
    ],
    [
      "differs where only the members are the same",
      of({ orders: 2, spent: 12.5 }),
      of({ orders: 31, spent: 900 }),
      false,
    ],
    [
      "differs where one gets a part of the rows",
      of([{ id: 1 }]),
      of([{ id: 1 }, { id: 2 }, { id: 3 }]),
      false,
    ],
    ["differs where one gets fewer members", of({ id: 1 }), of({ id: 1, cost: 3, note: "x" }), false],
    ["is the same in two equal tables", csv("a,b\n1,2\n"), csv("a,b\n1,2\n"), true],
    ["differs in tables of other rows", csv("a,b\n1,2\n"), csv("a,b\n7,8\n9,10\n"), false],
    ["differs by its status", of({ id: 1 }), aResponse({ status: 403 }), false],
  ])("%s", (_, one, other, same) => {
    expect(holdSameData(one, other)).toBe(same);
    expect(holdSameData(other, one)).toBe(same);
  });

  it("the data that two callers get is the same where only what varies each time differs", () => {
    const at = (time: number) => of({ total: 12, at: time });
    expect(holdSameData(at(1), at(2), at(3))).toBe(true);
    expect(holdSameData(of({ total: 3, at: 1 }), at(2), at(3))).toBe(false);
  });

  it("the data that two callers get is not shown where everything varies", () => {
    expect(holdSameData(of({ at: 1 }), of({ at: 2 }), of({ at: 3 }))).toBe(false);
  });
});
