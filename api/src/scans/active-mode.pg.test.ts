import { beforeEach, expect, test } from "vitest";
import { signIn } from "../testing/admin-client.ts";
import { newAccount, useTestApi, type TestAccount } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";

const api = useTestApi({ settings: { waitSeconds: 0 } });
const url = "https://api.example/";
const active = { url, mode: "active" } as const;

let shop: TestAccount;
beforeEach(async () => {
  shop = await newAccount(api.store);
});

/** What an administrator of the service does. */
const allow = () =>
  api.store.accounts.declare({ name: shop.account.name, plan: "enterprise", activeMode: true });
const submit = (body: unknown, headers = {}) => ask(`${api.url}/v1/scan`, { key: shop.key, headers, body });
const entries = async () =>
  (await api.store.audit.list(shop.account.id, { action: "scan.start", limit: 9 })).map(({ after }) => after);

test("an account that is not allowed to gets 403, and is charged nothing", async () => {
  const { status, json } = await submit(active);
  expect(status).toBe(403);
  expect(json.error).toEqual({
    code: "forbidden",
    message: "The account may not scan in active mode: an administrator of the service has to allow it.",
  });
  expect((await api.store.usage.ofMonth(shop.account.id)).started).toBe(0);
  expect((await submit({ url, mode: "safe" })).status).toBe(200);
});

test("a scan of an account that is allowed to is shown with its mode, which the audit log records", async () => {
  await allow();
  const { json } = await submit(active);
  expect(json).toMatchObject({ status: "processing", mode: "active" });
  expect(await entries()).toEqual([{ url, mode: "active" }]);
  await api.store.scans.cancel(shop.account.id, json.id);
  const { json: failed } = await ask(`${api.url}/v1/scan/${json.id}`, { key: shop.key });
  expect(failed).toMatchObject({ status: "failed", mode: "active", journal: [] });
});

test("a safe scan is the default: it has no mode in responses before its report", async () => {
  await allow();
  for (const body of [{ url }, { url, mode: "safe" }]) {
    const { json } = await submit(body);
    expect(json).not.toHaveProperty("mode");
  }
  expect(await entries()).toEqual([{ url }, { url }]);
});

test("a mode that does not exist is refused by its field", async () => {
  const { status, json } = await submit({ url, mode: "aggressive" });
  expect([status, json.error.code, json.error.field]).toEqual([400, "invalid_request", "mode"]);
});

test("an Idempotency-Key is for one mode: the other one is another request", async () => {
  await allow();
  const headers = { "Idempotency-Key": "build-1" };
  const first = await submit({ url }, headers);
  expect((await submit({ url, mode: "safe" }, headers)).json.id).toBe(first.json.id);
  expect((await submit(active, headers)).status).toBe(409);
});

test("the dashboard starts active scans where the account may, shows the mode, and retries in it", async () => {
  const { client } = await signIn(api, shop.account, { role: "member" });
  expect(await client.account.get.query({})).toMatchObject({ activeMode: false });
  await expect(client.scans.start.mutate(active)).rejects.toMatchObject({ data: { code: "forbidden" } });
  await allow();
  const { id } = await client.scans.start.mutate(active);
  expect((await client.scans.get.query({ id })).scan).toMatchObject({ mode: "active" });
  await client.scans.cancel.mutate({ id });
  const again = await client.scans.retry.mutate({ id });
  expect((await client.scans.get.query(again)).scan).toMatchObject({ mode: "active" });
  await client.scans.cancel.mutate(again);
  await api.store.accounts.declare({ name: shop.account.name, plan: "enterprise" });
  await expect(client.scans.retry.mutate({ id })).rejects.toMatchObject({ data: { code: "forbidden" } });
});
