import { overriding } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROUTES } from "../routes.ts";
import { signIn } from "../testing/admin-client.ts";
import {
  ADMIN_MUTATIONS,
  ROUTE_MUTATIONS,
  type AuditedMutation,
  type AuditedWorld,
} from "../testing/audited-mutations.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount, startTestApi, type TestApi } from "../testing/harness.ts";
import { adminRouter } from "./router.ts";

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    settings: { webhooks: true, waitSeconds: 0 },
    // Nothing is sent: a delivery whose attempt is under way cannot be sent again.
    wrap: (store) => ({ ...store, deliveries: overriding(store.deliveries, { claim: async () => [] }) }),
  });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const procedures = adminRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const mutations = Object.keys(procedures).filter((path) => procedures[path]!._def.type === "mutation");
const routes = ROUTES.filter(({ access, method }) => access === "key" && method !== "get");

async function newWorld(): Promise<AuditedWorld> {
  const shop = await newAccount(api.store);
  const owner = await signIn(api, shop.account, { isAdministrator: true });
  const send = async (method: string, path: string, body?: unknown): Promise<void> => {
    const headers = {
      authorization: `Bearer ${shop.key}`,
      accept: "application/json, text/event-stream",
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const response = await fetch(api.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  return { api, shop, owner, send };
}

/** The entries of this action that the call left. */
async function entriesOf(world: AuditedWorld, [action, call]: AuditedMutation) {
  const [last] = await api.store.audit.list(undefined, { limit: 1 });
  await call(world);
  const entries = await api.store.audit.list(undefined, { action, limit: 20 });
  return entries.filter(({ id, actor }) => id > (last?.id ?? 0) && actor !== "command line");
}

test("the tables name every mutation of the admin interface and every route that changes something", () => {
  expect(Object.keys(ADMIN_MUTATIONS).toSorted()).toEqual(mutations.toSorted());
  const named = routes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(ROUTE_MUTATIONS).toSorted()).toEqual(named.toSorted());
});

describe("the audit log has who did it and from where", () => {
  test.each(mutations)("after %s of the admin interface", async (path) => {
    const world = await newWorld();
    const entries = await entriesOf(world, ADMIN_MUTATIONS[path]!);
    const who = { userId: world.owner.userId, keyId: null, actor: expect.stringContaining("@example.com") };
    expect(entries).toMatchObject([{ ...who, ip: expect.any(String), requestId: expect.any(String) }]);
  });

  test.each(routes.map(({ method, path }) => `${method} ${path}`))(
    "after %s with an API key",
    async (route) => {
      const world = await newWorld();
      const entries = await entriesOf(world, ROUTE_MUTATIONS[route]!);
      const { keyId, account } = world.shop;
      const who = { userId: null, keyId, accountId: account.id, actor: "API key k" };
      expect(entries).toMatchObject([{ ...who, ip: expect.any(String), requestId: expect.any(String) }]);
    },
  );
});
