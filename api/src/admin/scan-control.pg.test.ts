import { newScanId } from "@glovebox/contract";
import { parseEgressAllow } from "@glovebox/egress";
import { reporting } from "@glovebox/store/testing";
import { beforeEach, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, startTestApi, type TestAccount, useTestApi } from "../testing/harness.ts";
import { ask } from "../testing/requests.ts";
import { until } from "../testing/until.ts";

const api = useTestApi();
let shop: TestAccount;
let member: SignedIn;

beforeEach(async () => {
  shop = await newAccount(api.store);
  member = await signIn(api, shop.account, { role: "member" });
});

const REQUEST = { url: "https://api.example/v1", context: "financial" } as const;
const entries = async () => {
  const found = await api.store.audit.list(shop.account.id, { action: "scan.", limit: 9 });
  return found.map(({ action, subject, before, after }) => ({ action, subject, before, after }));
};
const started = async (): Promise<string> => (await member.client.scans.start.mutate(REQUEST)).id;

test("a scan that was started is launched, charged, and in the audit log of its account", async () => {
  const id = await started();
  expect(api.launched).toContain(id);
  expect(await member.client.scans.get.query({ id })).toMatchObject({
    scan: { id, status: "processing", url: REQUEST.url },
    context: "financial",
  });
  expect(await entries()).toEqual([{ action: "scan.start", subject: id, before: null, after: REQUEST }]);
  const usage = await member.client.usage.get.query({ days: 2 });
  expect(usage).toMatchObject({ started: 1, scansPerMonth: null });
  expect(usage.days.map(({ submitted }) => submitted)).toEqual([0, 1]);
});

test.each([
  [{ url: "http://api.example/" }, "invalid_url"],
  [{ url: "ftp://api.example/" }, "invalid_request"],
  [{ url: "https://127.0.0.1/" }, "invalid_url"],
  [{ url: "https://api.example/", unknown: 1 }, "invalid_request"],
] as const)("%j is refused as over /v1, and nothing is charged", async (request, code) => {
  const failed = member.client.scans.start.mutate(request);
  await expect(failed).rejects.toMatchObject({ data: { code, httpStatus: 400 } });
  expect(await entries()).toEqual([]);
  expect(await member.client.usage.get.query({})).toMatchObject({ started: 0 });
});

test("plain HTTP is accepted to addresses of the allow-list, and never over /v1", async () => {
  const settings = { egressAllow: parseEgressAllow("10.0.0.0/8"), waitSeconds: 0 };
  const allowing = await startTestApi({ databaseUrl: api.databaseUrl, settings });
  const { client } = await signIn(allowing, shop.account, { role: "member" });
  const url = "http://10.1.2.3:3000/";
  expect(await client.scans.start.mutate({ url })).toHaveProperty("id");
  await expect(client.scans.start.mutate({ url: "http://93.184.215.14/" })).rejects.toMatchObject({
    data: { code: "invalid_url", fields: { url: [expect.stringMatching(/^plain HTTP could be read/)] } },
  });
  const { status, json } = await ask(`${allowing.url}/v1/scan`, { key: shop.key, body: { url } });
  expect([status, json.error.message]).toEqual([400, "url: must be HTTPS"]);
  await allowing.close();
});

test("a scan over the quota of the plan is refused, and not in the audit log", async () => {
  const free = await newAccount(api.store, { plan: "free" });
  const { client } = await signIn(api, free.account);
  for (let at = 0; at < 3; at++) await client.scans.start.mutate(REQUEST);
  const failed = client.scans.start.mutate(REQUEST);
  await expect(failed).rejects.toMatchObject({ data: { code: "rate_limit_exceeded" } });
  expect(await client.audit.list.query({ action: "scan." })).toHaveLength(3);
  expect(await client.usage.get.query({})).toMatchObject({ started: 3, scansPerMonth: 3 });
});

test("a scan that runs is cancelled and stopped, not deleted; one that has ended is deleted, not cancelled", async () => {
  const { client } = member;
  const id = await started();
  await expect(client.scans.delete.mutate({ id })).rejects.toThrow("id: the scan is still running");
  await client.scans.cancel.mutate({ id });
  expect(api.cancelled).toContain(id);
  expect((await client.scans.get.query({ id })).scan).toMatchObject({
    status: "failed",
    error: { code: "cancelled" },
  });
  await expect(client.scans.cancel.mutate({ id })).rejects.toThrow("id: the scan has already ended");
  await client.scans.delete.mutate({ id });
  await expect(client.scans.get.query({ id })).rejects.toThrow("No such scan.");
  expect((await entries()).map(({ action, before }) => [action, before])).toEqual([
    ["scan.erase", { url: REQUEST.url, status: "failed", grade: null }],
    ["scan.cancel", { url: REQUEST.url, status: "processing", grade: null }],
    ["scan.start", null],
  ]);
});

test("an ended scan is tried again with the same request, one that runs is not", async () => {
  const id = await started();
  await expect(member.client.scans.retry.mutate({ id })).rejects.toThrow("id: the scan is still running");
  await member.client.scans.cancel.mutate({ id });
  const again = await member.client.scans.retry.mutate({ id });
  expect(again.id).not.toBe(id);
  expect(await member.client.scans.get.query(again)).toMatchObject({
    scan: { status: "processing", url: REQUEST.url },
    context: "financial",
  });
});

test("a viewer starts, cancels and deletes nothing", async () => {
  const { client } = await signIn(api, shop.account, { role: "viewer" });
  const id = await started();
  const refused = await Promise.allSettled([
    client.scans.start.mutate(REQUEST),
    client.scans.retry.mutate({ id }),
    client.scans.cancel.mutate({ id }),
    client.scans.delete.mutate({ id }),
  ]);
  for (const each of refused)
    expect(each).toMatchObject({ status: "rejected", reason: { data: { code: "forbidden" } } });
  expect((await client.scans.get.query({ id })).scan.status).toBe("processing");
});

test("a scan of another account is not found by any procedure", async () => {
  const id = await started();
  const { client } = await signIn(api, (await newAccount(api.store)).account);
  const refused = await Promise.allSettled([
    client.scans.get.query({ id }),
    client.scans.retry.mutate({ id }),
    client.scans.cancel.mutate({ id }),
    client.scans.delete.mutate({ id }),
  ]);
  for (const each of refused)
    expect(each).toMatchObject({ status: "rejected", reason: { data: { code: "not_found" } } });
  expect((await member.client.scans.get.query({ id })).scan.status).toBe("processing");
});

interface Stream {
  readonly status: number;
  readonly type: string | null;
  /** All that came so far. */
  text(): string;
  readonly ended: Promise<void>;
  close(): void;
}

async function follow(ids: readonly string[], from = api): Promise<Stream> {
  const input = encodeURIComponent(JSON.stringify({ ids }));
  const client = new AbortController();
  const response = await fetch(
    `${from.url}/admin/trpc/scans.progress?account=${shop.account.id}&input=${input}`,
    {
      headers: { cookie: member.cookie, "sec-fetch-site": "same-origin", accept: "text/event-stream" },
      signal: client.signal,
    },
  );
  let text = "";
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    text: () => text,
    ended: read().catch(() => undefined),
    close: () => client.abort(),
  };
}

test("one stream tells the state of two scans, their progress, and ends when both have", async () => {
  const [one, two] = [await started(), await started()];
  const stream = await follow([one, two]);
  expect([stream.status, stream.type]).toEqual([200, "text/event-stream"]);
  await until(() => stream.text().includes(one) && stream.text().includes(two));
  await api.store.work.record(one, reporting([], []));
  await until(() => stream.text().includes('"completed"'));
  expect(stream.text()).not.toContain("event: return");
  await member.client.scans.cancel.mutate({ id: two });
  await stream.ended;
  expect(stream.text()).toMatch(/"status":"failed".*event: return/s);
});

test("a stream of a scan of another account is refused", async () => {
  const stream = await follow([newScanId(new Date())]);
  await stream.ended;
  expect(stream.text()).toContain("event: serialized-error");
  expect(stream.text()).toContain("ids: not found");
});

test("a client that disconnects leaves no watch behind", async () => {
  const id = await started();
  const waiters = async () => /glovebox_waiters (\d+)/.exec((await ask(`${api.url}/metrics`)).text)?.[1];
  const stream = await follow([id]);
  await until(() => stream.text().includes(id));
  expect(await waiters()).toBe("1");
  stream.close();
  await until(async () => (await waiters()) === "0");
});

test("a shutdown ends streams immediately with an error after which clients connect again", async () => {
  // Longer than this test may take: only what ends immediately ends in time.
  const settings = { shutdownMs: 3_600_000 };
  const replica = await startTestApi({ databaseUrl: api.databaseUrl, settings });
  const id = await started();
  const stream = await follow([id], replica);
  await until(() => stream.text().includes(id));
  await replica.close();
  await stream.ended;
  expect(stream.text()).toContain('"code":-32603');
  expect(stream.text()).toContain("The service is shutting down.");
});
