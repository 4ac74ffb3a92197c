import { COMMAND_LINE } from "@glovebox/store";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";

const api = useTestApi({ now: () => new Date(Date.now() + ahead) });
let shop: TestAccount;
let owner: SignedIn;
let administrator: SignedIn;
/** How far the clock of the API is ahead, in milliseconds. */
let ahead = 0;

beforeAll(async () => {
  const { account } = await newAccount(api.store);
  administrator = await signIn(api, account, { isAdministrator: true });
});
beforeEach(async () => {
  shop = await newAccount(api.store);
  owner = await signIn(api, shop.account);
});

const PLAN_ONLY = { requestsPerMinute: null, scansPerMonth: null, activeMode: false };
const newest = async () => (await api.store.audit.list(shop.account.id, { limit: 1 }))[0];

test("an administrator finds an account by part of its name, with its members and scans", async () => {
  await owner.client.scans.start.mutate({ url: "https://api.example/" });
  const items = await administrator.client.accounts.list.query({ text: shop.account.name.toUpperCase() });
  expect(items.find(({ id }) => id === shop.account.id)).toMatchObject({
    ...{ plan: "enterprise", members: 1, started: 1, suspendedAt: null },
  });
});

test("a created account is in the audit log; a name that is taken is refused", async () => {
  const terms = { name: `new-${shop.account.id}`, plan: "free", ...PLAN_ONLY } as const;
  const { id } = await administrator.client.accounts.create.mutate(terms);
  expect(await api.store.accounts.findById(id)).toMatchObject({ name: terms.name, plan: "free" });
  const [entry] = await administrator.client.audit.listAll.query({ action: "account.create", limit: 1 });
  expect(entry).toMatchObject({ accountId: id, before: null, after: terms });
  await expect(administrator.client.accounts.create.mutate(terms)).rejects.toThrow(
    "already used by another account",
  );
});

test("an account's own limits replace the limits of its plan immediately", async () => {
  const accountId = shop.account.id;
  const terms = {
    name: shop.account.name,
    plan: "enterprise",
    requestsPerMinute: 7,
    scansPerMonth: 1,
    activeMode: true,
  } as const;
  await administrator.client.accounts.update.mutate({ accountId, ...terms });
  expect(await owner.client.account.get.query({})).toMatchObject({ requestsPerMinute: 7, scansPerMonth: 1 });
  expect(await newest()).toMatchObject({ before: { scansPerMonth: null, activeMode: false }, after: terms });
  await owner.client.scans.start.mutate({ url: "https://api.example/" });
  const second = owner.client.scans.start.mutate({ url: "https://api.example/" });
  await expect(second).rejects.toMatchObject({ data: { code: "rate_limit_exceeded" } });
  const { headers } = await ask(`${api.url}/v1/scans`, { key: shop.key });
  expect(headers.get("x-ratelimit-limit")).toBe("7");
});

test("a suspended account is read by its members and changed by nobody; its keys work again 5 seconds after it is resumed", async () => {
  const accountId = shop.account.id;
  await administrator.client.accounts.setSuspended.mutate({ accountId, isSuspended: true });
  const refused = await ask(`${api.url}/v1/scans`, { key: shop.key });
  expect(refused).toMatchObject({ status: 403, json: { error: { code: "forbidden" } } });
  expect(refused.json.error.message).toContain("The account is suspended");
  expect(await owner.client.account.get.query({})).toMatchObject({ isSuspended: true });
  const start = owner.client.scans.start.mutate({ url: "https://api.example/" });
  await expect(start).rejects.toThrow("The account is suspended: it is read-only.");
  const submission = {
    actor: COMMAND_LINE,
    id: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    account: shop.account,
    url: "https://api.example/",
  };
  expect((await api.store.scans.submit(submission)).outcome).toBe("quotaExceeded");
  expect(await newest()).toMatchObject({ action: "account.suspend", after: { isSuspended: true } });

  await administrator.client.accounts.setSuspended.mutate({ accountId, isSuspended: false });
  ahead += 5_000;
  expect(await ask(`${api.url}/v1/scans`, { key: shop.key })).toMatchObject({ status: 200 });
});

test("keys in use are refused 5 seconds after a suspension", async () => {
  const status = async () => (await ask(`${api.url}/v1/scans`, { key: shop.key })).status;
  expect(await status()).toBe(200);
  await administrator.client.accounts.setSuspended.mutate({ accountId: shop.account.id, isSuspended: true });
  ahead += 5_000;
  expect(await status()).toBe(403);
});

test("owners administer no account, not even their own", async () => {
  const accountId = shop.account.id;
  const refused = await Promise.allSettled([
    owner.client.accounts.list.query({}),
    owner.client.accounts.setSuspended.mutate({ accountId, isSuspended: true }),
    owner.client.accounts.update.mutate({ accountId, name: "x", plan: "enterprise", ...PLAN_ONLY }),
  ]);
  for (const each of refused)
    expect(each).toMatchObject({ status: "rejected", reason: { data: { code: "forbidden" } } });
});
