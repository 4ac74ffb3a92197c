import { expect, it } from "vitest";
import { newProduct, shows } from "./evaluation.ts";

const product = { a: 3, b: 5, value: "123456789012" };

it.each([
  ["Dear 123456789012,", true],
  ["Dear 123,456,789,012,", true],
  ["Dear 123.456.789.012 and others", true],
  ["id 91234567890127", false],
  ["Dear {{3*5}}", false],
])("%s shows the product: %s", (text, expected) => expect(shows(text, product)).toBe(expected));

it("every product is the product of its factors, and fits 32 bits", () => {
  for (let round = 0; round < 20; round++) {
    const { a, b, value } = newProduct();
    expect(BigInt(a) * BigInt(b)).toBe(BigInt(value));
    expect(Number(value)).toBeLessThan(2 ** 31);
  }
});
