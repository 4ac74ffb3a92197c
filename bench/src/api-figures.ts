import { setQuota } from "@glovebox/store/testing";
import { ACCOUNTS_VARIABLE, declareLoadAccount, type LoadAccount } from "./accounts.ts";
import { completedScan, insertScans, startDatabase } from "./database.ts";
import { atLeast, spreadOf, type Figure } from "./figures.ts";
import { compare, type LoadRequest } from "./load.ts";
import { longListFigures } from "./long-list.ts";
import { memoryOf, serve, serveNothing } from "./processes.ts";

const SCANS = 1_000_000;
const QUOTA = 1_000_000_000;
const MEMORY_MIB = 150;

interface Case {
  readonly name: string;
  readonly request: LoadRequest;
  /** Undefined: shown for comparison. */
  readonly goal: number | undefined;
}

/** The API under load against the bare handler, its long lists, and what memory it took. */
export async function apiFigures(report: (line: string) => void): Promise<Figure[]> {
  await using database = await startDatabase();
  report("the database is up; filling it");
  const { store } = database;
  const reader = await declareLoadAccount(store, "reader");
  const unlimited = await declareLoadAccount(store, "unlimited");
  const limited = await declareLoadAccount(store, "limited", "pro");
  await setQuota(database.url, "pro", QUOTA); // no plan allows as many scans as a load submits
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
    { name: "GET /v1/scan/{id}", request: get(reader, `/v1/scan/${scan}`), goal: 0.5 },
    { name: "GET /v1/scans", request: get(reader, "/v1/scans"), goal: 0.5 },
    { name: "POST /v1/scan, with a quota", request: post(limited), goal: 0.3 },
    { name: "POST /v1/scan, without a quota", request: post(unlimited), goal: undefined },
  ];
}

const get = ({ key }: LoadAccount, path: string): LoadRequest => ({
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
  await using nothing = await serveNothing();
  const empty = await memoryOf(nothing.pid);
  const handler = await memoryOf(bare);
  const product = await memoryOf(api);
  if (!empty || !handler || !product) return []; // only Linux tells the most that a process ever held
  const figure = (name: string, value: number, baseline: number): Figure => ({
    name,
    product: `${Math.round(value)} MiB`,
    baseline: `${Math.round(baseline)} MiB`,
    ratio: spreadOf([value / baseline]),
  });
  const goal = { text: `under ${MEMORY_MIB} MiB`, met: product.mostMiB < MEMORY_MIB };
  return [
    { ...figure("API memory at its most, empty Node", product.mostMiB, empty.mostMiB), goal },
    figure("API memory after the load, empty Node", product.nowMiB, empty.nowMiB),
    figure("API memory at its most, bare handler", product.mostMiB, handler.mostMiB),
  ];
}
