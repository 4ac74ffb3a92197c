import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject } from "../../json.ts";
import { textMatching } from "./pattern.ts";
import { SpecReader } from "./reader.ts";
import { SchemaExpander } from "./schema-expander.ts";
import { valueFor } from "./values.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const valueOf = (schema: object, components: object = {}): unknown =>
  valueFor(new SchemaExpander(new SpecReader({ openapi: "3.1.0", components }, "3.1")).expand(schema));

function expectValid(schema: object): void {
  const value = valueOf(schema);
  const isValid = ajv.validate(schema, value);
  expect(isValid, `${JSON.stringify(value)}: ${ajv.errorsText()}\n${JSON.stringify(schema)}`).toBe(true);
}

const FORMATS = [
  "uuid",
  "date",
  "date-time",
  "time",
  "duration",
  "email",
  "uri",
  "hostname",
  "ipv4",
  "ipv6",
  "byte",
];
const PATTERNS = [
  "^[A-Z]{2}\\d{4}$",
  "^(red|green|blue)-[0-9a-f]{6}$",
  "^\\+?[1-9]\\d{1,14}$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$",
  "^\\d{3}-\\d{2}-\\d{4}$",
  "^v\\d+(\\.\\d+){2}$",
  "^\\p{Lu}\\w*$",
  "[A-Za-z_$][\\w$]*",
  "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$",
];

const text = fc.oneof(
  fc.record({ type: fc.constant("string"), format: fc.constantFrom(...FORMATS) }),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom(...PATTERNS) }),
  fc
    .record({ min: fc.nat(40), more: fc.nat(40) })
    .map(({ min, more }) => ({ type: "string", minLength: min, maxLength: min + more + 1 })),
  fc.constant({ type: ["null", "string"] }),
  fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
);
const number = fc
  .record({
    isInteger: fc.boolean(),
    min: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 3, max: 900 }),
    step: fc.constantFrom(undefined, 1, 2, 3),
    open: fc.boolean(),
    side: fc.constantFrom("both", "least", "most"),
  })
  .map(({ isInteger, min, width, step, open, side }) => ({
    type: isInteger ? "integer" : "number",
    ...(side === "most" ? {} : { [open ? "exclusiveMinimum" : "minimum"]: min }),
    ...(side === "least" ? {} : { [open ? "exclusiveMaximum" : "maximum"]: min + width + 4 }),
    ...(step === undefined ? {} : { multipleOf: step }),
  }));
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    text,
    number,
    tie("list"),
    tie("object"),
    tie("choice"),
    tie("whole"),
  ) as fc.Arbitrary<object>,
  list: fc.record({ items: tie("schema"), minItems: fc.nat(2) }).map((rest) => ({ type: "array", ...rest })),
  object: fc
    .record({
      properties: fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z]{1,8}$/), tie("schema"), { maxKeys: 4 }),
      required: fc.boolean(),
      additionalProperties: fc.boolean(),
    })
    .map(({ properties, required, ...rest }) => ({
      type: "object",
      properties,
      ...(required ? { required: Object.keys(properties) } : {}),
      ...rest,
    })),
  choice: fc
    .record({ word: fc.constantFrom("oneOf", "anyOf"), first: tie("object"), second: number })
    .map(({ word, first, second }) => ({ [word]: [second, first] })),
  whole: fc.record({ a: text, b: number, c: text }).map(({ a, b, c }) => ({
    allOf: [
      { type: "object", properties: { a }, required: ["a"] },
      { properties: { b }, required: ["b"] },
    ],
    properties: { c },
  })),
}));

describe("valueFor", () => {
  it("makes a valid value for any schema", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(schema, (each) => expectValid(each)),
      { numRuns: 500 },
    );
  });

  it.each(PATTERNS)("makes a text that %s matches", (pattern) => {
    expect(textMatching(pattern)).toMatch(new RegExp(pattern, "u"));
  });

  it("makes texts of a pattern as long as they must be", () => {
    const made = textMatching("^[a-z]+-\\d*$", { minLength: 12, maxLength: 30 });
    expect(made).toMatch(/^[a-z]+-\d*$/);
    expect(made!.length).toBeGreaterThanOrEqual(12);
    expect(textMatching("^a{900}b{900}$")).toBeUndefined();
    expect(textMatching("^(a)\\1$")).toBeUndefined();
    expect(textMatching("((((a{999}){999}){999}){999})")).toBeUndefined();
  });

  it.each<[string, object, unknown]>([
    ["an example before a default", { type: "string", example: "a", default: "b" }, "a"],
    ["the first of the examples", { type: "integer", examples: [7, 8] }, 7],
    ["a default before an enum", { default: "b", enum: ["a", "b"] }, "b"],
    ["a constant", { const: { a: 1 } }, { a: 1 }],
    [
      "no read-only members",
      { properties: { id: { readOnly: true }, name: { type: "boolean" } } },
      { name: true },
    ],
    [
      "no read-only members of an example",
      { properties: { id: { readOnly: true } }, example: { id: 1, name: "x" } },
      { name: "x" },
    ],
    [
      "required members that have no schema",
      { type: "object", required: ["email"] },
      { email: "user@glovebox.invalid" },
    ],
    [
      "distinct items",
      { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true },
      [1, 2, 3],
    ],
    ["exclusive bounds of OpenAPI 3.0", { type: "integer", minimum: 5, exclusiveMinimum: true }, 6],
  ])("takes %s", (_, raw, expected) => expect(valueOf(raw)).toEqual(expected));

  it("names the branch in the discriminator", () => {
    const components = {
      schemas: {
        Cat: {
          type: "object",
          properties: { kind: { type: "string" }, lives: { type: "integer" } },
          required: ["kind"],
        },
      },
    };
    const oneOf = [{ $ref: "#/components/schemas/Cat" }];
    const reference = "#/components/schemas/Cat";
    expect(valueOf({ oneOf, discriminator: { propertyName: "kind" } }, components)).toEqual({
      kind: "Cat",
      lives: 1,
    });
    expect(
      valueOf({ oneOf, discriminator: { propertyName: "kind", mapping: { cat: reference } } }, components),
    ).toMatchObject({ kind: "cat" });
  });

  it("leaves out what contains itself, where it may", () => {
    const tree = {
      type: "object",
      required: ["value"],
      properties: {
        value: { type: "string" },
        parent: { $ref: "#/components/schemas/Tree" },
        children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      },
    };
    const made = valueOf({ $ref: "#/components/schemas/Tree" }, { schemas: { Tree: tree } });
    expect(made).toEqual({ value: "test", children: [] });
    expect(isObject(made)).toBe(true);
  });
});
