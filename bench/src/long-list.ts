import postgres from "postgres";
import { PAGE_QUERY } from "../../store/src/scans.ts";
import type { LoadAccount } from "./accounts.ts";
import { median, spreadOf, type Figure } from "./figures.ts";

const LIMIT = 20;
const TIMES = 51;

/** Pages of an account with a million scans, one at a time: the whole request against its query alone. */
export async function longListFigures(parts: {
  api: string;
  databaseUrl: string;
  reader: LoadAccount;
}): Promise<Figure[]> {
  const sql = postgres(parts.databaseUrl, { max: 1 });
  try {
    const figures: Figure[] = [];
    for (const offset of [0, 10_000]) figures.push(await pageFigure(parts, { sql, offset }));
    return figures;
  } finally {
    await sql.end();
  }
}

async function pageFigure(
  { api, reader }: { api: string; reader: LoadAccount },
  { sql, offset }: { sql: postgres.Sql; offset: number },
): Promise<Figure> {
  const request = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${reader.key}` };
    const answer = await fetch(`${api}/v1/scans?limit=${LIMIT}&offset=${offset}`, { headers });
    const page = (await answer.json()) as { scans?: unknown[] };
    if (page.scans?.length !== LIMIT) throw new Error(`A page at ${offset} came back with ${answer.status}`);
  };
  const query = async (): Promise<void> =>
    void (await sql.unsafe(PAGE_QUERY, [reader.id, LIMIT, offset], { prepare: true }));

  const [requests, queries]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TIMES; turn++) {
    queries.push(await milliseconds(query));
    requests.push(await milliseconds(request));
  }
  return {
    name: `Page at ${offset.toLocaleString("en")} of 1,000,000 scans`,
    product: `${median(requests).toFixed(1)} ms`,
    baseline: `${median(queries).toFixed(1)} ms`,
    ratio: spreadOf([median(requests) / median(queries)]),
  };
}

async function milliseconds(task: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await task();
  return performance.now() - started;
}
