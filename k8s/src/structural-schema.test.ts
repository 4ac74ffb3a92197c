import * as z from "zod";
import { expect, test } from "vitest";
import { toStructural } from "./structural-schema.ts";

const from = (schema: z.ZodType) =>
  toStructural(z.toJSONSchema(z.object({ field: schema }), { target: "openapi-3.0" })).properties!["field"];

const named = z.object({ a: z.string() }).meta({ id: "Named", description: "Inner" });

test.each<[string, z.ZodType, object]>([
  [
    "a whole number gets a format and no bound of JavaScript's",
    z.int(),
    { type: "integer", format: "int64" },
  ],
  [
    "a bounded one gets int32",
    z.int().min(0).max(9),
    { type: "integer", format: "int32", minimum: 0, maximum: 9 },
  ],
  [
    "a format that the API server knows stays, without its pattern",
    z.iso.datetime(),
    { type: "string", format: "date-time" },
  ],
  ["one that it does not know is left out", z.string().meta({ format: "regex" }), { type: "string" }],
  ["what may be null is nullable", z.string().nullable(), { type: "string", nullable: true }],
  [
    "a reference is inlined, and its own description wins",
    named.meta({ description: "Outer" }),
    { type: "object", description: "Outer", properties: { a: { type: "string" } }, required: ["a"] },
  ],
  [
    "a reference inside a list is inlined",
    z.array(named),
    {
      type: "array",
      items: { type: "object", description: "Inner", properties: { a: { type: "string" } }, required: ["a"] },
    },
  ],
  [
    "a record keeps its additionalProperties",
    z.record(z.string(), z.int()),
    { type: "object", additionalProperties: { type: "integer", format: "int64" } },
  ],
])("%s", (_, schema, expected) => {
  expect(from(schema)).toEqual(expected);
});
