import { overriding } from "@glovebox/store/testing";
import { delivered } from "@glovebox/scan-run";
import { COMMAND_LINE, hashSecret, newToken } from "@glovebox/store";
import { inputText, newScanId } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { adminRouter } from "./admin/router.ts";
import type { Services } from "./deps.ts";
import type { Route } from "./http/route.ts";
import { ROUTES } from "./routes.ts";
import { SIGN_IN_PAGES } from "./sign-in/pages.ts";
import { signIn } from "./testing/admin-client.ts";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "./testing/harness.ts";
import {
  HOSTILE_TEXT,
  HOSTILE_VALUES,
  inBatches,
  inParallel,
  mutated,
  sampleOf,
  schemaOf,
  type Known,
} from "./testing/hostile-inputs.ts";
import { sampleOutcome } from "./testing/sample-report.ts";
import { newUser } from "./testing/users.ts";

/*
 * Every input of the service with hostile values: the response to any of them is not a fault. The inputs are read from the route
 * table, the router and the list of tools, so that one that is added is also tested.
 */

let database: TestDatabase;
let api: TestApi;
let origin: string;
let owner: TestAccount;
let known: Known;
const faults: string[] = [];
/** How many responses had each status. */
const statuses = new Map<number, number>();

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    settings: { webhooks: true, trustProxy: 1 },
    // Nothing is sent anywhere.
    wrap: (store) => ({ ...store, deliveries: overriding(store.deliveries, { claim: async () => [] }) }),
  });
  origin = `http://localhost:${api.port}`;
  owner = await newAccount(api.store);
  known = await makeKnown();
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
/** What fields name: it exists, and is of somebody else than who asks where changing it would end the test. */
async function makeKnown(): Promise<Known> {
  const { store } = api;
  const scan = newScanId(new Date());
  const url = "https://example.com/";
  await store.scans.submit({ actor: COMMAND_LINE, id: scan, account: owner.account, url });
  await store.work.record(scan, delivered(sampleOutcome()));
  const webhook = await store.webhooks.create(owner.account.id, { url, events: ["scan.failed"] });
  const other = await newAccount(store);
  const { userId } = await newUser(store);
  const id = webhook!.id;
  return {
    ...{ url, specUrl: `${url}openapi.json`, email: "new@example.com", name: "a name", reason: "a reason" },
    ...{ schedule: "30 2 * * *", timeZone: "Etc/UTC", format: "json", action: "key.", file: "a.js" },
    ...{ scan, finding: "f-1", webhook: id, delivery: id, sessionId: id, target: 1, limit: 10, offset: 0 },
    ...{ userId, accountId: other.account.id, keyId: other.keyId, waitSeconds: 0 },
  };
}

/** With `id` as the id of a scan where scans are asked for. */
const knownFor = (path: string): Known => {
  const isOfScans = path.includes("scan");
  return {
    ...known,
    id: isOfScans ? known["scan"] : known["webhook"],
    ...(isOfScans && { ids: [known["scan"]] }),
  };
};

let addresses = 0;

/** Sends from another address each, so that no limit is met. A fault is a 500, or a value that no schema refused by its field. */
async function send(what: string, path: string, init: RequestInit, input: unknown): Promise<void> {
  const address = `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  const headers = { "X-Forwarded-For": address, "Sec-Fetch-Site": "same-origin", ...init.headers };
  const response = await fetch(origin + path, { redirect: "manual", ...init, headers }).catch(
    unlessUnsendable,
  );
  if (!response) return;
  const { status } = response;
  const text = await response.text();
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status === 500 || /"code\\?":\\?"internal|cannot be stored/.test(text))
    faults.push(`${what} ${JSON.stringify(input)}: ${status} ${text.slice(0, 300)}`);
}

/** No client can send some headers. */
function unlessUnsendable(error: Error): undefined {
  const { code } = (error.cause ?? error) as { code?: string };
  if (code !== "UND_ERR_INVALID_ARG" && !/ByteString|header value/i.test(error.message)) throw error;
}

/** As part of a path or a query; undefined: it cannot be one. */
function encoded(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.isWellFormed() && text !== "" ? encodeURIComponent(text) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Request {
  readonly params: Fields;
  readonly query: Fields;
  readonly headers: Fields;
  readonly body: unknown;
}

/** Requests of which one part has hostile values, in each position. */
function* requestsOf({ path, params, query, headers, body }: Route<Services>): Generator<Request> {
  const sampled = (schema: z.ZodType | undefined): Fields =>
    schema ? (sampleOf(schemaOf(schema), knownFor(path)) as Fields) : {};
  const sample: Request = {
    params: sampled(params),
    query: sampled(query),
    headers: {},
    body: body && sampled(body),
  };
  yield sample;
  for (const part of ["params", "query"] as const)
    for (const value of mutated(sample[part], HOSTILE_TEXT))
      if (isFields(value)) yield { ...sample, [part]: value };
  for (const value of mutated(sampled(headers), HOSTILE_TEXT))
    if (isFields(value)) yield { ...sample, headers: value };
  if (body) for (const value of mutated(sample.body, HOSTILE_VALUES)) yield { ...sample, body: value };
}

function sendTo({ method, path }: Route<Services>, request: Request): Promise<void> {
  const to = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(request.params[name]) ?? "-");
  const query = Object.entries(request.query).map(([name, value]) => `${name}=${encoded(value) ?? ""}`);
  const json = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
  const type = { "Content-Type": "application/json", Authorization: `Bearer ${owner.key}` };
  const headers = { ...type, Prefer: "respond-async", ...request.headers };
  const init = { method: method.toUpperCase(), headers, ...json };
  return send(`${method} ${path}`, `${to}?${query.join("&")}`, init, request);
}

interface Procedure {
  readonly _def: { readonly type: string; readonly inputs: readonly z.ZodType[] };
}

const rpc = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

function expectNoFault(): void {
  const logged = api.log.splice(0).filter((line) => line.includes("unexpected failure"));
  const { 200: accepted = 0, 429: limited = 0 } = Object.fromEntries(statuses);
  statuses.clear();
  expect([...faults.splice(0), ...logged].slice(0, 10)).toEqual([]);
  // Some are accepted, and no limit is met: otherwise something else than the inputs was tested.
  expect(accepted).toBeGreaterThan(20);
  expect(limited).toBe(0);
}

describe("hostile inputs", () => {
  test("hostile inputs of every operation of the route table are not a fault", async () => {
    const routes = ROUTES.filter((route) => !SIGN_IN_PAGES.includes(route) && route.path !== "/mcp");
    expect(routes.length).toBeGreaterThan(20);
    for (const route of routes) await inParallel(requestsOf(route), 16, (request) => sendTo(route, request));
    expectNoFault();
  });

  test("hostile inputs of every procedure of the admin interface are not a fault", async () => {
    const procedures = adminRouter._def.procedures as unknown as Record<string, Procedure>;
    expect(Object.keys(procedures).length).toBeGreaterThan(60);
    for (const [name, { _def }] of Object.entries(procedures)) {
      if (_def.type === "subscription") continue; // the input of a stream: below
      const sample = sampleOf(schemaOf(_def.inputs[0]!), knownFor(name));
      const batches = [...inBatches(mutated(sample, HOSTILE_VALUES), 10)];
      // A user may make 600 calls a minute.
      for (const some of inBatches(batches, 50)) {
        const { cookie } = await signIn(api, owner.account, { isAdministrator: true });
        const headers = { cookie, "Content-Type": "application/json" };
        await inParallel(some, 8, (inputs) => {
          const path = `/admin/trpc/${inputs.map(() => name).join(",")}?batch=1&account=${owner.account.id}`;
          const body = JSON.stringify(Object.fromEntries(inputs.entries()));
          return _def.type === "mutation"
            ? send(name, path, { method: "POST", headers, body }, inputs)
            : send(name, `${path}&input=${encodeURIComponent(body)}`, { headers }, inputs);
        });
      }
    }
    expectNoFault();
  });

  test("hostile inputs of the stream of progress are not a fault", async () => {
    const { cookie } = await signIn(api, owner.account);
    const sample = { ids: [known["scan"]], lastEventId: "a" };
    await inParallel(mutated(sample, HOSTILE_VALUES), 8, (input) => {
      const text = encodeURIComponent(JSON.stringify(input));
      return send(
        "scans.progress",
        `/admin/trpc/scans.progress?account=${owner.account.id}&input=${text}`,
        { headers: { cookie } },
        input,
      );
    });
    expectNoFault();
  });

  test("hostile inputs of every tool of MCP are not a fault", async () => {
    const headers = {
      ...{ Authorization: `Bearer ${owner.key}`, "Content-Type": "application/json" },
      ...{ Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" },
    };
    const post = (body: string) => ({ method: "POST", headers, body });
    const text = await (await fetch(`${origin}/mcp`, post(rpc("tools/list", {})))).text();
    const { tools } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
    expect(tools.length).toBeGreaterThan(3);
    for (const { name, inputSchema } of tools) {
      const call = { name, arguments: sampleOf(inputSchema, known) };
      await inParallel(mutated(call, HOSTILE_VALUES), 16, (params) =>
        send("mcp", "/mcp", post(rpc("tools/call", params)), params),
      );
    }
    await inParallel(HOSTILE_VALUES, 16, (body) => send("mcp", "/mcp", post(JSON.stringify(body)), body));
    expectNoFault();
  });

  test("hostile inputs of every page of sign-in are not a fault", async () => {
    const [user, token, invitation] = [await newUser(api.store), newToken(), newToken()];
    const { userId } = user;
    const session = { userId, ip: null, agent: null, hasSecondFactor: false, isConfirmed: true };
    await api.store.sessions.create({ ...session, sha256: hashSecret(token) });
    await api.store.invitations.create({ sha256: hashSecret(invitation), email: null, userId, days: 1 });
    const form = {
      email: user.email,
      name: "a",
      answer: "{}",
      id: "a",
      password: "a",
      current: "a",
      next: "/",
    };
    const query = {
      next: "/",
      link: "1",
      invitation,
      code: "a",
      state: "a",
      error: "a",
      iss: "a",
      done: "a",
    };
    const headers = {
      Cookie: `__Host-glovebox=${token}`,
      "Content-Type": "application/x-www-form-urlencoded",
    };
    for (const { method, path } of SIGN_IN_PAGES) {
      if (path.startsWith("/sign-out")) continue; // takes nothing, and would end the session
      const to = path.replace("{token}", invitation).replace("{provider}", "corp");
      const inputs = method === "post" ? formsOf(form) : mutated(query, HOSTILE_TEXT);
      await inParallel(inputs, 48, async (input) => {
        if (!isFields(input)) return;
        const search = new URLSearchParams(input as Record<string, string>).toString();
        if (method === "post") await send(path, to, { method: "POST", headers, body: search }, input);
        else await send(path, `${to}?${search}`, { headers: { Cookie: headers.Cookie } }, input);
      });
      if (!path.includes("{")) continue;
      await inParallel(HOSTILE_TEXT, 16, (text) => {
        const named = path.replaceAll(/\{\w+\}/g, encoded(text) ?? "-");
        return send(path, named, { method: method.toUpperCase(), headers }, text);
      });
    }
    expectNoFault();
  });
});

/**
 * A form that could be stored is an attempt, which is delayed when there are many: its values are in all fields at the same time, in turn. The
 * others have each value in each field.
 */
function* formsOf(form: Record<string, string>): Generator<Fields> {
  const { true: stored = [], false: refused = [] } = Object.groupBy(HOSTILE_TEXT, (text) =>
    String(inputText.safeParse(text).success),
  ) as Record<string, string[]>;
  for (const turn of stored.keys())
    yield Object.fromEntries(
      Object.keys(form).map((name, at) => [name, stored[(turn + 5 * at) % stored.length]!]),
    );
  const { email = "", name = "", answer = "", id = "", ...rest } = form;
  for (const checked of mutated({ email, name, answer, id }, refused))
    if (isFields(checked)) yield { ...rest, ...checked };
}
