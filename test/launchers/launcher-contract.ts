import { setTimeout as delay } from "node:timers/promises";
import { createApi, createLogger, type Api, type ScanLauncher } from "@glovebox/api";
import { hashApiKey, newApiKey, openStore, type Store } from "@glovebox/store";
import { createEgressPolicy } from "@glovebox/egress";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

/** A launcher, and the system that runs its scans. */
export interface LauncherUnderTest {
  readonly launcher: ScanLauncher;
  /** How often the scan was started. */
  startedCount(scanId: string): number;
  isRunning(scanId: string): boolean;
  /** Makes every launch fail until `restore`. */
  makeUnavailable(): Promise<void>;
  /** Makes launches possible again, and launches the scans that were submitted meanwhile. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT = "launcher-contract";
const SCAN = { url: "https://api.example.com/v1", context: "internal" } as const;

/** The behaviour of every launcher as clients of the API see it. */
export function launcherContract(
  name: string,
  start: (store: Store, databaseUrl: string) => Promise<LauncherUnderTest>,
): void {
  describe(`a scan launched by ${name}`, () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    let store: Store;
    let system: LauncherUnderTest;
    let api: Api;
    const key = newApiKey();

    beforeAll(async () => {
      database = await freshDatabase(inject("databaseUrl"));
      store = await openStore({ url: database.url });
      const account = await store.accounts.declare({ name: ACCOUNT, plan: "enterprise" });
      await store.keys.add({ accountId: account.id, name: "k", sha256: hashApiKey(key) });
      system = await start(store, database.url);
      api = apiOver(store, system.launcher);
      await api.start();
    });
    afterAll(async () => {
      await api.close();
      await system.close();
      await store.close();
      await database.drop();
    });

    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      return fetch(`${api.url()}${path}`, {
        method,
        headers: { ...headers, Prefer: "respond-async" },
        ...(body && { body: JSON.stringify(body) }),
      });
    };
    const submit = async (): Promise<string> => {
      const response = await call("POST", "/v1/scan", SCAN);
      expect(response.status).toBe(200);
      return ((await response.json()) as { id: string }).id;
    };
    const read = async (id: string) =>
      (await (await call("GET", `/v1/scan/${id}`)).json()) as { status: string; error?: { code: string } };
    const cancel = (id: string) => call("DELETE", `/v1/scan/${id}`);
    const launchAgain = (id: string) =>
      system.launcher.launch({ id, specUrl: null, identityNames: null, ...SCAN }, ACCOUNT);

    test("runs after its POST, and its status is processing", async () => {
      const id = await submit();
      await until(() => system.isRunning(id));
      expect((await read(id)).status).toBe("processing");
      await cancel(id);
    });

    test("runs once even if it is launched again", async () => {
      const id = await submit();
      await until(() => system.isRunning(id));
      await launchAgain(id);
      await launchAgain(id);
      const next = await submit();
      await until(() => system.isRunning(next));
      expect(system.startedCount(id)).toBe(1);
      await Promise.all([cancel(id), cancel(next)]);
    });

    test("fails as cancelled when it is deleted, and stops running", async () => {
      const id = await submit();
      await until(() => system.isRunning(id));
      expect((await cancel(id)).status).toBe(204);
      await until(() => !system.isRunning(id));
      expect(await read(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
      expect(system.startedCount(id)).toBe(1);
    });

    test("is accepted while launches fail, and runs afterwards", async () => {
      await system.makeUnavailable();
      const id = await submit();
      expect(await read(id)).toMatchObject({ status: "processing" });
      expect(system.startedCount(id)).toBe(0);
      await system.restore();
      await until(() => system.isRunning(id));
      expect(system.startedCount(id)).toBe(1);
      await cancel(id);
    });

    test("never runs if it is cancelled while launches fail", async () => {
      await system.makeUnavailable();
      const id = await submit();
      expect((await cancel(id)).status).toBe(204);
      await system.restore();
      const next = await submit();
      await until(() => system.isRunning(next));
      expect(system.startedCount(id)).toBe(0);
      await cancel(next);
    });

    test("can be cancelled any number of times, and before it was launched", async () => {
      const unknown = "scan-00000000000000000000000000";
      await system.launcher.cancel(unknown);
      await system.launcher.cancel(unknown);
      expect(system.startedCount(unknown)).toBe(0);
    });
  });
}

const apiOver = (store: Store, launcher: ScanLauncher): Api =>
  createApi({
    store,
    launcher,
    egress: { policy: createEgressPolicy(), lookup: async () => ["93.184.215.14"] },
    logger: createLogger("silent"),
    now: () => new Date(),
    settings: { port: 0 },
  });

/** Resolves when the condition holds. The timeout of the test limits the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}
