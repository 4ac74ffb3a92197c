import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "../testing/harness.ts";

let database: TestDatabase;
let api: TestApi;
let shop: TestAccount;
let owner: SignedIn["client"];
beforeAll(async () => {
  database = await testDatabase();
  // A name without an address is accepted, and no delivery leaves this machine.
  const lookup = async () => [];
  api = await startTestApi({ databaseUrl: database.url, settings: { webhooks: true }, lookup });
  shop = await newAccount(api.store);
  owner = (await signIn(api, shop.account)).client;
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const HOOK = { url: "https://hooks.example/", events: ["scan.failed" as const] };

test("a webhook is created, changed, tested and deleted, and the audit log has every change but no secret", async () => {
  const { id, secret } = await owner.webhooks.create.mutate(HOOK);
  const rotated = await owner.webhooks.rotateSecret.mutate({ id });
  expect(rotated.secret).not.toBe(secret);
  const sent = await owner.webhooks.test.mutate({ id });
  expect(await owner.webhooks.deliveries.query({ id })).toMatchObject([{ id: sent.id }]);
  expect(await owner.webhooks.update.mutate({ id, enabled: false })).toMatchObject({
    disabledReason: "Disabled by a user.",
  });
  expect(await owner.webhooks.deliveries.query({ id })).toMatchObject([{ status: "failed" }]);
  await owner.webhooks.remove.mutate({ id });
  expect(await owner.webhooks.list.query({})).toEqual([]);

  const entries = await api.store.audit.list(shop.account.id, { action: "webhook.", limit: 10 });
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ["webhook.delete", HOOK.url],
    ["webhook.update", HOOK.url],
    ["webhook.test", HOOK.url],
    ["webhook.rotateSecret", HOOK.url],
    ["webhook.create", HOOK.url],
  ]);
  expect(entries[1]).toMatchObject({ before: { enabled: true }, after: { enabled: false } });
  expect(JSON.stringify(entries)).not.toContain("whsec_");
});

test("a disabled webhook is sent nothing again", async () => {
  const { id } = await owner.webhooks.create.mutate(HOOK);
  const sent = await owner.webhooks.test.mutate({ id });
  await owner.webhooks.update.mutate({ id, enabled: false });
  await expect(owner.webhooks.sendAgain.mutate({ id, delivery: sent.id })).rejects.toMatchObject({
    data: { code: "invalid_request" },
  });
});

test("a refused address returns the reason", async () => {
  const url = "https://169.254.169.254/";
  await expect(owner.webhooks.create.mutate({ ...HOOK, url })).rejects.toMatchObject({
    data: { code: "invalid_url", httpStatus: 400 },
  });
});

test("a member reads webhooks and changes none, and a plan without them is refused", async () => {
  const member = (await signIn(api, shop.account, { role: "member" })).client;
  expect(await member.webhooks.list.query({})).not.toEqual([]);
  await expect(member.webhooks.create.mutate(HOOK)).rejects.toMatchObject({ data: { httpStatus: 403 } });
  const small = await newAccount(api.store, { plan: "starter" });
  const its = (await signIn(api, small.account)).client;
  await expect(its.webhooks.list.query({})).rejects.toMatchObject({
    message: "The plan does not include webhooks.",
  });
});
