import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { campaign, print } from "./support/campaign.ts";
import { FAULTS } from "./support/faults.ts";
import { startPostgresServer, type PostgresServer } from "./support/postgres-server.ts";
import { startRedisServer, type RedisServer } from "./support/redis-server.ts";
import { tableOf, type TableRow } from "./support/table.ts";

// docs/faults.md, "Run it", describes these variables.
const seed = Number(process.env["GLOVEBOX_FAULTS_SEED"] ?? randomInt(2 ** 31));
const scans = Number(process.env["GLOVEBOX_FAULTS_SCANS"] ?? 50);
const times = Number(process.env["GLOVEBOX_FAULTS_TIMES"] ?? 10);
const logs = process.env["GLOVEBOX_FAULTS_LOGS"];
const LIMIT_MS = 20 * 60_000;

let postgres: PostgresServer;
let redis: RedisServer;
const rows: TableRow[] = [];

beforeAll(async () => {
  print(`The seed is ${seed}.`);
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
});
afterAll(async () => {
  print(tableOf(rows));
  await Promise.all([postgres?.remove(), redis?.crash()]);
});

const injected = FAULTS.filter(({ name, missing }) => {
  const reason = missing?.();
  if (reason) print(`Left out: ${name}, because ${reason}.`);
  return reason === undefined;
});

test.each(injected)(
  "$name killed repeatedly: every scan ends exactly once, and no object is left",
  async (fault) => {
    const { violations, ...row } = await campaign(fault, { postgres, redis, seed, scans, times, logs });
    rows.push({ fault: fault.name, times: Math.min(times, fault.maxTimes ?? times), ...row });
    for (const line of [tableOf(rows.slice(-1)), ...violations]) print(line);
    expect(violations).toEqual([]);
  },
  LIMIT_MS,
);
