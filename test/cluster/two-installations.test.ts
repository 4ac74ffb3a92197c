import { newScanId } from "@glovebox/contract";
import { LONGEST_SCAN_SECONDS } from "@glovebox/k8s";
import { age, openStoreAt } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

/** Longer than a sweep waits for a Scan to be seen, and longer than anybody waits for a scan to end, in seconds. */
const [MINUTES, OVERDUE] = [3 * 60, LONGEST_SCAN_SECONDS + 3600];
/** Slow enough for a scan to be at work while all this happens. */
const DELAY_MS = 150;

let apis: ApiProcess[] = [];
const api = async (stage: Stage): Promise<ApiProcess> => {
  const started = await startApi(stage);
  apis.push(started);
  return started;
};
const stopApis = async (): Promise<void> => {
  await Promise.all(apis.map((one) => one.stop()));
  apis = [];
};
const lead = (stage: Stage) => stage.startController({ GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10" });
const submitted = async (stage: Stage): Promise<string> => (await (await api(stage)).clientOf()).submit();
const running = (stage: Stage, id: string) =>
  until("a scan that runs", async () => (await stage.statusOf(id)).phase === "Running");

describe("of two installations that share a database", () => {
  let stages: [Stage, Stage];
  beforeAll(async () => {
    const first = await setStage({ delayMs: DELAY_MS });
    stages = [first, await setStage({ sharing: first })];
    await Promise.all(stages.map(lead));
  });
  afterAll(async () => {
    await stopApis();
    await stages?.[1].close();
    await stages?.[0].close();
  });

  /** A scan of an installation that is gone: whoever has swept has ended it, and looked at all others before. */
  async function swept(stage: Stage): Promise<void> {
    const { store, account } = stage;
    const then = new Date(Date.now() - OVERDUE * 1000);
    const past = await openStoreAt({ url: stage.databaseUrl }, () => then);
    const id = newScanId(then);
    const url = "https://gone.example/";
    await past.scans.submit({ id, account, url, installation: "gone" });
    await past.close();
    await api(stage);
    const { failure } = await until("the end of what nobody carries out", async () => {
      const row = await store.work.find(id);
      return row?.status === "failed" && row;
    });
    expect(failure).toMatchObject({ code: "deadline_exceeded", message: expect.stringContaining("is gone") });
  }

  test("each carries its own scans out, and neither ends the other's, however long they run", async () => {
    const [first, second] = stages;
    const ids = [await submitted(first), await submitted(second)] as const;
    await Promise.all([running(first, ids[0]), running(second, ids[1])]);
    await stopApis(); // the next ones sweep, and look at all Scans, as soon as they have started
    await age(first.databaseUrl, MINUTES);
    await swept(first);
    await swept(second);
    for (const [stage, id] of [
      [first, ids[0]],
      [second, ids[1]],
    ] as const) {
      expect(await stage.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
      expect(await stage.store.work.find(id)).toMatchObject({ status: "completed" });
    }
    expect((await first.store.scans.list(first.account.id, { limit: 10, offset: 0 })).total).toBe(4);
  });

  test("a scan that was applied by hand in one is nothing to the other", async () => {
    const [first, second] = stages;
    await second.applyScan("by-hand");
    const { scanId } = await until("its start", async () => {
      const status = await second.statusOf("by-hand");
      return status.phase === "Running" && status;
    });
    await stopApis();
    await age(first.databaseUrl, MINUTES);
    await swept(first);
    expect(await second.finished("by-hand")).toMatchObject({ phase: "Completed", attempt: 1, scanId });
  });
});

test("two installations with a database each carry their scans out beside each other", async () => {
  const stages = await Promise.all([setStage(), setStage()]);
  try {
    await Promise.all(stages.map(lead));
    const ids = await Promise.all(stages.map(submitted));
    for (const [index, stage] of stages.entries()) {
      expect(await stage.finished(ids[index]!)).toMatchObject({ phase: "Completed", attempt: 1 });
      const { total } = await stage.store.scans.list(stage.account.id, { limit: 10, offset: 0 });
      expect(total).toBe(1);
    }
  } finally {
    await stopApis();
    await Promise.all(stages.map((stage) => stage.close()));
  }
});
