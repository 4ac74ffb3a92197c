import { overriding } from "@glovebox/store/testing";
import { ERRORS, ERROR_CODES, newScanId, scanFailure, type ErrorCode } from "@glovebox/contract";
import { COMMAND_LINE, openStore, type Store } from "@glovebox/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import { ask, type TestResponse, type Ask } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";

let database: TestDatabase;
let api: TestApi;
let away: Store;
let broken: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    launcher: {
      launch: async ({ id }) => {
        await api.store.work.record(id, { status: "failed", failure: scanFailure("target_errors") });
      },
      cancel: async () => undefined,
    },
  });
  owner = await newAccount(api.store);
  away = await openStore({ url: "postgres://u@127.0.0.1:1/none", connectTimeoutSeconds: 1 });
  const get = (_account: string, id: string) =>
    id.endsWith("0") ? away.scans.get(_account, id) : Promise.reject(new RangeError("a bug"));
  broken = await startTestApi({
    databaseUrl: database.url,
    wrap: (store) => ({ ...store, scans: overriding(store.scans, { get }) }),
  });
});
afterAll(async () => {
  await Promise.all([api.close(), broken.close(), away.close()]);
  await database.drop();
});

const url = "https://example.com";
const post = (options: Ask): Promise<TestResponse> =>
  ask(`${api.url}/v1/scan`, { key: owner.key, ...options });

/** For each code a request that returns it, and the headers that belong to it. */
const ways: Record<ErrorCode, { ask: () => Promise<TestResponse>; headers?: Record<string, RegExp> }> = {
  invalid_url: { ask: () => post({ body: { url: "ftp://example.com" } }) },
  invalid_context: { ask: () => post({ body: { url, context: "secret" } }) },
  invalid_request: { ask: () => post({ body: "{" }) },
  unauthorized: { ask: () => ask(`${api.url}/v1/scans`), headers: { "www-authenticate": /^Bearer / } },
  forbidden: {
    ask: async () => {
      const { key } = await newAccount(api.store, { scopes: ["scans:read"] });
      return post({ key, body: { url } });
    },
  },
  not_found: { ask: () => ask(`${api.url}/v1/scan/none`, { key: owner.key }) },
  method_not_allowed: {
    ask: () => ask(`${api.url}/v1/scans`, { key: owner.key, method: "PATCH" }),
    headers: { allow: /^GET, HEAD$/ },
  },
  idempotency_conflict: {
    ask: async () => {
      const headers = { "Idempotency-Key": "one" };
      await post({ headers, body: { url } });
      return post({ headers, body: { url: `${url}/other` } });
    },
  },
  scan_not_completed: {
    ask: async () => {
      const id = newScanId(new Date());
      await api.store.scans.submit({ actor: COMMAND_LINE, id, account: owner.account, url });
      return ask(`${api.url}/v1/scan/${id}/report?format=csv`, { key: owner.key });
    },
    headers: { "retry-after": /^[1-9]\d*$/, location: /^\/v1\/scan\/scan-/ },
  },
  payload_too_large: { ask: () => post({ body: { url, padding: "x".repeat(70_000) } }) },
  unsupported_media_type: { ask: () => post({ body: "<a/>", headers: { "Content-Type": "text/xml" } }) },
  rate_limit_exceeded: {
    ask: async () => {
      const { key } = await newAccount(api.store, { requestsPerMinute: 1 });
      await ask(`${api.url}/v1/scans`, { key });
      return ask(`${api.url}/v1/scans`, { key });
    },
    headers: { "retry-after": /^[1-9]\d*$/ },
  },
  scan_failed: { ask: () => post({ body: { url } }), headers: { location: /^\/v1\/scan\/scan-/ } },
  internal: { ask: () => ask(`${broken.url}/v1/scan/scan-${"1".repeat(26)}`, { key: owner.key }) },
  unavailable: {
    ask: () => ask(`${broken.url}/v1/scan/scan-${"0".repeat(26)}`, { key: owner.key }),
    headers: { "retry-after": /^[1-9]\d*$/ },
  },
};

test.each(ERROR_CODES)("%s has its status, its headers and the headers of every response", async (code) => {
  const response = await ways[code].ask();
  expectError(response, ERRORS[code].status, code);
  for (const [name, form] of Object.entries(ways[code].headers ?? {}))
    expect(response.headers.get(name), name).toMatch(form);
});

test("by HEAD an error has its status and headers, and no body", async () => {
  const head = await ask(`${api.url}/v1/scan/none`, { key: owner.key, method: "HEAD" });
  expect([head.status, head.text, head.headers.get("x-ratelimit-limit")]).toEqual([404, "", "100000"]);
});
