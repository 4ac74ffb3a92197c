import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { MAX_CONCURRENCY } from "../../scanner-job/src/transport/pace.ts";
import { apiDocument } from "../../scanner-job/src/testing/api-document.ts";
import { fakeApi, type Route } from "../../scanner-job/src/testing/fake-api.ts";
import { atMost, median, spreadOf, type Figure } from "./figures.ts";
import { scanOf } from "./scanner-figures.ts";

const OPERATIONS = 50;
const LATENCY_MS = 20;
const ROUNDS = 3;
const ROUND_TRIPS = 51;

/** Scans of an API whose every response takes this long, compared with the minimum: requests x round trip / concurrency. */
export async function latencyFigures(): Promise<Figure[]> {
  const server = createServer(fakeApi(slowly(ROUTES)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measured(url));
    const ratio = spreadOf(rounds.map(({ durationMs, minimumMs }) => durationMs / minimumMs));
    const requests = median(rounds.map((round) => round.requests));
    const seconds = (times: readonly number[]): string => `${(median(times) / 1000).toFixed(1)} s`;
    return [
      {
        name: `Scan of ${OPERATIONS} operations at ${LATENCY_MS} ms: time, ${requests} requests x round trip / ${MAX_CONCURRENCY}`,
        product: seconds(rounds.map(({ durationMs }) => durationMs)),
        baseline: seconds(rounds.map(({ minimumMs }) => minimumMs)),
        ratio,
        goal: atMost(ratio, 1.3),
      },
    ];
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function measured(url: string) {
  const tripMs = await roundTrip(url);
  const { requests, durationMs } = (await scanOf(`${url}/`)).statistics;
  return { requests, durationMs, minimumMs: (requests * tripMs) / MAX_CONCURRENCY };
}

const NAMES = Array.from({ length: OPERATIONS }, (_, index) => `/shelves${index}`);
const DOCUMENT = apiDocument(
  Object.fromEntries(
    NAMES.map((path) => [
      path,
      { get: { parameters: [{ name: "kind", in: "query", schema: { type: "string" } }] } },
    ]),
  ),
);
const ROUTES: Readonly<Record<string, Route>> = {
  "GET /": { json: { name: "Town library" } },
  "GET /openapi.json": { json: DOCUMENT },
  ...Object.fromEntries(NAMES.map((path) => [`GET ${path}`, { json: [{ title: "On rivers" }] }])),
  "* *": { status: 404, json: { error: "Not found" } },
};

const slowly = (routes: Readonly<Record<string, Route>>): Record<string, Route> =>
  Object.fromEntries(
    Object.entries(routes).map(([key, route]) => [
      key,
      async (incoming) => {
        await after(LATENCY_MS);
        return typeof route === "function" ? route(incoming) : route;
      },
    ]),
  );

/** Median duration of sequential requests, in milliseconds. */
async function roundTrip(url: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < ROUND_TRIPS; turn++) {
    const started = performance.now();
    await (await fetch(url)).text();
    times.push(performance.now() - started);
  }
  return median(times);
}
