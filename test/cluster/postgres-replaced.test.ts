import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApiKey, migrate } from "@glovebox/store";
import { replaceDatabase, type Replaced } from "@glovebox/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { clientOf, SCAN, startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { namesOf } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let controller: ControllerProcess;
let api: ApiProcess;
let client: ApiClient;
let replaced: Replaced | undefined;

beforeAll(async () => {
  fixture = await startFixture({ delayMs: 200 });
  controller = await fixture.startController();
  api = await startApi(fixture);
  client = await api.clientOf();
});
afterEach(async () => {
  await replaced?.bringBack();
  replaced = undefined;
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

const replace = async (): Promise<void> => {
  replaced = await replaceDatabase(inject("databaseUrl"), fixture.databaseUrl);
};
const readiness = async ({ url }: { readonly url: string }): Promise<[number, string]> => {
  const response = await fetch(`${url}/readyz`);
  return [response.status, await response.text()];
};
const attemptsOf = async (id: string): Promise<string[]> =>
  (await namesOf("jobs", fixture.namespace)).filter((name) => name.startsWith(id));
const waitsForItsRow = (id: string) =>
  until("the scan to wait for its row", async () => {
    const status = await fixture.statusOf(id);
    return status.reason === "RecordMissing" && status;
  });

describe("a PostgreSQL that is replaced by an empty one", () => {
  test("a PostgreSQL that is replaced by an empty one is an outage: API and controller are not ready, clients get 503, and the scan completes when the database is back", async () => {
    const id = await client.submit();
    await until("the Job of the scan", async () => (await attemptsOf(id)).length > 0);
    await replace();

    await until("the API to be unready", async () => {
      const [status, text] = await readiness(api);
      return status === 503 && text.includes("The database has no Glovebox schema");
    });
    await until("the controller to be unready", async () => {
      const [status, text] = await readiness(controller);
      return status === 503 && text.includes("the database has no Glovebox schema");
    });
    const response = await client.call("GET", "/v1/scans");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);

    await migrate(fixture.databaseUrl); // like the chart's hook with the URL of another database
    await until("API and controller to be ready", async () =>
      (await Promise.all([api, controller].map(readiness))).every(([status]) => status === 200),
    );
    expect((await waitsForItsRow(id)).finishedAt).toBeUndefined();
    expect(await attemptsOf(id)).toHaveLength(1);

    await replaced!.bringBack();
    replaced = undefined;
    expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await client.read(id)).toMatchObject({ status: "completed" });
  });
});

describe("a PostgreSQL of an evaluation that restarts empty", () => {
  test("a PostgreSQL of an evaluation that restarts empty is migrated again by the API, with its accounts and keys: new scans complete, and one that ran waits for its row", async () => {
    const folder = mkdtempSync(join(tmpdir(), "glovebox-accounts-"));
    const [file, key] = [join(folder, "accounts.yaml"), newApiKey()];
    writeFileSync(
      file,
      `accounts: [{ name: default, plan: enterprise, keys: [{ name: first, key: ${key} }] }]`,
    );
    const evaluation = await startApi(fixture, { GLOVEBOX_MIGRATE: "auto", GLOVEBOX_ACCOUNTS_FILE: file });
    try {
      const client = clientOf(evaluation.url, key);
      const running = await client.submit();
      await until("the Job of the scan", async () => (await attemptsOf(running)).length > 0);
      await replace();
      const id = await until("a scan in the new database", async () => {
        const response = await client.call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" });
        if (response.status === 200) return ((await response.json()) as { id: string }).id;
        expect([401, 503]).toContain(response.status);
        return false;
      });
      expect(await fixture.finished(id)).toMatchObject({ phase: "Completed" });
      expect(await client.read(id)).toMatchObject({ status: "completed" });
      expect((await waitsForItsRow(running)).finishedAt).toBeUndefined();
    } finally {
      await evaluation.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
