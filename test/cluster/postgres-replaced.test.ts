import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newApiKey } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import { migrate } from "@glovebox/store";
import { replaceDatabase, type Replaced } from "@glovebox/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { clientOf, SCAN, startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { getJson, namesOf } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

/** Of a scan that is younger, the controller believes that it was erased. */
const OLD_ENOUGH_SECONDS = 65;

let stage: Stage;
let controller: ControllerProcess;
let api: ApiProcess;
let client: ApiClient;
let replaced: Replaced | undefined;

beforeAll(async () => {
  stage = await setStage({ delayMs: 200 });
  controller = await stage.startController();
  api = await startApi(stage);
  client = await api.clientOf();
});
afterEach(async () => {
  await replaced?.bringBack();
  replaced = undefined;
});
afterAll(async () => {
  await api?.stop();
  await stage?.close();
});

const replace = async (): Promise<void> => {
  replaced = await replaceDatabase(inject("databaseUrl"), stage.databaseUrl);
};
const readiness = async ({ url }: { readonly url: string }): Promise<[number, string]> => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.text()];
};
const attemptsOf = async (id: string): Promise<string[]> =>
  (await namesOf("jobs", stage.namespace)).filter((name) => name.startsWith(id));
const ageSeconds = async (id: string): Promise<number> => {
  const { metadata } = await getJson<ScanResource>("scans.glovebox.dev", id, "-n", stage.namespace);
  return (Date.now() - Date.parse(metadata.creationTimestamp)) / 1000;
};

describe("a PostgreSQL in whose place there is an empty one", () => {
  test("is an outage: nobody is ready, clients are told to wait, and a scan outlives it", async () => {
    const id = await client.submit();
    await until("the Job of the scan", async () => (await attemptsOf(id)).length > 0);
    await replace();

    await until("that the API says why it is not ready", async () => {
      const [status, text] = await readiness(api);
      return status === 503 && text.includes("The database has no Glovebox schema");
    });
    await until("that the controller says so", async () => {
      const [status, text] = await readiness(controller);
      return status === 503 && text.includes("the database has no Glovebox schema");
    });
    const answer = await client.call("GET", "/v1/scans");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);

    await sleep(Math.max(0, OLD_ENOUGH_SECONDS - (await ageSeconds(id))) * 1000);
    await migrate(stage.databaseUrl); // as the chart's hook does, with a URL that leads elsewhere
    await until("that both are ready", async () =>
      (await Promise.all([api, controller].map(readiness))).every(([status]) => status === 200),
    );
    const waiting = await until("that the scan waits for its record", async () => {
      const status = await stage.statusOf(id);
      return status.reason === "RecordMissing" && status;
    });
    expect(waiting.finishedAt).toBeUndefined();
    expect(await attemptsOf(id)).toHaveLength(1);

    await replaced!.bringBack();
    replaced = undefined;
    expect(await stage.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await client.read(id)).toMatchObject({ status: "completed" });
  });
});

describe("of an evaluation, a PostgreSQL that comes back empty", () => {
  test("is migrated again by the API, with its accounts and keys, and scans go on", async () => {
    const folder = mkdtempSync(join(tmpdir(), "glovebox-accounts-"));
    const [file, key] = [join(folder, "accounts.yaml"), newApiKey()];
    writeFileSync(
      file,
      `accounts: [{ name: default, plan: enterprise, keys: [{ name: first, key: ${key} }] }]`,
    );
    const evaluation = await startApi(stage, { GLOVEBOX_MIGRATE: "auto", GLOVEBOX_ACCOUNTS_FILE: file });
    try {
      const holder = clientOf(evaluation.url, key);
      await replace();
      const id = await until("a scan in the new database", async () => {
        const answer = await holder.call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" });
        if (answer.status === 200) return ((await answer.json()) as { id: string }).id;
        expect([401, 503]).toContain(answer.status);
        return false;
      });
      expect(await stage.finished(id)).toMatchObject({ phase: "Completed" });
      expect(await holder.read(id)).toMatchObject({ status: "completed" });
    } finally {
      await evaluation.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
