import { newScanId, scanFailure } from "@glovebox/contract";
import type { Condition } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OidcProvider } from "../settings/oidc-providers.ts";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { COMMAND_LINE } from "@glovebox/store";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "../testing/harness.ts";

const WAITING: Condition = {
  type: "Sealed",
  status: "False",
  reason: "WaitingForSlot",
  message: "Three scans run, and no more may.",
  lastTransitionTime: "2026-11-23T00:00:00Z",
};

const ACCEPTED: Condition = { ...WAITING, type: "Accepted", status: "True", reason: "Charged", message: "" };

const PROVIDER: OidcProvider = {
  ...{ id: "corp", name: "Example Corp", issuer: "https://id.example.com", clientId: "glovebox" },
  clientSecret: "hush",
  ...{ scopes: ["openid"], groupsClaim: "groups", administrators: ["platform"] },
  roles: [{ group: "payments", account: "payments", role: "owner" }],
};

let database: TestDatabase;
let api: TestApi;
let shop: TestAccount;
let administrator: SignedIn;
let isClusterAway = false;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    settings: { oidcProviders: [PROVIDER] },
    launcher: {
      launch: async () => undefined,
      cancel: async () => undefined,
      conditions: async () =>
        isClusterAway ? Promise.reject(new Error("10.0.0.1 refused")) : [ACCEPTED, WAITING],
      isReachable: async () => !isClusterAway,
    },
  });
  shop = await newAccount(api.store);
  administrator = await signIn(api, shop.account, { isAdministrator: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

async function submitted(): Promise<string> {
  const id = newScanId(new Date());
  await api.store.scans.submit({
    actor: COMMAND_LINE,
    id,
    account: shop.account,
    url: "https://api.example/",
  });
  return id;
}

test("the queue says which scans of all accounts wait and which run, and the last failures say why", async () => {
  const [running, waiting, failed] = [await submitted(), await submitted(), await submitted()];
  await api.store.work.progress(running, { category: "injection", done: 0, planned: 1 } as never, {
    done: 0,
    planned: 9,
  });
  await api.store.work.record(failed, { status: "failed", failure: scanFailure("scanner_crashed") });
  const { client } = administrator;
  const cancelled = await submitted();
  await client.scans.cancel.mutate({ id: cancelled });

  const state = await client.service.state.query({});
  expect(state).toMatchObject({ waiting: 1, running: 1, schema: "current", cluster: "reachable" });
  expect(state.oldestWaitingSeconds).toBeGreaterThanOrEqual(0);
  const queue = await client.service.queue.query({});
  const { type, reason, message } = WAITING;
  const { name: accountName } = shop.account;
  expect(queue).toMatchObject([
    { id: running, isRunning: true, accountName, waitsFor: null },
    { id: waiting, isRunning: false, accountName, waitsFor: { type, reason, message } },
  ]);
  const failures = await client.service.failures.query({});
  expect(failures).toMatchObject([{ id: failed, code: "scanner_crashed", accountId: shop.account.id }]);
});

test("the members of an account read why a scan of theirs waits, and of no other", async () => {
  const id = await submitted();
  const viewer = await signIn(api, shop.account, { role: "viewer" });
  const { lastTransitionTime: since, ...condition } = WAITING;
  expect(await viewer.client.scans.conditions.query({ id })).toContainEqual({ ...condition, since });
  const stranger = await signIn(api, (await newAccount(api.store)).account);
  await expect(stranger.client.scans.conditions.query({ id })).rejects.toThrow("No such scan.");
});

test("a cluster that is away is an outage, and its address is not shown", async () => {
  const id = await submitted();
  isClusterAway = true;
  const failed = administrator.client.scans.conditions.query({ id });
  await expect(failed).rejects.toMatchObject({
    message: "The cluster is not available; try again shortly.",
    data: { code: "unavailable", httpStatus: 503 },
  });
  const { client } = administrator;
  expect(await client.service.state.query({})).toMatchObject({ cluster: "unreachable" });
  expect((await client.service.queue.query({})).find((scan) => scan.id === id)).toMatchObject({
    waitsFor: null,
  });
});

test("administrators read how users sign in, without secrets, and owners do not", async () => {
  const settings = await administrator.client.service.signIn.query({});
  const { clientSecret: _, ...shown } = PROVIDER;
  const origin = `http://localhost:${api.port}`;
  expect(settings).toEqual({
    ...{ publicUrl: origin, acceptsPasswords: true },
    providers: [{ ...shown, redirectUri: `${origin}/sign-in/oidc/corp/callback` }],
  });
  const owner = await signIn(api, shop.account);
  await expect(owner.client.service.signIn.query({})).rejects.toMatchObject({ data: { code: "forbidden" } });
});
