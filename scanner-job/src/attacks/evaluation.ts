import { randomInt } from "node:crypto";
import type { Attempt, Ingredients } from "./injection.ts";

/** A product that does not occur randomly in a response, and its factors. */
export interface Product {
  readonly a: number;
  readonly b: number;
  readonly value: string;
}

/** New factors each time. Their product has nine or ten digits and fits 32 bits, in which some languages calculate. */
export function newProduct(): Product {
  const [a, b] = [randomInt(20_000, 46_000), randomInt(20_000, 46_000)];
  return { a, b, value: String(a * b) };
}

/** True when the text shows the product, however it groups its digits; not as a part of a longer number. @internal */
export const shows = (text: string, { value }: Product): boolean => {
  const grouped = [...value].map((digit, index) =>
    index > 0 && (value.length - index) % 3 === 0 ? `[,.' \u{a0}\u{202f}]?${digit}` : digit,
  );
  return new RegExp(`(?<!\\d)${grouped.join("")}(?!\\d)`, "u").test(text.slice(0, 262_144));
};

/** Text in which a multiplication is written for one interpreter; `baseValue` is a value that the parameter takes. */
export type Expression = (product: Product, baseValue: string) => string;

/**
 * An attempt at having the server calculate. Only a product counts that the response shows, or leads to, and that the
 * bare multiplication does not lead to: that is what a calculator does.
 */
export const calculating = (
  expression: Expression,
  options: Pick<Attempt, "deep" | "where"> = {},
): Attempt => ({
  payload: ({ product, baseValue }) => expression(product, baseValue),
  control: ({ product: { a, b }, baseValue }) => `${baseValue} ${a}*${b}`,
  proof: showsProduct,
  ...options,
});

const showsProduct: Attempt["proof"] = ({ body, headers }, { product }: Ingredients) =>
  shows(body, product) || shows(headers["location"] ?? "", product)
    ? `The response contains ${product.value}, the product of ${product.a} and ${product.b}.`
    : undefined;
