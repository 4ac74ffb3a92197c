import { newProduct, shows, type Product } from "./arithmetic.ts";
import { fail, inconclusive, pass, type Verdict } from "../engine/check.ts";
import { inserting, ordinaryValue } from "./insertion-points.ts";
import type { Reply } from "../transport/exchange.ts";
import { notReached } from "../oracles/not-reached.ts";
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
