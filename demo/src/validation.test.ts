import { describe, expect, it } from "vitest";
import { schemaError } from "./validation.ts";

const PERSON = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", maxLength: 5, pattern: "^[a-z]+$" },
    age: { type: "integer", minimum: 0 },
  },
};

describe("the validation of a value against its schema", () => {
  it.each([
    [1.5, { type: "integer" }, "must be a whole number"],
    ["1", { type: "integer" }, "must be a whole number"],
    [51, { type: "integer", minimum: 1, maximum: 50 }, "must be from 1 to 50"],
    ["c", { type: "string", enum: ["a", "b"] }, "must be one of a, b"],
    ["1001", { type: "id" }, "must be a UUID"],
    ["yes", { type: "boolean" }, "must be true or false"],
    [{}, { type: "array" }, "must be a list"],
    [[1], { type: "array", items: { type: "string" } }, "must be a string"],
    [[1, 2], { type: "array", maxItems: 1 }, "must have 1 items at most"],
    [[], PERSON, "must be an object"],
    [{}, PERSON, "name is required"],
    [{ name: "a", __role: 1 }, PERSON, "__role is not a known field"],
    [{ name: "toolong" }, PERSON, "name must be 5 characters at most"],
    [{ name: "A" }, PERSON, "name must match its pattern"],
    [{ name: "A", extra: 1 }, { ...PERSON, additionalProperties: true }, "name must match its pattern"],
    [{ name: "a", age: -1 }, PERSON, "age must be from 0 to Infinity"],
  ])("rejects %j with a reason", (value, schema, reason) => {
    expect(schemaError(value, schema)).toBe(reason);
  });

  it.each([
    [3, { type: "integer", minimum: 1, maximum: 50 }],
    ["00000000-0000-4000-8000-000000000000", { type: "id" }],
    [["a"], { type: "array", items: { type: "string" } }],
    [{ name: "a", age: 3 }, PERSON],
    [
      { name: "a", constructor: 1 },
      { ...PERSON, additionalProperties: true },
    ],
  ])("accepts %j", (value, schema) => {
    expect(schemaError(value, schema)).toBeUndefined();
  });
});
