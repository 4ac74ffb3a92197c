import { newScanId, type Exchange, type Finding } from "@glovebox/contract";
import { assess } from "@glovebox/domain";
import { WHOLLY_TESTED, found } from "@glovebox/domain/testing";
import { FORMAT_NAMES } from "@glovebox/report";
import { delivered } from "@glovebox/scan-run";
import { COMMAND_LINE, type Store } from "@glovebox/store";
import { processMemory } from "../../test/support/process-memory.ts";
import { ACCOUNTS_VARIABLE, declareLoadAccount, type LoadAccount } from "./child.ts";
import { startDatabase } from "./database.ts";
import { atMost, spreadOf, type Figure } from "./figures.ts";
import { serve } from "./processes.ts";

const FINDINGS = 500;
const EVIDENCE_BYTES = 10_000;
const CLIENTS = 10;
const EXPORTS = 40;
const IDLE_REQUESTS = 200;
const GOALS = { delayMs: 100, memoryMib: 256, listRatio: 3 };

/** Forty exports of large reports by ten clients of one account, and what another account and the process notice of them. */
export async function largeReportFigures(report: (line: string) => void): Promise<Figure[]> {
  await using database = await startDatabase();
  const exporter = await declareLoadAccount(database.store, "exporter");
  const neighbour = await declareLoadAccount(database.store, "neighbour");
  const scan = await largeReport(database.store, exporter);
  await largeReport(database.store, neighbour);
  const env = { DATABASE_URL: database.url, [ACCOUNTS_VARIABLE]: JSON.stringify([exporter, neighbour]) };
  await using api = await serve("api-process", { env, logFile: `${database.folder}/api.log` });

  report("lists of the neighbour, idle");
  const list = (): Promise<number> => millisecondsOf(`${api.line}/v1/scans?limit=20`, neighbour);
  for (let turn = 0; turn < IDLE_REQUESTS; turn++) await list();
  const idle: number[] = [];
  for (let turn = 0; turn < IDLE_REQUESTS; turn++) idle.push(await list());
  const before = processMemory(api.pid)?.current ?? 0;

  report(`${EXPORTS} exports by ${CLIENTS} clients`);
  await eventLoopDelays(api.line); // the process counts from here
  const paths = Array.from(
    { length: EXPORTS },
    (_, n) => `${api.line}/v1/scan/${scan}/report?format=${FORMAT_NAMES[n % FORMAT_NAMES.length]}`,
  );
  let isExporting = true;
  const exporting = exportAll(paths, exporter).finally(() => (isExporting = false));
  const loaded: number[] = [];
  while (isExporting) loaded.push(await list());
  const exportMs = await exporting;
  const delay = await eventLoopDelays(api.line);
  const memory = processMemory(api.pid)?.peak ?? 0;
  return figuresOf({ idle, loaded, exportMs, delay, memory, before });
}

interface Measured {
  readonly idle: readonly number[];
  readonly loaded: readonly number[];
  readonly exportMs: readonly number[];
  readonly delay: { readonly p99: number; readonly max: number };
  readonly memory: number;
  readonly before: number;
}

function figuresOf({ idle, loaded, exportMs, delay, memory, before }: Measured): Figure[] {
  const [p95, idleP95] = [p95Of(loaded), p95Of(idle)];
  const listRatio = spreadOf([p95 / idleP95]);
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    {
      ...{ name: "List of another account during 40 exports, p95", product: ms(p95), baseline: ms(idleP95) },
      ...{ ratio: listRatio, goal: atMost(listRatio, GOALS.listRatio) },
    },
    {
      ...{ name: "Event-loop delay during 40 exports, p99, and the most", product: ms(delay.p99) },
      ...{ baseline: ms(delay.max), ratio: spreadOf([delay.p99 / delay.max]) },
      goal: { text: `under ${GOALS.delayMs} ms`, met: delay.p99 < GOALS.delayMs },
    },
    {
      ...{ name: "API memory during 40 exports at its most, before them", product: mib(memory) },
      ...{ baseline: mib(before), ratio: spreadOf([memory / before]) },
      goal: { text: `under ${GOALS.memoryMib} MiB`, met: memory < GOALS.memoryMib },
    },
    {
      ...{ name: "One of 40 exports, p95, list idle", product: ms(p95Of(exportMs)), baseline: ms(idleP95) },
      ratio: spreadOf([p95Of(exportMs) / idleP95]),
    },
  ];
}

const mib = (value: number): string => `${Math.round(value)} MiB`;
const p95Of = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

/** As many concurrently as there are clients; the time of each. */
async function exportAll(paths: readonly string[], account: LoadAccount): Promise<number[]> {
  const [waiting, times] = [[...paths], [] as number[]];
  const client = async (): Promise<void> => {
    for (let path = waiting.shift(); path; path = waiting.shift())
      times.push(await millisecondsOf(path, account));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

async function millisecondsOf(url: string, { key }: LoadAccount): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  const { byteLength } = await response.arrayBuffer();
  if (response.status !== 200 || byteLength === 0) throw new Error(`${url}: status ${response.status}`);
  return performance.now() - started;
}

/** In milliseconds, since the metrics were read before. */
async function eventLoopDelays(origin: string): Promise<{ p99: number; max: number }> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const milliseconds = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)![1]) * 1000;
  return {
    p99: milliseconds("nodejs_eventloop_lag_p99_seconds"),
    max: milliseconds("nodejs_eventloop_lag_max_seconds"),
  };
}

/** Records a scan whose report has 500 findings with 10 kB of evidence each. Returns its id. */
async function largeReport(store: Store, { id: accountId }: LoadAccount): Promise<string> {
  const findings = Array.from({ length: FINDINGS }, (_, n) => findingAt(n));
  const { scoring, score, grade, categories, coverage } = assess({ findings, ...WHOLLY_TESTED });
  const statistics = { requests: 1_000, operations: FINDINGS, durationMs: 60_000 };
  const outcome = delivered({
    status: "completed",
    report: { score, grade, categories, findings, coverage, scoring, checks: [], notes: [], statistics },
  });
  const account = (await store.accounts.findById(accountId))!;
  const id = newScanId(new Date());
  await store.scans.submit({ id, account, url: "https://api.example/v1", actor: COMMAND_LINE });
  await store.work.record(id, outcome);
  return id;
}

function findingAt(n: number): Finding {
  const path = `/orders/${n}/items`;
  const body = JSON.stringify({
    items: Array.from({ length: EVIDENCE_BYTES / 20 }, (_, at) => `item-${n}-${at}`),
  });
  const exchange: Exchange = {
    role: "attack",
    request: { method: "GET", url: `https://api.example${path}`, headers: { accept: "application/json" } },
    response: { status: 200, headers: { "content-type": "application/json" }, body },
  };
  return found("medium firm", {
    ...{ location: { method: "GET", path }, title: "Object of another user returned" },
    evidence: {
      rule: "The object is returned.",
      exchanges: [exchange],
      curl: `curl https://api.example${path}`,
    },
  });
}
