import { API_VERSION, KIND, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchJobs, type JobChange } from "./support/job-watch.ts";
import { apply, getJson } from "./support/kubectl.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const CAPS = { all: 4, account: 2, host: 3 };
const OTHER_HOST = "api.other.example";
const ACCOUNTS = ["anna", "bert", "cleo"];

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 40, accounts: ACCOUNTS });
  for (const name of ACCOUNTS) await fixture.store.accounts.declare({ name, plan: "enterprise" });
  await fixture.startController(
    {
      GLOVEBOX_MAX_CONCURRENT_SCANS: String(CAPS.all),
      GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: String(CAPS.account),
      GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: String(CAPS.host),
    },
    { [HOST]: fixture.target.address, [OTHER_HOST]: fixture.target.address },
  );
});
afterAll(() => fixture?.close());

/** Twelve scans: four of each account, and two thirds of one host. */
const scans = () =>
  Array.from({ length: 12 }, (_, n) => ({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: `load-${n}`, namespace: fixture.namespace },
    spec: { url: `https://${n % 3 === 2 ? OTHER_HOST : HOST}/v1`, account: ACCOUNTS[Math.floor(n / 4)]! },
  }));

/** The maximum number of Jobs that ran at the same time, among those with the same key. */
function maxConcurrent(changes: readonly JobChange[], keyOf: (scanId: string) => string): number {
  const running = new Map<string, string>();
  const counts = changes.map(({ type, name, scanId, hasEnded }) => {
    if (type === "DELETED" || hasEnded) running.delete(name);
    else running.set(name, keyOf(scanId));
    const groups = Map.groupBy(running.values(), (key) => key);
    return Math.max(0, ...[...groups.values()].map((group) => group.length));
  });
  return Math.max(...counts);
}

test("under load, no more Jobs run at the same time than the limits in total, per account and per host, and all scans complete", async () => {
  const jobs = watchJobs(fixture.namespace);
  await apply(...scans());
  const ended = await until(
    "the end of all scans",
    async () => {
      const { items } = await getJson<{ items: ScanResource[] }>(
        "scans.glovebox.dev",
        "-n",
        fixture.namespace,
      );
      return items.every(({ status }) => status?.finishedAt) && items;
    },
    280,
  );
  await jobs.stop();
  expect(ended.map(({ status }) => status!.phase)).toEqual(Array(12).fill("Completed"));
  expect(new Set(jobs.changes.map(({ name }) => name)).size).toBe(12);

  const specOf = new Map(ended.map(({ status, spec }) => [status!.scanId!, spec]));
  expect({
    all: maxConcurrent(jobs.changes, () => "all"),
    account: maxConcurrent(jobs.changes, (id) => specOf.get(id)!.account!),
    host: maxConcurrent(jobs.changes, (id) => new URL(specOf.get(id)!.url).hostname),
  }).toEqual(CAPS);
});
