import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { regexpSteps } from "./regexp-steps.ts";

describe("the steps of a regular expression", () => {
  test.each<[RegExp, "linearly" | "quadratically" | "exponentially", number]>([
    [/a+b/y, "linearly", 400],
    [/a+b/, "quadratically", 400],
    [/[^b]{0,5}b/, "linearly", 400],
    [/^a*a*b/, "quadratically", 400],
    [/(?<=a*)b/, "quadratically", 400],
    [/(?<=ca{0,5})b/, "linearly", 400],
    [/^(?:a+)+b/, "exponentially", 8],
    [/^(a|a)*b/, "exponentially", 8],
  ])("%s grow %s with a text without a match", (regexp, growth, size) => {
    const [once, twice] = [size, 2 * size].map((length) =>
      regexpSteps(() => regexp.test("a".repeat(length))),
    ) as [number, number];
    const power = Math.log2(twice / once);
    expect(power < 1.3 ? "linearly" : power < 2.5 ? "quadratically" : "exponentially").toBe(growth);
  });

  test("count each match in a replacement", () => {
    expect(regexpSteps(() => "aXaXa".replace(/X/g, "-"))).toBe(5 + 5 + 2);
  });

  test("the steps of a regular expression are found by the matches that the engine has, with groups, references, and looks ahead and behind", () => {
    const part = fc.constantFrom(
      ...["a", "b", ".", "[ab]", "[^a]", "\\w", "^", "$", "\\b", "(?=a)", "(?!b)", "(?<=a)", "(?<!b.)"],
      ...["(a|b)", "(?:ab|a)", "(?<n>a+?b)", "\\1", "(?:a*b)", "😀", "x"],
    );
    const term = fc
      .tuple(part, fc.constantFrom("", "", "*", "+", "?", "{1,2}", "{2}", "{0,}", "*?", "+?", "??"))
      .filter(([atom, quantifier]) => quantifier === "" || !/^[\^$]|^\\b|^\(\?[=!<](?!n)/.test(atom))
      .map((pair) => pair.join(""));
    const source = fc.array(term, { minLength: 1, maxLength: 5 }).map((terms) => `(a|b)?${terms.join("")}`);
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "x", "A", "😀"), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(
        source,
        fc.constantFrom("", "i", "m", "s", "u", "gi", "y"),
        text,
        (pattern, flags, subject) => {
          if ((pattern.match(/<n>/g) ?? []).length > 1) return;
          const regexp = compiled(pattern, flags);
          if (regexp) expect(regexpSteps(() => regexp.exec(subject))).toBeGreaterThan(0);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined; // such as a reference to a group that is not there
  }
}
