import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joined, joinedJson, packed, packedOutside, unpacked, unpackedSize } from "./packed-report.ts";

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.json(), { minKeys: 1 });

describe("a packed object", () => {
  test("a packed object is one gzip member of its JSON", async () => {
    await fc.assert(
      fc.asyncProperty(object, async (value) => {
        const json = JSON.stringify(value);
        const bytes = packed(json);
        expect(await unpacked(bytes)).toBe(json);
        expect(unpackedSize(bytes)).toBe(Buffer.byteLength(json));
        expect(await packedOutside(json)).toEqual(bytes);
      }),
    );
  });

  test("gets other members in front, with a checksum that every decoder accepts", () => {
    fc.assert(
      fc.property(object, object, (first, value) => {
        const [head, json] = [JSON.stringify(first), JSON.stringify(value)];
        const bytes = joined(head, packed(json));
        const text = `${head.slice(0, -1)},${json.slice(1)}`;
        expect(gunzipSync(bytes).toString()).toBe(text);
        expect(joinedJson(head, packed(json))).toBe(text);
        expect(unpackedSize(bytes)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  test.each([1, 0xffff - 10, 0xffff, 0x10000, 200_000])(
    "gets a member of %i characters in front of it",
    (length) => {
      const bytes = joined(JSON.stringify({ url: "u".repeat(length) }), packed('{"score":1}'));
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ url: "u".repeat(length), score: 1 });
    },
  );

  test("a packed object is found in a buffer that it is a part of", () => {
    const bytes = Buffer.concat([Buffer.alloc(3), packed('{"score":1}')]).subarray(3);
    expect(gunzipSync(joined('{"id":"scan"}', bytes)).toString()).toBe('{"id":"scan","score":1}');
  });

  test("a packed object may have white space in front, as rows of older releases do", () => {
    expect(gunzipSync(packed(' \n{"score":1}')).toString()).toBe('{"score":1}');
  });

  test("a packed object is of an object only", () => {
    expect(() => packed("[1]")).toThrow("Only a JSON object");
  });
});
