import { found, instanceAt } from "@glovebox/domain/testing";
import { describe, expect, test } from "vitest";
import { explanationOf, narrowed } from "./findings.ts";

const observed = "Object 2 was returned.";
const explanation = "Objects are returned to anybody.";

describe("what a finding explains", () => {
  test.each([
    [
      "is its explanation, regardless of its description",
      { observed, explanation, description: "Reworded." },
      explanation,
    ],
    [
      "is in reports of older releases the description behind what was observed",
      { observed, description: `${observed} ${explanation}` },
      explanation,
    ],
    ["is in reports without an observation the whole description", { description: explanation }, explanation],
  ])("%s", (_, more, expected) => expect(explanationOf(found("high firm", more))).toBe(expected));

  test("what a finding explains is the same where only some of its instances are left", () => {
    const finding = found("high firm", { observed, explanation, description: `${observed} ${explanation}` });
    const part = narrowed(finding, [instanceAt("GET /other", { observed: "Object 3 was returned." })]);
    expect(explanationOf(part!)).toBe(explanation);
  });
});
