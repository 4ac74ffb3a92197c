import type { Attempt, Ingredients } from "./injection.ts";
import { shows, type Product } from "./product.ts";

/** Text in which a multiplication is written for one interpreter; `ordinary` is a value that the parameter takes. */
export type Expression = (product: Product, ordinary: string) => string;

/**
 * An attempt at having the server calculate. Only a product counts that the answer shows, or leads to, and that the
 * bare multiplication does not lead to: that is what a calculator does.
 */
export const calculating = (
  expression: Expression,
  options: Pick<Attempt, "deep" | "where"> = {},
): Attempt => ({
  payload: ({ product, ordinary }) => expression(product, ordinary),
  control: ({ product: { a, b }, ordinary }) => `${ordinary} ${a}*${b}`,
  proof: showsProduct,
  ...options,
});

const showsProduct: Attempt["proof"] = ({ body, headers }, { product }: Ingredients) =>
  shows(body, product) || shows(headers["location"] ?? "", product)
    ? `The answer shows ${product.value}, the product of ${product.a} and ${product.b}.`
    : undefined;
