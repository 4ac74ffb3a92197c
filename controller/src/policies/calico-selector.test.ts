import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UNKNOWN, viewOf } from "../kubernetes/label-selector.ts";
import { calicoSelects } from "./calico.ts";

type Own = Readonly<Record<string, string>>;
/** A selector: how it is written, and what it means by Calico's reference. */
interface Written {
  readonly text: string;
  readonly selects: (own: Own) => boolean;
}

const keys = fc.constantFrom("app", "tier", "x.example/y", "in", "has", "all");
const values = fc.constantFrom("a", "ab", "b", "");
const quotes = fc.constantFrom("'", '"');
const valueOf = (own: Own, key: string) => (Object.hasOwn(own, key) ? own[key] : undefined);

const comparisons: Readonly<Record<string, (own: string | undefined, text: string) => boolean>> = {
  "==": (own, text) => own === text,
  "!=": (own, text) => own !== text,
  contains: (own, text) => own?.includes(text) ?? false,
  "starts with": (own, text) => own?.startsWith(text) ?? false,
  "ends  with": (own, text) => own?.endsWith(text) ?? false,
};
const comparison = fc
  .tuple(keys, fc.constantFrom(...Object.keys(comparisons)), values, quotes)
  .map(([key, operator, value, quote]): Written => ({
    text: `${key} ${operator} ${quote}${value}${quote}`,
    selects: (own) => comparisons[operator]!(valueOf(own, key), value),
  }));
const membership = fc
  .tuple(keys, fc.boolean(), fc.array(values, { maxLength: 3 }), fc.boolean())
  .map(([key, isIn, some, hasComma]): Written => ({
    text: `${key} ${isIn ? "in" : "not in"} {${some.map((one) => `'${one}'`).join(", ")}${hasComma && some.length > 0 ? "," : ""}}`,
    selects: (own) => some.some((one) => one === valueOf(own, key)) === isIn,
  }));
const presence = keys.map((key): Written => ({
  text: `has( ${key} )`,
  selects: (own) => valueOf(own, key) !== undefined,
}));
const everything = fc.constant<Written>({ text: "all()", selects: () => true });

const { selector } = fc.letrec<{ selector: Written; conjunction: Written; operation: Written }>((tie) => ({
  selector: fc.array(tie("conjunction"), { minLength: 1, maxLength: 3 }).map((some) => ({
    text: some.map(({ text }) => text).join(" || "),
    selects: (own) => some.some((one) => one.selects(own)),
  })),
  conjunction: fc.array(tie("operation"), { minLength: 1, maxLength: 3 }).map((some) => ({
    text: some.map(({ text }) => text).join("&&"),
    selects: (own) => some.every((one) => one.selects(own)),
  })),
  operation: fc.oneof(
    { maxDepth: 3, depthIdentifier: "calico" },
    comparison,
    membership,
    presence,
    everything,
    tie("operation").map((one) => ({ text: `!${one.text}`, selects: (own: Own) => !one.selects(own) })),
    tie("selector").map(({ text, selects }) => ({ text: `(${text})`, selects })),
  ),
}));
const labels = fc.dictionary(keys, values, { noNullPrototype: true });

describe("any selector of Calico's", () => {
  test("selects what its reference says", () => {
    fc.assert(
      fc.property(selector, labels, ({ text, selects }, own) => {
        expect(calicoSelects(text, viewOf(own))).toBe(selects(own));
      }),
      { numRuns: 5_000 },
    );
  });

  test("any selector of Calico's of which a label is not known selects for certain only what it selects with any value of that label", () => {
    fc.assert(
      fc.property(selector, labels, keys, ({ text, selects }, own, unknown) => {
        const { [unknown]: _, ...others } = own;
        const view = { get: (key: string) => (key === unknown ? UNKNOWN : viewOf(others).get(key)) };
        const verdict = calicoSelects(text, view);
        const possible = [{}, ...["a", "ab", "b", "", "z"].map((value) => ({ [unknown]: value }))].map(
          (one) => selects({ ...others, ...one }),
        );
        if (verdict !== UNKNOWN) expect(possible).not.toContain(!verdict);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("a selector of Calico's", () => {
  test.each(["", "  ", "\t"])("a selector of Calico's that is empty selects everything: %j", (text) => {
    expect(calicoSelects(text, viewOf({}))).toBe(true);
  });

  test.each([
    "app",
    "app ==",
    "app == b",
    "== 'b'",
    "app == 'b",
    "app = 'b'",
    "app & b",
    "app in ('a')",
    "app in {'a'",
    "app in {,}",
    "app starts 'a'",
    "app not 'a'",
    "has(app",
    "has('app')",
    "all() all()",
    "all() &&",
    "|| all()",
    "(all()",
    "all())",
    "app == 'a' ; all()",
    "🙂",
    `${"(".repeat(5_000)}all()${")".repeat(5_000)}`,
  ])("a selector of Calico's that cannot be parsed may select: %j", (text) => {
    expect(calicoSelects(text, viewOf({ app: "x" }))).toBe(UNKNOWN);
  });

  test("global() is what whoever asks says, and not known otherwise", () => {
    expect(calicoSelects("global()", viewOf({}))).toBe(UNKNOWN);
    expect(calicoSelects("!global()", viewOf({}), false)).toBe(true);
  });
});
