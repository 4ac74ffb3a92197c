import { randomInt } from "node:crypto";
import { fail, inconclusive, pass, type Verdict } from "../engine/check.ts";
import { inserting, ordinaryValue } from "./insertion-points.ts";
import type { Reply } from "../transport/exchange.ts";
import { notReached } from "./refusals.ts";
import type { Probe } from "../engine/probe.ts";
import type { ParameterSubject } from "./subjects.ts";

/** Text in which a multiplication is written for one interpreter; `ordinary` is a value that the parameter takes. */
export type Expression = (product: Product, ordinary: string) => string;

export interface Attempts {
  readonly expressions: readonly Expression[];
  /** Whether the next expression is worth a try after this answer. */
  readonly goesOn?: (reply: Reply) => boolean;
}

/**
 * Whether the server calculates what a parameter says. Each expression is sent once, with numbers of its own, while
 * `goesOn` takes the answer to the one before; only a product that the answer shows, and that the bare multiplication
 * does not lead to, counts.
 */
export async function examineEvaluation(
  probe: Probe,
  point: ParameterSubject,
  { expressions, goesOn = () => true }: Attempts,
): Promise<Verdict> {
  const ordinary = await ordinaryValue(probe, point);
  for (const expression of expressions) {
    const product = newProduct();
    const text = expression(product, ordinary);
    const reply = await probe.attack(await inserting(probe, point, text));
    const unreached = notReached(reply);
    if (unreached) return unreached;
    const isCalculated = shows(reply.body, product) || shows(reply.headers["location"] ?? "", product);
    if (!isCalculated && !goesOn(reply)) return pass();
    if (!isCalculated) continue;

    const bare = newProduct();
    const control = await probe.control(await inserting(probe, point, `${ordinary} ${bare.a}*${bare.b}`));
    return shows(control.body, bare)
      ? inconclusive("The operation calculates what it is given, as a calculator does.")
      : fail(`The answer shows ${product.value}, the product of ${product.a} and ${product.b}.`);
  }
  return pass();
}

/** A product that nobody writes by chance, and its factors. */
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

/** True when the text shows the product, however it groups its digits; not as a part of a longer number. */
export const shows = (text: string, { value }: Product): boolean => {
  const grouped = [...value].map((digit, place) =>
    place > 0 && (value.length - place) % 3 === 0 ? `[,.' \u{a0}\u{202f}]?${digit}` : digit,
  );
  return new RegExp(`(?<!\\d)${grouped.join("")}(?!\\d)`, "u").test(text.slice(0, 262_144));
};
