import { newWebhookSchema, webhookDeliverySchema, webhookSchema } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestApi } from "./testing/harness.ts";
import { ask, type TestResponse, type Ask } from "./testing/requests.ts";

let database: TestDatabase;
let api: TestApi;
let key: string;
beforeAll(async () => {
  database = await testDatabase();
  // Other names have no address: they are accepted, and no delivery leaves this machine.
  const lookup = async (host: string) => (host === "inner.example" ? ["10.0.0.1"] : []);
  api = await startTestApi({ databaseUrl: database.url, settings: { webhooks: true }, lookup });
  ({ key } = await newAccount(api.store));
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

const HOOK = { url: "https://hooks.example/glovebox", events: ["scan.completed"] };
const call = (path: string, request: Ask = {}): Promise<TestResponse> =>
  ask(`${api.url}/v1/webhooks${path}`, { key, ...request });
const created = async (): Promise<string> => (await call("", { body: HOOK })).json.id;
const error = (code: string) => expect.objectContaining({ error: expect.objectContaining({ code }) });

test("a webhook is created with a secret that nothing shows again", async () => {
  const response = await call("", { body: { ...HOOK, description: "Pages the team" } });
  expect(response.status).toBe(200);
  expect(newWebhookSchema.parse(response.json)).toMatchObject({
    ...{ ...HOOK, description: "Pages the team", secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  });
  const read = await call(`/${response.json.id}`);
  expect(webhookSchema.strict().parse(read.json)).toEqual(read.json);
  const { webhooks } = (await call("")).json;
  expect(webhooks).toContainEqual(read.json);
  expect(JSON.stringify(webhooks)).not.toContain("whsec_");
});

test("a webhook is changed, its secret replaced, and it is deleted", async () => {
  const id = await created();
  const changed = await call(`/${id}`, {
    method: "PATCH",
    body: { events: ["scan.failed", "scan.regressed"], enabled: false },
  });
  expect(changed.json).toMatchObject({
    ...{ url: HOOK.url, events: ["scan.failed", "scan.regressed"], disabledReason: "Disabled by a user." },
  });
  const rotated = await call(`/${id}/secret`, { method: "POST" });
  expect(newWebhookSchema.parse(rotated.json).previousSecretUntil).not.toBeNull();
  expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
  expect((await call(`/${id}`)).status).toBe(404);
});

test("a test event is enqueued, shown in the log, and can be sent again when its attempts are over", async () => {
  const id = await created();
  const sent = await call(`/${id}/test`, { method: "POST" });
  expect(webhookDeliverySchema.parse(sent.json)).toMatchObject({ event: "webhook.test" });
  const { deliveries } = (await call(`/${id}/deliveries`)).json;
  expect(deliveries).toMatchObject([{ id: sent.json.id, eventId: sent.json.eventId }]);
  expect((await call(`/${id}/deliveries/${crypto.randomUUID()}`, { method: "POST" })).status).toBe(404);
});

test("a disabled webhook is neither tested nor sent anything again", async () => {
  const id = await created();
  await call(`/${id}`, { method: "PATCH", body: { enabled: false } });
  const response = await call(`/${id}/test`, { method: "POST" });
  expect(response).toMatchObject({ status: 400, json: error("invalid_request") });
});

describe("what is refused", () => {
  test.each([
    [{ ...HOOK, url: "http://hooks.example/" }, "invalid_url"],
    [{ ...HOOK, url: "https://user:pw@hooks.example/" }, "invalid_url"],
    [{ ...HOOK, url: "https://169.254.169.254/latest" }, "invalid_url"],
    [{ ...HOOK, url: "https://inner.example/" }, "invalid_url"],
    [{ ...HOOK, url: "https://localhost/" }, "invalid_url"],
    [{ events: ["scan.completed"] }, "invalid_request"],
    [{ ...HOOK, events: [] }, "invalid_request"],
    [{ ...HOOK, events: ["scan.started"] }, "invalid_request"],
    [{ ...HOOK, secret: "own" }, "invalid_request"],
  ])("%j gets %s, and so does a change to it", async (body, code) => {
    expect(await call("", { body })).toMatchObject({ status: 400, json: error(code) });
    const id = await created();
    if (!("url" in body)) return;
    expect(await call(`/${id}`, { method: "PATCH", body })).toMatchObject({ status: 400, json: error(code) });
    expect((await call(`/${id}`)).json.url).toBe(HOOK.url);
  });

  test("the webhooks of another account do not exist", async () => {
    const id = await created();
    const other = await newAccount(api.store);
    for (const [path, method] of [
      ["", "GET"],
      ["", "DELETE"],
      ["/secret", "POST"],
      ["/test", "POST"],
      ["/deliveries", "GET"],
    ] as const)
      expect((await call(`/${id}${path}`, { method, key: other.key })).status).toBe(404);
    expect((await call(`/${id}`)).status).toBe(200);
  });

  test("a plan without webhooks gets 403", async () => {
    const free = await newAccount(api.store, { plan: "starter" });
    expect(await call("", { key: free.key, body: HOOK })).toMatchObject({
      status: 403,
      json: { error: { code: "forbidden", message: "The plan does not include webhooks." } },
    });
  });

  test("a key needs the scopes of webhooks", async () => {
    const reader = await newAccount(api.store, { scopes: ["scans:read", "scans:write", "webhooks:read"] });
    expect((await call("", { key: reader.key })).status).toBe(200);
    expect((await call("", { key: reader.key, body: HOOK })).status).toBe(403);
  });

  test("an installation that sends no webhooks returns 403", async () => {
    const without = await startTestApi({ databaseUrl: database.url, settings: { webhooks: false } });
    const response = await ask(`${without.url}/v1/webhooks`, { key, body: HOOK });
    await without.close();
    expect(response).toMatchObject({ status: 403, json: error("forbidden") });
  });
});
