import { describe, expect, it } from "vitest";
import { aCheck, anOperation } from "../testing/samples.ts";
import { fail, inconclusive, notApplicable, pass, type Check, type Verdict } from "./check.ts";
import { passedAt, locationsOf, reachesIn } from "./passed.ts";
import type { Reach } from "./reach.ts";
import type { Result } from "./result.ts";

const check = aCheck();
const at = (path: string, verdict: Verdict, reach: Reach = "reached", of: Check = check): Result => {
  const operation = anOperation({ path });
  return { check: of, subject: operation, verdict, reach };
};
const other = aCheck({ id: "authentication/other" });
const unsent = at("/a", pass(), "untried");
const injection = aCheck({ category: "inputValidation" });

describe("where a check found nothing wrong", () => {
  it.each<[string, Result[], string]>([
    [
      "distinguishes parameters of an operation",
      ["a", "b"].map((parameter) => ({
        ...at("/a", parameter === "a" ? fail("Seen.") : pass()),
        subject: { location: { method: "GET", path: "/a", parameter } },
      })),
      "1",
    ],
    ["are ranges of locations", ["/a", "/b", "/c", "/e"].map((path) => at(path, pass())), "0-3"],
    ["leaves out what failed", [at("/a", pass()), at("/b", fail("Seen.")), at("/c", pass())], "0 2"],
    ["leaves out what could not be decided", [at("/a", inconclusive("Silence.")), at("/b", pass())], "1"],
    [
      "needs a pass of every examination of a location",
      [at("/a", pass()), at("/a", inconclusive("Silence."))],
      "",
    ],
    ["does not need what did not apply", [at("/a", pass()), at("/a", notApplicable("None."))], "0"],
    ["does not count an operation that nothing was sent to", [at("/a", pass(), "untried")], ""],
    [
      "counts a check that sends nothing where another's request got a response",
      [unsent, { ...unsent, check: other, reach: "reached" }],
      "0",
    ],
    ["counts a refusal of access", [at("/a", pass(), "refused")], "0"],
    ["does not count a refusal before an injection", [at("/a", pass(), "refused", injection)], ""],
    ["does not count a path that does not exist any more", [at("/a", pass(), "missing")], ""],
    [
      "counts the host",
      [{ check, subject: { location: { method: "GET", path: "/" } }, verdict: pass(), reach: "untried" }],
      "0",
    ],
    ["is nothing of nothing", [], ""],
  ])("%s", (_, results, expected) => {
    const own = results.filter(({ check: each }) => each !== other);
    expect(passedAt(own, { locations: locationsOf(results), reaches: reachesIn(results) })).toBe(expected);
  });
});
