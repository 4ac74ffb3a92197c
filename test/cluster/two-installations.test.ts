import { newScanId } from "@glovebox/contract";
import { MAX_SCAN_SECONDS } from "@glovebox/k8s";
import { age, openStoreAt } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { until } from "./support/until.ts";

/** In seconds: longer than a sweep waits for a Scan to appear, and longer than any scan takes. */
const [MINUTES, OVERDUE] = [3 * 60, MAX_SCAN_SECONDS + 3600];
/** Slow enough for a scan to run during the whole test. */
const DELAY_MS = 60;

let apis: ApiProcess[] = [];
const api = async (fixture: Fixture): Promise<ApiProcess> => {
  const started = await startApi(fixture);
  apis.push(started);
  return started;
};
const stopApis = async (): Promise<void> => {
  await Promise.all(apis.map((one) => one.stop()));
  apis = [];
};
const startController = (fixture: Fixture) =>
  fixture.startController({ GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" });
const submitted = async (fixture: Fixture): Promise<string> =>
  (await (await api(fixture)).clientOf()).submit();
const running = (fixture: Fixture, id: string) =>
  until("the scan to run", async () => (await fixture.statusOf(id)).phase === "Running");

describe("two installations with one database", () => {
  let fixtures: [Fixture, Fixture];
  beforeAll(async () => {
    const first = await startFixture({ delayMs: DELAY_MS });
    fixtures = [first, await startFixture({ sharing: first })];
    await Promise.all(fixtures.map(startController));
  });
  afterAll(async () => {
    await stopApis();
    await fixtures?.[1].close();
    await fixtures?.[0].close();
  });

  /** Waits for a sweep: it fails a scan of a deleted installation, after it has checked all other scans. */
  async function waitForSweep(fixture: Fixture): Promise<void> {
    const { store, account } = fixture;
    const then = new Date(Date.now() - OVERDUE * 1000);
    const past = await openStoreAt({ url: fixture.databaseUrl }, () => then);
    const id = newScanId(then);
    const url = "https://gone.example/";
    await past.scans.submit({ actor: COMMAND_LINE, id, account, url, installation: "gone" });
    await past.close();
    await api(fixture);
    const { failure } = await until("the scan of the deleted installation to fail", async () => {
      const row = await store.work.find(id);
      return row?.status === "failed" && row;
    });
    expect(failure).toMatchObject({ code: "deadline_exceeded", message: expect.stringContaining("is gone") });
  }

  test("each run their own scans, and their sweeps do not end the scans of the other", async () => {
    const [first, second] = fixtures;
    const ids = [await submitted(first), await submitted(second)] as const;
    await Promise.all([running(first, ids[0]), running(second, ids[1])]);
    await stopApis(); // an API sweeps when it starts
    await age(first.databaseUrl, MINUTES);
    await waitForSweep(first);
    await waitForSweep(second);
    for (const [fixture, id] of [
      [first, ids[0]],
      [second, ids[1]],
    ] as const) {
      expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
      expect(await fixture.store.work.find(id)).toMatchObject({ status: "completed" });
    }
    expect((await first.store.scans.list(first.account.id, { limit: 10, offset: 0 })).total).toBe(4);
  });

  test("do not end a scan that was applied with kubectl in the other", async () => {
    const [first, second] = fixtures;
    await second.applyScan("applied");
    const { scanId } = await until("the scan to run", async () => {
      const status = await second.statusOf("applied");
      return status.phase === "Running" && status;
    });
    await stopApis();
    await age(first.databaseUrl, MINUTES);
    await waitForSweep(first);
    expect(await second.finished("applied")).toMatchObject({ phase: "Completed", attempt: 1, scanId });
  });
});

test("two installations with separate databases complete their scans in one cluster", async () => {
  const fixtures = await Promise.all([startFixture(), startFixture()]);
  try {
    await Promise.all(fixtures.map(startController));
    const ids = await Promise.all(fixtures.map(submitted));
    for (const [index, fixture] of fixtures.entries()) {
      expect(await fixture.finished(ids[index]!)).toMatchObject({ phase: "Completed", attempt: 1 });
      const { total } = await fixture.store.scans.list(fixture.account.id, { limit: 10, offset: 0 });
      expect(total).toBe(1);
    }
  } finally {
    await stopApis();
    await Promise.all(fixtures.map((fixture) => fixture.close()));
  }
});
