import { setTimeout as delay } from "node:timers/promises";
import type { ScanList } from "@glovebox/contract";
import type { ScheduleItem, ScheduleRun } from "@glovebox/contract/schedules";
import { signIn } from "../../../api/src/testing/admin-client.ts";
import { ask, type Ask, type TestResponse } from "../../../api/src/testing/requests.ts";
import type { SoakAccount } from "./accounts.ts";
import type { SoakSchedule } from "./facts.ts";
import type { SoakSession } from "./reader.ts";
import { INTERVAL_MINUTES, cronFrom } from "./schedules.ts";
import type { SoakSystem } from "./system.ts";

/** Schedules, webhooks and users of the accounts; each is created before the load, and read after it. */
export type OpenSchedule = Omit<SoakSchedule, "suspendedAt" | "runs"> & { readonly key: string };

/** One of each account with the interval of 15 minutes, due from the next minute on, distributed over the run. */
export async function createSchedules(
  { urls, targetUrl }: SoakSystem,
  accounts: readonly SoakAccount[],
  minutes: number,
): Promise<OpenSchedule[]> {
  const spread = Math.min(INTERVAL_MINUTES, Math.max(1, Math.floor(minutes) - 1));
  const scheduled = accounts.filter(({ plan }) => plan === "enterprise");
  return Promise.all(
    scheduled.map(async ({ name, key }, n) => {
      const createdAt = Date.now();
      const minute = (new Date(createdAt).getUTCMinutes() + 1 + (n % spread)) % INTERVAL_MINUTES;
      const body = { name: "Soak", url: targetUrl, schedule: cronFrom(minute), historyLimit: 100 };
      const { json } = await succeeded(`${urls[0]}/v1/schedules`, { key, body });
      return { id: (json as ScheduleItem).id, account: name, minute, createdAt, key };
    }),
  );
}

/** Suspends the schedules: no run starts any more. */
export const suspendSchedules = ({ urls }: SoakSystem, schedules: readonly OpenSchedule[]) =>
  Promise.all(
    schedules.map(async (schedule) => {
      const change = { key: schedule.key, method: "PATCH", body: { suspend: true } };
      await succeeded(`${urls[0]}/v1/schedules/${schedule.id}`, change);
      return { ...schedule, suspendedAt: Date.now() };
    }),
  );

export async function runsOf({ urls }: SoakSystem, { id, key }: OpenSchedule): Promise<ScheduleRun[]> {
  const { json } = await succeeded(`${urls[0]}/v1/schedules/${id}/runs`, { key });
  return (json as { runs: ScheduleRun[] }).runs;
}

/** One of each account whose plan has webhooks, with its name in the path. */
export async function createWebhooks(
  { urls, receiver }: SoakSystem,
  accounts: readonly SoakAccount[],
): Promise<void> {
  const events = ["scan.completed", "scan.failed"];
  for (const { name, key } of accounts)
    await succeeded(`${urls[0]}/v1/webhooks`, { key, body: { url: `${receiver.url}/${name}`, events } });
}

/** Ids of scans in what the webhooks received, by account. */
export function deliveredTo(
  { receiver }: SoakSystem,
  accounts: readonly SoakAccount[],
): Record<string, Set<string>> {
  const delivered = Object.fromEntries(accounts.map(({ name }) => [name, new Set<string>()]));
  for (const { path, body } of receiver.received) {
    const { data } = JSON.parse(body) as { data: { id: string } };
    delivered[path.slice(1)]!.add(data.id);
  }
  return delivered;
}

/** A user of each of these accounts, signed in to the dashboard. */
export async function signInUsers(
  { store, urls }: SoakSystem,
  accounts: readonly SoakAccount[],
): Promise<Map<string, SoakSession>> {
  const sessions = new Map<string, SoakSession>();
  for (const { name } of accounts) {
    const account = (await store.accounts.find(name))!;
    const { cookie } = await signIn({ store, url: urls[0]! }, account);
    sessions.set(name, { cookie, accountId: account.id });
  }
  return sessions;
}

/** What `GET /v1/scans` says of each account. */
export async function totalsOf(
  { urls }: SoakSystem,
  accounts: readonly SoakAccount[],
): Promise<Record<string, number>> {
  const totals = accounts.map(async ({ name, key }) => {
    const { json } = await succeeded(`${urls[0]}/v1/scans?limit=1`, { key });
    return [name, (json as ScanList).total] as const;
  });
  return Object.fromEntries(await Promise.all(totals));
}

/** The response with 200; a limit of requests is waited for. @throws Error for any other */
async function succeeded(url: string, request: Ask): Promise<TestResponse> {
  for (;;) {
    const response = await ask(url, request);
    if (response.status === 200) return response;
    if (response.status !== 429) throw new Error(`${url}: ${response.status} ${response.text}`);
    await delay(Number(response.headers.get("retry-after")) * 1_000);
  }
}
