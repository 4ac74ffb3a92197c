import type { IdentityInput, Plan } from "@glovebox/contract";
import { plainSql } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";

const SECRET = "s3cret-of-alice";
const identities: IdentityInput[] = [{ name: "alice", headers: { Authorization: `Bearer ${SECRET}` } }];
const url = "https://api.example.com/";

let database: TestDatabase;
let api: TestApi;
let owner: TestAccount;
beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({ databaseUrl: database.url, settings: { waitSeconds: 0 } });
  owner = await newAccount(api.store);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const submit = (body: unknown, { key = owner.key, headers = {}, at = api } = {}) =>
  ask(`${at.url}/v1/scan`, { key, headers, body });

describe("a scan with identities", () => {
  test("stores them for the scanner, and no response or log line contains them", async () => {
    const { status, text, json } = await submit({ url, identities });
    expect(status).toBe(200);
    expect(await api.store.identities.ofScan(json.id)).toEqual([{ ...identities[0], role: "user" }]);
    const read = await ask(`${api.url}/v1/scan/${json.id}`, { key: owner.key });
    const list = await ask(`${api.url}/v1/scans`, { key: owner.key });
    for (const seen of [text, read.text, list.text, ...api.log])
      expect(seen).not.toMatch(/s3cret|identities/);
  });

  test.each<[string, Plan, boolean]>([
    ["refused to a plan without authenticated scanning", "starter", false],
    ["accepted of a plan that has it", "pro", true],
  ])("a scan with identities is %s", async (_, plan, isAccepted) => {
    const { key, account } = await newAccount(api.store, { plan });
    const { status, json } = await submit({ url, identities }, { key });
    expect(status).toBe(isAccepted ? 200 : 403);
    if (!isAccepted) {
      expect(json.error).toEqual({
        code: "forbidden",
        message: "The plan does not include authenticated scanning.",
      });
      expect((await api.store.usage.ofMonth(account.id)).started).toBe(0);
      expect((await submit({ url }, { key })).status).toBe(200);
    }
  });

  test("a scan with identities is refused with a clear error where the installation has no key", async () => {
    const without = await startTestApi({
      databaseUrl: database.url,
      settings: { waitSeconds: 0 },
      identityKeys: null,
    });
    const headers = { "Idempotency-Key": "no-key" };
    const { status, json } = await submit({ url, identities }, { at: without, headers });
    expect([status, json.error.code]).toEqual([403, "forbidden"]);
    expect(json.error.message).toContain("GLOVEBOX_IDENTITY_KEY_FILE");
    expect((await submit({ url }, { at: without })).status).toBe(200);
    await without.close();
  });

  test("a scan with identities is refused for a mistake in them by the name of the field, without its value", async () => {
    const { status, text, json } = await submit({
      url,
      identities: [{ name: "alice", headers: { Authorization: `${SECRET}\r\nX: y` } }],
    });
    expect(status).toBe(400);
    expect(json.error).toEqual({
      code: "invalid_request",
      message: "identities.0.headers.Authorization: must not contain control characters",
      field: "identities.0.headers.Authorization",
    });
    expect(text).not.toContain("s3cret");
  });

  test("a scan with identities is replayed for the same body, and refused for another password", async () => {
    const headers = { "Idempotency-Key": "build-1" };
    const first = await submit({ url, identities }, { headers });
    const again = await submit({ identities, url }, { headers });
    expect(again.json.id).toBe(first.json.id);
    const other = [{ name: "alice", headers: { Authorization: "Bearer another" } }];
    expect((await submit({ url, identities: other }, { headers })).status).toBe(409);
    expect((await submit({ url }, { headers })).status).toBe(409);
  });

  test("leaves no digest from which a password could be guessed", async () => {
    const headers = { "Idempotency-Key": "build-2" };
    await submit({ url, identities }, { headers });
    const sql = plainSql(database.url);
    const [row] = await sql<{ digest: string }[]>`
      select body_digest as digest from idempotency where key = 'build-2'`;
    await sql.end();
    const otherKey = await startTestApi({ databaseUrl: database.url, settings: { waitSeconds: 0 } });
    expect(row!.digest).toMatch(/^[0-9a-f]{64}$/);
    expect((await submit({ url, identities }, { headers, at: otherKey })).status).toBe(409);
    await otherKey.close();
  });
});

test("a scan is shown with its filters in every status", async () => {
  const filters = { include: ["/orders/**"], exclude: ["DELETE", "tag:admin"] };
  const { json } = await submit({ url, ...filters });
  expect(json).toMatchObject({ status: "processing", ...filters });
  await api.store.scans.cancel(owner.account.id, json.id);
  const read = await ask(`${api.url}/v1/scan/${json.id}`, { key: owner.key });
  expect(read.json).toMatchObject({ status: "failed", ...filters });
});
