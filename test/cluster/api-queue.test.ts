import { API_VERSION, KIND, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchJobs, type JobChange } from "./support/job-watch.ts";
import { apply, getJson } from "./support/kubectl.ts";
import { HOST, setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const CAPS = { all: 4, account: 2, host: 3 };
const OTHER_HOST = "api.other.example";
const ACCOUNTS = ["anna", "bert", "cleo"];

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ delayMs: 40 });
  for (const name of ACCOUNTS) await stage.store.accounts.declare({ name, plan: "enterprise" });
  await stage.startController(
    {
      GLOVEBOX_MAX_CONCURRENT_SCANS: String(CAPS.all),
      GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: String(CAPS.account),
      GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: String(CAPS.host),
    },
    { [HOST]: stage.target.address, [OTHER_HOST]: stage.target.address },
  );
});
afterAll(() => stage?.close());

/** Twelve scans, four of each account; two in three of one host. */
const scans = () =>
  Array.from({ length: 12 }, (_, n) => ({
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: `load-${n}`, namespace: stage.namespace },
    spec: { url: `https://${n % 3 === 2 ? OTHER_HOST : HOST}/v1`, account: ACCOUNTS[Math.floor(n / 4)]! },
  }));

/** The most Jobs at a time that had not ended, of those that share what `of` gives. */
function most(changes: readonly JobChange[], of: (scanId: string) => string): number {
  const live = new Map<string, string>();
  const counts = changes.map(({ type, name, scanId, hasEnded }) => {
    if (type === "DELETED" || hasEnded) live.delete(name);
    else live.set(name, of(scanId));
    const alike = Map.groupBy(live.values(), (key) => key);
    return Math.max(0, ...[...alike.values()].map((group) => group.length));
  });
  return Math.max(...counts);
}

test("under load never more Jobs run than allowed in all, for one account, or against one host, and all get their turn", async () => {
  const jobs = watchJobs(stage.namespace);
  await apply(...scans());
  const ended = await until(
    "the end of all scans",
    async () => {
      const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", stage.namespace);
      return items.every(({ status }) => status?.finishedAt) && items;
    },
    280,
  );
  await jobs.stop();
  expect(ended.map(({ status }) => status!.phase)).toEqual(Array(12).fill("Completed"));
  expect(new Set(jobs.changes.map(({ name }) => name)).size).toBe(12);

  const specOf = new Map(ended.map(({ status, spec }) => [status!.scanId!, spec]));
  expect({
    all: most(jobs.changes, () => "all"),
    account: most(jobs.changes, (id) => specOf.get(id)!.account!),
    host: most(jobs.changes, (id) => new URL(specOf.get(id)!.url).hostname),
  }).toEqual(CAPS);
});
