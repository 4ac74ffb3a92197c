import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { spreadOf, type Spread } from "./figures.ts";

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 2;
const ROUNDS = 7;

/** One request, to be sent over and over. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  /** From the root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Comparison {
  /** Answers a second, each the median of its rounds. */
  readonly product: number;
  readonly baseline: number;
  readonly ratio: Spread;
}

/**
 * Sends the same load to two servers, in turn and in short rounds, so that whatever else the machine does meets both.
 * Every second round begins with the other one.
 */
export async function compare(
  request: LoadRequest,
  { product, baseline }: { product: string; baseline: string },
): Promise<Comparison> {
  const rates = { product: [] as number[], baseline: [] as number[] };
  for (const url of [baseline, product]) await load(url, request, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? (["baseline", "product"] as const) : (["product", "baseline"] as const);
    for (const side of order)
      rates[side].push(await load({ product, baseline }[side], request, ROUND_SECONDS));
  }
  return {
    product: spreadOf(rates.product).median,
    baseline: spreadOf(rates.baseline).median,
    ratio: spreadOf(rates.product.map((rate, round) => rate / rates.baseline[round]!)),
  };
}

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));

/** Answers with status 200 a second. Throws when there was any other. */
async function load(origin: string, request: LoadRequest, seconds: number): Promise<number> {
  const { method, path, headers, body } = request;
  const options = ["--json", "--no-progress", `--connections=${CONNECTIONS}`, `--duration=${seconds}`];
  const fields = Object.entries(headers).flatMap(([name, value]) => ["--headers", `${name}=${value}`]);
  const content = body === undefined ? [] : ["--body", body];
  const all = [...options, `--method=${method}`, ...fields, ...content, origin + path];
  const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...all]);
  const result = JSON.parse(stdout) as { "2xx": number; non2xx: number; errors: number; duration: number };
  if (result.non2xx + result.errors > 0)
    throw new Error(`${method} ${path}: ${result.non2xx} refusals and ${result.errors} errors under load`);
  return result["2xx"] / result.duration;
}
