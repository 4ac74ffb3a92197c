import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindOfId, neighbours, type IdKind, impossibleIdLike } from "./id-kinds.ts";
import type { Parameter } from "./operation.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const TABLE: [string, IdKind | undefined][] = [
  ["0", "integer"],
  ["42", "integer"],
  ["9007199254740993", "integer"],
  ["00042", "integer"],
  ["c232ab00-9414-11ec-b3c8-9f6bdeced846", "uuid-v1"],
  ["3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b", "uuid-v4"],
  ["017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "uuid-v7"],
  ["6fa459ea-ee8a-3ca4-894e-db77e160355e", "uuid"],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid"],
  ["507f1f77bcf86cd799439011", "objectId"],
  [base64("User:123"), "globalId"],
  [base64("gid://shop/Product/7"), "globalId"],
  ["hello-world", "slug"],
  ["alice", "slug"],
  ["order_12", "slug"],
  ["", undefined],
  ["two words", undefined],
  ["user@example.com", undefined],
  ["https://example.com/1", undefined],
  ["../etc", undefined],
  ["1".repeat(300), undefined],
];

describe("kindOfId", () => {
  it.each(TABLE)("%j is %s", (value, kind) => {
    expect(kindOfId(value)).toBe(kind);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (value) => void kindOfId(value)));
  });
});

describe("neighbours", () => {
  const ids = TABLE.filter((row): row is [string, IdKind] => row[1] !== undefined);

  it.each(ids)("neighbours of %j are other ids of the same shape, five at most", (value, kind) => {
    const others = neighbours(value, kind);
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThanOrEqual(5);
    expect(new Set([...others, value]).size).toBe(others.length + 1);
    for (const other of others) expect(kindOfId(other)?.slice(0, 4)).toBe(kind.slice(0, 4));
  });

  it.each<[string, IdKind, string[]]>([
    ["42", "integer", ["43", "41", "1", "0"]],
    ["007", "integer", ["008", "006", "001", "000"]],
    ["0", "integer", ["1"]],
    ["507f1f77bcf86cd7994390ff", "objectId", ["507f1f77bcf86cd799439100", "507f1f77bcf86cd7994390fe"]],
    ["c232ab00-9414-11ec-b3c8-9f6bdeced846", "uuid-v1", ["c232ab01-9414-11ec-b3c8-9f6bdeced846"]],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAZ", "ulid", ["01ARZ3NDEKTSV4RRFFQ69G5FA0", "01ARZ3NDEKTSV4RRFFQ69G5FAY"]],
    [base64("User:123"), "globalId", [base64("User:124"), base64("User:122")]],
    ["order-12", "slug", ["order-13", "order-11"]],
  ])("neighbours of %j begin with the nearest", (value, kind, nearest) => {
    expect(neighbours(value, kind).slice(0, nearest.length)).toEqual(nearest);
  });

  it("neighbours of any integer are integers", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (number) => {
        for (const other of neighbours(String(number), "integer")) expect(other).toMatch(/^\d+$/);
      }),
    );
  });
});

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
  ])("an id that no object has has the form of %s", (example) => {
    const id = impossibleIdLike(example, text);
    expect(id).not.toBe(example);
    expect(kindOfId(id)?.slice(0, 4)).toBe(kindOfId(example)?.slice(0, 4));
  });

  it("keeps signs and length of what is not a number", () => {
    expect(impossibleIdLike("INV-2024-0017", text)).toMatch(/^[A-Z]{3}-\d{4}-\d{4}$/);
  });

  it.each([undefined, "ada", "not an id"])(
    "an id that no object has is of the parameter's type without a telling example (%s)",
    (example) => {
      expect(impossibleIdLike(example, { ...text, type: "integer" })).toMatch(/^2\d{9}$/);
    },
  );
});
