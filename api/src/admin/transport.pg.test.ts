import { overriding } from "@glovebox/store/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, startTestApi, useTestApi } from "../testing/harness.ts";
import { ask, askRaw, type TestResponse, type Ask } from "../testing/requests.ts";

const api = useTestApi({ settings: { addressRequestsPerMinute: 5 } });
let owner: SignedIn;
let accountId: string;
beforeAll(async () => {
  const { account } = await newAccount(api.store);
  accountId = account.id;
  owner = await signIn(api, account);
});

const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
const request = (path: string, { headers = {}, ...rest }: Ask = {}): Promise<TestResponse> =>
  ask(`${api.url}/admin/trpc/${path}${path.includes("?") ? "&" : "?"}account=${accountId}`, {
    ...rest,
    headers: { cookie: owner.cookie, ...SAME_ORIGIN, ...headers },
  });
const sessions = async (): Promise<number> => (await owner.client.session.list.query({})).length;

test("a response has the standard headers and is not cached", async () => {
  const { status, headers } = await request(`session.me?input=${encodeURIComponent("{}")}`);
  expect(status).toBe(200);
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-ratelimit-limit")).toBe("600");
});

test.each([
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["a site of the same domain", { "sec-fetch-site": "same-site" }],
  [
    "another origin, in a browser without Sec-Fetch-Site",
    { "sec-fetch-site": "", origin: "https://evil.example" },
  ],
])("a request of %s is refused, reads included", async (_name, headers) => {
  for (const ask of [
    request("session.signOutEverywhere", { body: {}, headers }),
    request(`session.me?input=${encodeURIComponent("{}")}`, { headers }),
  ])
    expect(await ask).toMatchObject({
      status: 403,
      json: { error: { code: -32003, data: { code: "forbidden" } } },
    });
});

test.each([
  "multipart/form-data; boundary=x",
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
])("a mutation with a body of the type %s is refused, and does not run", async (type) => {
  const response = await request("session.signOutEverywhere", {
    body: "--x--",
    headers: { "Content-Type": type },
  });
  expect(response).toMatchObject({
    status: 415,
    json: { error: { data: { code: "unsupported_media_type" } } },
  });
  expect(await sessions()).toBe(1);
});

test.each([
  ["a mutation by GET", "session.signOutEverywhere?input=%7B%7D", {}, 405, "method_not_allowed"],
  ["a procedure that does not exist", "session.nothing", {}, 404, "not_found"],
  ["a property of every object", "__proto__", {}, 404, "not_found"],
  [
    "a batch of eleven",
    `${Array(11).fill("session.me").join()}?batch=1&input=%7B%7D`,
    {},
    400,
    "invalid_request",
  ],
  ["a body over 64 KiB", "keys.create", { body: { name: "x".repeat(70_000) } }, 413, "payload_too_large"],
  ["a body that is not JSON", "keys.create", { body: "{" }, 400, "invalid_request"],
] as const)(
  "%s is refused in the words of the table of errors",
  async (_name, path, options, status, code) => {
    const { status: responded, json } = await request(path, options);
    const { error } = Array.isArray(json) ? json[0] : json;
    expect([responded, error.data]).toEqual([
      status,
      { code, httpStatus: status, requestId: expect.any(String) },
    ]);
  },
);

test("a caller who is not signed in is refused, and limited by address", async () => {
  const anonymous = () => ask(`${api.url}/admin/trpc/session.me?input=%7B%7D`, { headers: SAME_ORIGIN });
  const responses = [];
  for (let count = 0; count < 7; count++) responses.push((await anonymous()).status);
  expect(responses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect((await request("session.me?input=%7B%7D")).status).toBe(200);
});

test("a body over 64 KiB is also refused when its length is not declared", async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(JSON.stringify({ name: "x".repeat(70_000) })));
      controller.close();
    },
  });
  const headers = { cookie: owner.cookie, ...SAME_ORIGIN, "content-type": "application/json" };
  const init = { method: "POST", headers, body, duplex: "half" } as const;
  const { status } = await fetch(`${api.url}/admin/trpc/keys.create?account=${accountId}`, init);
  expect(status).toBe(413);
});

test("a client that asks first whether to send its body is told to", async () => {
  const body = JSON.stringify({ name: "asked" });
  const lines = [
    `POST /admin/trpc/keys.create?account=${accountId} HTTP/1.1`,
    ...["Host: localhost", `Cookie: ${owner.cookie}`, "Sec-Fetch-Site: same-origin"],
    ...["Content-Type: application/json", `Content-Length: ${body.length}`, "Expect: 100-continue"],
    ...["Connection: close", "", body],
  ];
  const { status, text } = await askRaw(api.port, lines.join("\r\n"));
  expect(status).toBe(100);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
});

test("an invalid input is refused with the problem of each field, and none of its values", async () => {
  const { status, text, json } = await request("keys.create", {
    body: { name: "", scopes: ["hunter2"], hunter3: 1 },
  });
  expect(status).toBe(400);
  expect(json.error.data.fields).toEqual({
    name: ["is required"],
    "scopes.0": [expect.any(String)],
    input: ["has an unknown field"],
  });
  expect(text).not.toContain("hunter");
});

test.each([
  "session.me?input=%7B",
  "session.me?input=%7B%7D&connectionParams=%7B",
  "session.me?batch=1&input=1",
])("the malformed request %s is refused without internals", async (path) => {
  const { status, text } = await request(path);
  expect(status).toBe(400);
  expect(text).not.toMatch(/JSON at|position|stack|node_modules|\.ts|\.mjs|zod|trpc/i);
});

test("a request is logged with its user and without its input", async () => {
  await owner.client.keys.create.mutate({ name: "name-of-a-key" });
  const lines = api.log.filter((line) => line.includes(owner.userId));
  expect(lines.some((line) => line.includes("/admin/trpc"))).toBe(true);
  expect(api.log.join("")).not.toContain("name-of-a-key");
});

test("a fault returns the request id alone", async () => {
  const failing = await startTestApi({
    databaseUrl: api.databaseUrl,
    wrap: (store) => ({
      ...store,
      keys: overriding(store.keys, { list: () => Promise.reject(new Error("secret of the database")) }),
    }),
  });
  try {
    const { client } = await signIn(failing, (await newAccount(failing.store)).account);
    const failed = client.keys.list.query({});
    await expect(failed).rejects.toThrow(/^The service failed; the request id is [0-9a-f-]{36}\.$/);
    expect(failing.log.join("\n")).not.toContain("secret of the database");
  } finally {
    await failing.close();
  }
});

test("a stream of a scan that does not exist is refused, and no fault of the service", async () => {
  const id = "scan-01aaaaaaaaaaaaaaaaaaaaaaaa";
  const input = encodeURIComponent(JSON.stringify({ ids: [id] }));
  const response = await request(`scans.progress?input=${input}`);
  expect(response.text).toContain("not_found");
  expect(api.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
});

test("a batch counts one request for each of its calls", async () => {
  const left = async (path: string): Promise<number> => {
    const response = await request(path);
    expect(response.status, response.text).toBe(200);
    return Number(response.headers.get("x-ratelimit-remaining"));
  };
  const inputs = encodeURIComponent(
    JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, {}]))),
  );
  const batch = (separator: string) =>
    `${Array(10).fill("session.me").join(separator)}?batch=1&input=${inputs}`;
  const before = await left(`session.me?input=${encodeURIComponent("{}")}`);
  expect(await left(batch(","))).toBe(before - 10);
  expect(await left(batch("%2C"))).toBe(before - 20);
});

describe("the account of a call", () => {
  test.each([
    ["no id", "account=payments"],
    ["nothing", "account="],
    ["two ids", `account=${crypto.randomUUID()}&account=${crypto.randomUUID()}`],
  ])("the account of a call that is %s is refused before anything runs", async (_, query) => {
    const path = `/admin/trpc/keys.create?${query}`;
    const response = await ask(api.url + path, {
      headers: { cookie: owner.cookie, ...SAME_ORIGIN },
      body: { name: "of no account" },
    });
    expect(response).toMatchObject({ status: 400, json: { error: { data: { code: "invalid_request" } } } });
  });

  test("the account of a call is the only account that a call reads and changes, regardless of other tabs of the session", async () => {
    const other = (await newAccount(api.store)).account;
    const both = await signIn(api, other, { isAdministrator: true });
    const { cookie, client } = await signIn(api, (await newAccount(api.store)).account);
    const create = (account: string, from: string): Promise<TestResponse> =>
      ask(`${api.url}/admin/trpc/keys.create?account=${account}`, {
        headers: { cookie: from, ...SAME_ORIGIN },
        body: { name: `of ${account}` },
      });
    for (const account of [other.id, accountId, other.id])
      expect((await create(account, both.cookie)).status).toBe(200);
    const namesIn = async (account: string) =>
      (await api.store.keys.list(account)).map(({ name }) => name).filter((name) => name.startsWith("of "));
    expect(await namesIn(other.id)).toEqual([`of ${other.id}`, `of ${other.id}`]);
    expect(await namesIn(accountId)).toEqual([`of ${accountId}`]);

    expect((await create(accountId, cookie)).status).toBe(403);
    expect((await create(crypto.randomUUID(), cookie)).status).toBe(403);
    expect((await client.keys.list.query({})).filter(({ name }) => name.startsWith("of "))).toEqual([]);
  });
});

describe("a response", () => {
  const raw = (query: string, encoding: string) =>
    fetch(`${api.url}/admin/trpc/${query}`, {
      headers: { cookie: owner.cookie, ...SAME_ORIGIN, "accept-encoding": encoding },
    });
  const inputs = encodeURIComponent(
    JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, {}]))),
  );
  const batch = () => `${Array(10).fill("session.me").join()}?batch=1&input=${inputs}&account=${accountId}`;

  test("a response is compressed for a client that accepts gzip, and the same for others", async () => {
    const compressed = await raw(batch(), "gzip, br");
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("vary")).toContain("Accept-Encoding");
    const plain = await raw(batch(), "identity");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const text = await plain.text();
    expect(Number(compressed.headers.get("content-length"))).toBeLessThan(text.length / 3);
    expect(await compressed.text()).toBe(text);
  });

  test("a response that fits into a packet, and one to `gzip;q=0`, is not", async () => {
    const small = await raw(`session.me?input=%7B%7D`, "gzip");
    expect([small.status, small.headers.get("content-encoding")]).toEqual([200, null]);
    expect((await raw(batch(), "gzip;q=0")).headers.get("content-encoding")).toBeNull();
  });

  test("a response of a stream of events is not", async () => {
    const input = encodeURIComponent(JSON.stringify({ ids: ["scan-01aaaaaaaaaaaaaaaaaaaaaaaa"] }));
    const stream = await raw(`scans.progress?account=${accountId}&input=${input}`, "gzip");
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect(stream.headers.get("content-encoding")).toBeNull();
    await stream.body?.cancel();
  });
});
