import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLedger } from "@glovebox/store/testing";
import { randomOf } from "../test/faults/support/random.ts";
import { newAccounts } from "./src/soak/accounts.ts";
import { Caller } from "./src/soak/caller.ts";
import { runClients } from "./src/soak/clients.ts";
import { createSchedules, createWebhooks, signInUsers } from "./src/soak/features.ts";
import type { SoakFacts } from "./src/soak/facts.ts";
import { finalFacts } from "./src/soak/final-facts.ts";
import { Journal } from "./src/soak/journal.ts";
import { MemorySampler } from "./src/soak/memory-samples.ts";
import { injectOutages } from "./src/soak/outages.ts";
import { Reader } from "./src/soak/reader.ts";
import { Submitter } from "./src/soak/submitter.ts";
import { exchangeTable, guaranteeTable, memoryTable, workTable } from "./src/soak/summary.ts";
import { startSystem } from "./src/soak/system.ts";
import { violationsOf } from "./src/soak/violations.ts";

/** `soak [--minutes 30] [--pace 1] [--scans 8] [--seed N] [--logs FOLDER]`: docs/faults.md, "Soak". */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    pace: { type: "string", default: "1" },
    scans: { type: "string", default: "8" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    logs: { type: "string" },
  },
});
const numberOf = (option: "minutes" | "pace" | "scans" | "seed"): number => {
  const value = Number(values[option]);
  if (!(value > 0)) throw new Error(`--${option}: must be a number above 0`);
  return value;
};
const [minutes, pace, maxScans, seed] = [
  numberOf("minutes"),
  numberOf("pace"),
  numberOf("scans"),
  numberOf("seed"),
];
const PROGRESS_MS = 30_000;
const totalMs = minutes * 60_000;
const report = (line: string): void => console.error(`  ${new Date().toISOString().slice(11, 19)} ${line}`);

const accounts = newAccounts();
report(`${accounts.length} accounts, ${minutes} minutes, seed ${seed}`);
await using system = await startSystem(accounts);
const journal = new Journal();
const caller = new Caller(system.urls, journal);
const sessions = await signInUsers(system, accounts);
await createWebhooks(
  system,
  accounts.filter(({ hasFeatures }) => hasFeatures),
);
const schedules = await createSchedules(system, accounts, minutes);

using memory = new MemorySampler(system);
const period = { from: Date.now(), to: Date.now() + totalMs };
const end = AbortSignal.timeout(totalMs);
async function reportProgress(): Promise<void> {
  const { scans } = await readLedger(system.databaseUrl);
  const ended = scans.filter(({ status }) => status !== "processing").length;
  report(`${ended} of ${scans.length} scans have ended; ${journal.exchanges.length} requests`);
}
const progress = setInterval(() => void reportProgress().catch(() => undefined), PROGRESS_MS).unref();
const [outages] = await Promise.all([
  injectOutages(system, totalMs, report),
  runClients({
    ...{ accounts, maxScans, pace, signal: end, random: randomOf(seed) },
    submitter: new Submitter({ caller, journal, targetUrl: system.targetUrl }),
    reader: new Reader({ caller, journal, sessions }),
  }),
  delay(totalMs),
]);
clearInterval(progress);

report("waiting for the last scans to end");
const facts: SoakFacts = {
  ...(await finalFacts(system, { period, outages, accounts, schedules, journal })),
  memory: memory.series,
};
if (values.logs !== undefined)
  for (const { pid, stderr } of system.commands)
    writeFileSync(join(values.logs, `service-${pid}.log`), stderr);

const violations = violationsOf(facts);
for (const table of [workTable(facts), exchangeTable(facts), memoryTable(facts), guaranteeTable(violations)])
  console.log(`${table}\n`);
for (const [guarantee, sentences] of Object.entries(violations))
  for (const sentence of sentences) console.log(`violated: ${guarantee}: ${sentence}`);
if (Object.values(violations).some((list) => list.length > 0)) process.exitCode = 1;
