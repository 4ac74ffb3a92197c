import { identitiesSchema, type IdentityInput, type Plan } from "@glovebox/contract";
import { plainSql } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";

const SECRET = "s3cret-of-alice";
const identities: IdentityInput[] = [{ name: "alice", headers: { Authorization: `Bearer ${SECRET}` } }];
const STORED = identitiesSchema.parse(identities);
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
    expect(await api.store.identities.ofScan(json.id)).toEqual({ identities: STORED });
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

describe("expectations", () => {
  const expectations = [{ role: "user", deny: ["/admin/**"] }];

  test("expectations are stored with the identities that they are about", async () => {
    const { json } = await submit({ url, identities, expectations });
    expect(await api.store.identities.ofScan(json.id)).toEqual({ identities: STORED, expectations });
  });

  test.each([
    [{ expectations }, "expectations: needs `identities`"],
    [{ identities, expectations: [{ deny: ["/a"] }] }, "expectations.0: needs either `role` or `identity`"],
    [{ identities, identitySet: "staging" }, "identitySet: must not be given beside `identities`"],
    [{ identitySet: "staging", expectations }, "expectations: needs `identities`"],
  ])("%# are refused with the field and the reason", async (over, message) => {
    const { status, json } = await submit({ url, ...over });
    expect([status, json.error.code, json.error.message]).toEqual([400, "invalid_request", message]);
  });
});

describe("a scan with a saved set", () => {
  const key = { name: "staging", origin: "https://api.example.com" };
  const file = { identities: STORED, expectations: [{ role: "user" as const, deny: ["/admin/**"] }] };

  test("a scan with a saved set gets its identities and expectations, and no response has its name or values", async () => {
    await api.store.identitySets.save(owner.account.id, key, file);
    const { status, text, json } = await submit({ url, identitySet: " staging " });
    expect(status).toBe(200);
    expect(await api.store.identities.ofScan(json.id)).toEqual(file);
    expect(text).not.toMatch(/s3cret|staging/);
  });

  test("a scan with a saved set is refused where the set is of another target, of another account, or there is none", async () => {
    const other = await newAccount(api.store);
    const refusals = await Promise.all([
      submit({ url: "https://other.example.com/", identitySet: "staging" }),
      submit({ url, identitySet: "staging" }, { key: other.key }),
      submit({ url, identitySet: "none" }),
    ]);
    for (const { status, json } of refusals)
      expect([status, json.error]).toEqual([
        400,
        {
          ...{ code: "invalid_request", field: "identitySet" },
          message: "identitySet: is not a saved set of this target",
        },
      ]);
  });

  test("a scan with a saved set is refused to a plan without authenticated scanning", async () => {
    const { key: apiKey } = await newAccount(api.store, { plan: "starter" });
    const { status } = await submit({ url, identitySet: "staging" }, { key: apiKey });
    expect(status).toBe(403);
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
