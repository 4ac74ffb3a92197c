import { describe, expect, it } from "vitest";
import { impossibleIdLike } from "./impossible-id.ts";
import { kindOfId } from "./looks-like-id.ts";
import type { Parameter } from "./operation.ts";

const text: Parameter = {
  name: "id",
  in: "path",
  required: true,
  type: "string",
  sample: "x",
  sampleIsDeclared: false,
};

describe("an id that no object has", () => {
  it.each([
    "1001",
    "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b",
    "507f1f77bcf86cd799439011",
    "INV-2024-0017",
    "ada-lovelace",
  ])("has the form of %s", (example) => {
    const id = impossibleIdLike(example, text);
    expect(id).not.toBe(example);
    expect(kindOfId(id)?.slice(0, 4)).toBe(kindOfId(example)?.slice(0, 4));
  });

  it("keeps signs and length of what is no number", () => {
    expect(impossibleIdLike("INV-2024-0017", text)).toMatch(/^[A-Z]{3}-\d{4}-\d{4}$/);
  });

  it.each([undefined, "ada", "not an id"])(
    "is of the parameter's type without a telling example (%s)",
    (example) => {
      expect(impossibleIdLike(example, { ...text, type: "integer" })).toMatch(/^2\d{9}$/);
    },
  );
});
