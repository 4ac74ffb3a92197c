import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLines, JsonLinesError } from "./watch.ts";

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(text: string, size = 7, limit = 1000): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of jsonLines(cut(text, size), limit)) values.push(value);
  return values;
}

describe("lines of JSON", () => {
  test("lines of JSON are read the same wherever the stream is cut", async () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 40 }), async (values, size) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        expect(await read(text, size, 100_000)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  test("lines of JSON may be empty, end with a carriage return, and break off unfinished", async () => {
    expect(await read('{"a":1}\r\n\n{"b":2}\n{"c":')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test.each([
    ["that are not JSON", "{]\n", "not JSON"],
    ["that never end", "x".repeat(2000), "1000 bytes"],
  ])("%s are an error", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(JsonLinesError);
    await expect(read(text)).rejects.toThrow(message);
  });
});
