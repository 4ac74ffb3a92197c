import { MAX_ACTIVE_KEYS } from "@glovebox/contract";
import { beforeAll, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";
import { until } from "../testing/until.ts";

const api = useTestApi();
let shop: TestAccount;
let owner: SignedIn;
beforeAll(async () => {
  shop = await newAccount(api.store);
  owner = await signIn(api, shop.account);
});

const statusWith = async (key: string): Promise<number> => (await ask(`${api.url}/v1/scans`, { key })).status;
const actions = async (): Promise<unknown[]> =>
  (await api.store.audit.list(shop.account.id, { limit: 100 })).map(({ action, actor, subject }) => [
    action,
    actor,
    subject,
  ]);

test("a key is shown once, works, and is listed without its secret", async () => {
  const { id, key } = await owner.client.keys.create.mutate({ name: "ci", scopes: ["scans:read"] });
  expect(await statusWith(key)).toBe(200);
  const keys = await owner.client.keys.list.query({});
  expect(keys.find((each) => each.id === id)).toMatchObject({
    name: "ci",
    scopes: ["scans:read"],
    revokedAt: null,
  });
  expect(JSON.stringify(keys)).not.toContain(key);
});

test("a revoked key is refused, and the audit log has who revoked it", async () => {
  const { id, key } = await owner.client.keys.create.mutate({ name: "old" });
  expect(await statusWith(key)).toBe(200);
  await owner.client.keys.revoke.mutate({ keyId: id });
  await until(async () => (await statusWith(key)) === 401);
  const email = (await owner.client.session.me.query({})).email;
  expect(await actions()).toEqual(
    expect.arrayContaining([
      ["key.create", email, "old"],
      ["key.revoke", email, "old"],
    ]),
  );
});

test("a rotated key has the scopes of the old one, which is valid as long as it was given", async () => {
  const old = await owner.client.keys.create.mutate({ name: "deploy", scopes: ["scans:read"] });
  const next = await owner.client.keys.rotate.mutate({ keyId: old.id, graceHours: 1 });
  expect([await statusWith(old.key), await statusWith(next.key)]).toEqual([200, 200]);
  const last = await owner.client.keys.rotate.mutate({ keyId: next.id, graceHours: 0 });
  await until(async () => (await statusWith(next.key)) === 401);
  expect(await statusWith(last.key)).toBe(200);
  const listed = (await owner.client.keys.list.query({})).find(({ id }) => id === last.id);
  expect(listed).toMatchObject({ name: "deploy", scopes: ["scans:read"], expiresAt: null });
});

test("a key of another account cannot be rotated or revoked", async () => {
  const other = await newAccount(api.store);
  for (const call of [
    () => owner.client.keys.revoke.mutate({ keyId: other.keyId }),
    () => owner.client.keys.rotate.mutate({ keyId: other.keyId, graceHours: 0 }),
  ])
    await expect(call()).rejects.toMatchObject({ data: { code: "not_found", httpStatus: 404 } });
  expect(await statusWith(other.key)).toBe(200);
});

test.each([
  ["no name", { name: "  " }, { name: ["is required"] }],
  ["an unknown scope", { name: "x", scopes: ["all"] }, { "scopes.0": [expect.any(String)] }],
  ["a malformed expiry", { name: "x", expiresAt: "tomorrow" }, { expiresAt: [expect.any(String)] }],
])("a key with %s is refused, with the field and the reason", async (_name, input, fields) => {
  const refused = owner.client.keys.create.mutate(input as never);
  await expect(refused).rejects.toMatchObject({ data: { code: "invalid_request", fields } });
});

test("a key that would have expired already is refused", async () => {
  const refused = owner.client.keys.create.mutate({ name: "x", expiresAt: "2020-01-01T00:00:00Z" });
  await expect(refused).rejects.toMatchObject({
    message: "expiresAt: must be in the future",
    data: { fields: { expiresAt: ["must be in the future"] } },
  });
});

test("of 70 keys, ten created at a time, 50 are active, and one more is created when one is revoked", async () => {
  const other = await newAccount(api.store); // with one key
  const { client } = await signIn(api, other.account);
  const create = () => client.keys.create.mutate({ name: "many" });
  let created = 0;
  for (let batch = 0; batch < 7; batch++) {
    const results = await Promise.allSettled(Array.from({ length: 10 }, create));
    created += results.filter(({ status }) => status === "fulfilled").length;
  }
  expect(created).toBe(MAX_ACTIVE_KEYS - 1);
  const [active] = (await client.keys.list.query({})).filter(({ revokedAt }) => revokedAt === null);
  await expect(create()).rejects.toMatchObject({ data: { code: "invalid_request" } });
  const rotate = (graceHours: number) => client.keys.rotate.mutate({ keyId: active!.id, graceHours });
  await expect(rotate(1)).rejects.toMatchObject({ message: expect.stringContaining("50 active keys") });
  await rotate(0);
  await client.keys.revoke.mutate({
    keyId: (await client.keys.list.query({})).find(({ name }) => name === "many")!.id,
  });
  await create();
});
