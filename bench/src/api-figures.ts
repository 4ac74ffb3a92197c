import postgres from "postgres";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, type RequestOptions } from "node:http";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setQuota } from "@glovebox/store/testing";
import { ACCOUNTS_VARIABLE, declareLoadAccount, type LoadAccount } from "./child.ts";
import { completedScan, insertScans, startDatabase } from "./database.ts";
import { atLeast, atMost, spreadOf, type Figure, type Spread, median } from "./figures.ts";
import { processMemory } from "../../test/support/process-memory.ts";
import { serve, startEmptyNode } from "./processes.ts";
import { PAGE_QUERY } from "../../store/src/scans/scans.ts";

const SCANS = 1_000_000;
const QUOTA = 1_000_000_000;
const MEMORY_MIB = 150;

interface Case {
  readonly name: string;
  readonly request: LoadRequest;
  /** Undefined for comparison only. */
  readonly goal: number | undefined;
}

/** The API under load compared with the bare handler, pages of long lists, and memory. */
export async function apiFigures(report: (line: string) => void): Promise<Figure[]> {
  await using database = await startDatabase();
  report("the database is up; filling it");
  const { store } = database;
  const reader = await declareLoadAccount(store, "reader");
  const unlimited = await declareLoadAccount(store, "unlimited");
  const limited = await declareLoadAccount(store, "limited", "pro");
  await setQuota(database.url, "pro", QUOTA); // no plan allows the number of scans that a load submits
  await insertScans(database.url, reader.id, SCANS);
  const scan = await completedScan(store, reader);

  const env = {
    DATABASE_URL: database.url,
    [ACCOUNTS_VARIABLE]: JSON.stringify([reader, unlimited, limited]),
  };
  await using api = await serve("api-process", { env, logFile: `${database.folder}/api.log` });
  await using bare = await serve("bare-process", { env, logFile: `${database.folder}/bare.log` });
  const figures: Figure[] = [];
  for (const each of cases({ reader, unlimited, limited, scan })) {
    report(`${each.name}: under load`);
    figures.push(await loadFigure(each, { product: api.line, baseline: bare.line }));
  }
  report("long lists");
  figures.push(...(await longListFigures({ api: api.line, databaseUrl: database.url, reader })));
  return [...figures, ...(await memoryFigures({ api: api.pid, bare: bare.pid }))];
}

function cases(parts: Record<"reader" | "unlimited" | "limited", LoadAccount> & { scan: string }): Case[] {
  const { reader, unlimited, limited, scan } = parts;
  return [
    { name: "GET /v1/scan/{id}", request: getRequest(reader, `/v1/scan/${scan}`), goal: 0.8 },
    { name: "GET /v1/scans", request: getRequest(reader, "/v1/scans"), goal: 0.85 },
    { name: "POST /v1/scan, with a quota", request: post(limited), goal: 0.7 },
    { name: "POST /v1/scan, without a quota", request: post(unlimited), goal: undefined },
  ];
}

const getRequest = ({ key }: LoadAccount, path: string): LoadRequest => ({
  method: "GET",
  path,
  headers: { Authorization: `Bearer ${key}` },
});

const post = ({ key }: LoadAccount): LoadRequest => ({
  method: "POST",
  path: "/v1/scan",
  headers: {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    Prefer: "respond-async",
  },
  body: JSON.stringify({ url: "https://api.example/v1" }),
});

async function loadFigure(
  { name, request, goal }: Case,
  urls: { product: string; baseline: string },
): Promise<Figure> {
  const { product, baseline, ratio } = await compare(request, urls);
  const perSecond = (rate: number): string => `${Math.round(rate)}/s`;
  return {
    name,
    product: perSecond(product),
    baseline: perSecond(baseline),
    ratio,
    goal: goal === undefined ? undefined : atLeast(ratio, goal),
  };
}

async function memoryFigures({ api, bare }: { api: number; bare: number }): Promise<Figure[]> {
  await using node = await startEmptyNode();
  const [empty, handler, product] = [node.pid, bare, api].map(processMemory);
  if (!empty || !handler || !product) return [];
  const figure = (name: string, value: number, baseline: number): Figure => ({
    name,
    product: `${Math.round(value)} MiB`,
    baseline: `${Math.round(baseline)} MiB`,
    ratio: spreadOf([value / baseline]),
  });
  const goal = { text: `under ${MEMORY_MIB} MiB`, met: product.peak < MEMORY_MIB };
  return [
    { ...figure("API memory at its most, empty Node", product.peak, empty.peak), goal },
    figure("API memory after the load, empty Node", product.current, empty.current),
    figure("API memory at its most, bare handler", product.peak, handler.peak),
  ];
}

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 2;
const ROUNDS = 7;

/** The request that a load consists of. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  /** From the root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Comparison {
  /** Responses per second, the median of the rounds. */
  readonly product: number;
  readonly baseline: number;
  readonly ratio: Spread;
}

/**
 * Sends the same load to two servers alternately in short rounds, so that other processes of the machine affect both. Every second
 * round starts with the other one.
 */
async function compare(
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

/**
 * Responses with status 200 per second.
 * @throws Error if there was any other response
 */
async function load(origin: string, request: LoadRequest, seconds: number): Promise<number> {
  const { method, path, headers, body } = request;
  const options = ["--json", "--no-progress", `--connections=${CONNECTIONS}`, `--duration=${seconds}`];
  const fields = Object.entries(headers).flatMap(([name, value]) => ["--headers", `${name}=${value}`]);
  const content = body === undefined ? [] : ["--body", body];
  const all = [...options, `--method=${method}`, ...fields, ...content, origin + path];
  const { stdout } = await promisify(execFile)(process.execPath, [autocannon, ...all]);
  const result = JSON.parse(stdout) as { "2xx": number; non2xx: number; errors: number; duration: number };
  if (result.non2xx + result.errors > 0)
    throw new Error(
      `${method} ${path}: ${result.non2xx} other responses and ${result.errors} errors under load`,
    );
  return result["2xx"] / result.duration;
}

const LIMIT = 20;
const TIMES = 51;
const PAGES = [
  { offset: 0, goal: 1.5 },
  { offset: 10_000, goal: 1.3 },
] as const;

/** Pages of an account with a million scans, one at a time: the request compared with its query alone. */
async function longListFigures(parts: {
  api: string;
  databaseUrl: string;
  reader: LoadAccount;
}): Promise<Figure[]> {
  const sql = postgres(parts.databaseUrl, { max: 1 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const figures: Figure[] = [];
    for (const page of PAGES) figures.push(await pageFigure(parts, { sql, agent, ...page }));
    return figures;
  } finally {
    agent.destroy();
    await sql.end();
  }
}

interface Page {
  readonly sql: postgres.Sql;
  readonly agent: Agent;
  readonly offset: number;
  readonly goal: number;
}

async function pageFigure(
  { api, reader }: { api: string; reader: LoadAccount },
  { sql, agent, offset, goal }: Page,
): Promise<Figure> {
  const url = `${api}/v1/scans?limit=${LIMIT}&offset=${offset}`;
  const request = async (): Promise<void> => {
    const page = (await getJson(url, { agent, headers: { Authorization: `Bearer ${reader.key}` } })) as {
      scans?: unknown[];
    };
    if (page.scans?.length !== LIMIT) throw new Error(`The page at ${offset} is not a page of scans`);
  };
  const query = async (): Promise<void> =>
    void (await sql.unsafe(PAGE_QUERY, [reader.id, LIMIT, offset], { prepare: true }));

  const [requests, queries]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TIMES; turn++) {
    queries.push(await milliseconds(query));
    requests.push(await milliseconds(request));
  }
  const ratio = spreadOf([median(requests) / median(queries)]);
  return {
    name: `Page at ${offset.toLocaleString("en")} of 1,000,000 scans`,
    product: `${median(requests).toFixed(1)} ms`,
    baseline: `${median(queries).toFixed(1)} ms`,
    ratio,
    goal: atMost(ratio, goal),
  };
}

/** The body of a response. `fetch` takes half as long as the query itself, also for an empty response. */
async function getJson(url: string, options: RequestOptions): Promise<unknown> {
  const [response] = (await once(get(url, options), "response")) as [IncomingMessage];
  return json(response);
}

async function milliseconds(task: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
