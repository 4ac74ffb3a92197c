import { setTimeout as delay } from "node:timers/promises";
import { createApi, createLogger, type Api, type ScanLauncher } from "@glovebox/api";
import { hashApiKey, newApiKey } from "@glovebox/contract";
import { createEgressPolicy } from "@glovebox/egress";
import { openStore, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

/** A launcher, and what carries out the scans that it launches, as far as the contract looks at it. */
export interface CarriedOutBy {
  readonly launcher: ScanLauncher;
  /** How often work on the scan has begun. */
  begun(scanId: string): number;
  isUnderWay(scanId: string): boolean;
  /** From then on nothing can be launched. */
  goAway(): Promise<void>;
  /** All is well again, and whatever looks for scans that were left behind has had its turn. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT = "launcher-contract";
const SCAN = { url: "https://api.example.com/v1", context: "internal" } as const;

/** What every launcher does, seen from the API: the same on one machine and on Kubernetes. */
export function launcherContract(
  name: string,
  start: (store: Store, databaseUrl: string) => Promise<CarriedOutBy>,
): void {
  describe(`a scan launched by ${name}`, () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    let store: Store;
    let carrier: CarriedOutBy;
    let api: Api;
    const key = newApiKey();

    beforeAll(async () => {
      database = await freshDatabase(inject("databaseUrl"));
      store = await openStore({ url: database.url });
      const account = await store.accounts.declare({ name: ACCOUNT, plan: "enterprise" });
      await store.keys.add({ accountId: account.id, name: "k", sha256: hashApiKey(key) });
      carrier = await start(store, database.url);
      api = apiOver(store, carrier.launcher);
      await api.start();
    });
    afterAll(async () => {
      await api.close();
      await carrier.close();
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
      const answer = await call("POST", "/v1/scan", SCAN);
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { id: string }).id;
    };
    const read = async (id: string) =>
      (await (await call("GET", `/v1/scan/${id}`)).json()) as { status: string; error?: { code: string } };
    const cancel = (id: string) => call("DELETE", `/v1/scan/${id}`);
    const launchAgain = (id: string) => carrier.launcher.launch({ id, specUrl: null, ...SCAN }, ACCOUNT);

    test("is under way after its POST, and processing", async () => {
      const id = await submit();
      await until(() => carrier.isUnderWay(id));
      expect((await read(id)).status).toBe("processing");
      await cancel(id);
    });

    test("and launched again is carried out once", async () => {
      const id = await submit();
      await until(() => carrier.isUnderWay(id));
      await launchAgain(id);
      await launchAgain(id);
      const next = await submit();
      await until(() => carrier.isUnderWay(next));
      expect(carrier.begun(id)).toBe(1);
      await Promise.all([cancel(id), cancel(next)]);
    });

    test("and cancelled ends at once, and is not carried out any more", async () => {
      const id = await submit();
      await until(() => carrier.isUnderWay(id));
      expect((await cancel(id)).status).toBe(204);
      await until(() => !carrier.isUnderWay(id));
      expect(await read(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
      expect(carrier.begun(id)).toBe(1);
    });

    test("while nothing can be launched is accepted all the same, and carried out afterwards", async () => {
      await carrier.goAway();
      const id = await submit();
      expect(await read(id)).toMatchObject({ status: "processing" });
      expect(carrier.begun(id)).toBe(0);
      await carrier.comeBack();
      await until(() => carrier.isUnderWay(id));
      expect(carrier.begun(id)).toBe(1);
      await cancel(id);
    });

    test("and cancelled while nothing can be launched is never carried out", async () => {
      await carrier.goAway();
      const id = await submit();
      expect((await cancel(id)).status).toBe(204);
      await carrier.comeBack();
      const next = await submit();
      await until(() => carrier.isUnderWay(next));
      expect(carrier.begun(id)).toBe(0);
      await cancel(next);
    });

    test("may be cancelled any number of times, also before it was launched", async () => {
      const unknown = "scan-00000000000000000000000000";
      await carrier.launcher.cancel(unknown);
      await carrier.launcher.cancel(unknown);
      expect(carrier.begun(unknown)).toBe(0);
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

/** Resolves once the condition holds; the test's own time limit ends a vain wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}
