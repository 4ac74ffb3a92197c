import type { RequestListener } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, type Report, type ScanOrder } from "@glovebox/contract";
import { type Outcome } from "@glovebox/scan-run";
import { describe, expect, test } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";
import { scan } from "./scan.ts";
import { BEARER, apiDocument } from "./testing/api-document.ts";
import { fakeApi, type Route } from "./testing/fake-api.ts";
import { serve, type Served } from "./testing/serve.ts";

const PATHS = {
  "/items": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string" } }] } },
  "/items/{itemId}": { get: {} },
  "/orders": { get: {} },
  "/orders/{orderId}": { get: {}, delete: {} },
};
const ITEMS = [7, 8, 9].map((id) => ({ id, title: `Item ${id}` }));
const API: Readonly<Record<string, Route>> = {
  "GET /": { json: { name: "shop", items: "/items" } },
  "GET /items": { json: { items: ITEMS } },
  "GET /items/{id}": ({ params }) => {
    const item = ITEMS.find(({ id }) => String(id) === params["id"]);
    return item ? { json: item } : { status: 404, json: { error: "No such item" } };
  },
  "GET /orders": { json: { orders: [] } },
};

const TIMED_OUT = 60_000;

interface Options {
  readonly document?: object;
  readonly path?: string;
  readonly limits?: Partial<ScanOrder["limits"]>;
}

async function scanned(
  { url, port }: Served,
  { document = apiDocument(PATHS), path = "/", limits = {} }: Options = {},
): Promise<Outcome> {
  return await scan(
    {
      scanId: "test",
      url: url + path,
      spec: { from: "text", text: JSON.stringify(document) },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
      limits: { maxRequests: DEFAULT_LIMITS.maxRequests, deadlineSeconds: 40, ...limits },
    },
    {
      checks: CHECKS,
      onProgress: () => {},
      onFault: (check, error) => {
        throw new Error(`${check.id} is at fault`, { cause: error });
      },
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      // An outage is over, or never will be, regardless of the wait.
      wait: (ms) => wait(Math.min(ms, 50)),
      today: () => new Date(),
    },
  );
}

async function outcomeOf(target: RequestListener, options?: Parameters<typeof scanned>[1]): Promise<Outcome> {
  await using server = await serve(target);
  return await scanned(server, options);
}

async function reportOf(target: RequestListener, options?: Parameters<typeof scanned>[1]): Promise<Report> {
  const outcome = await outcomeOf(target, options);
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

/** Responds as the API does, and from the `count`th request on with the given response. */
function from(count: number, then: RequestListener): RequestListener {
  const api = fakeApi(API);
  let seen = 0;
  return (request, response) => (++seen >= count ? then : api)(request, response);
}

const forbidding: RequestListener = (_, response) =>
  void response.writeHead(403, { "content-type": "text/html" }).end("<title>Request blocked</title>");
const cutting: RequestListener = (request) => void request.socket.destroy();

describe.concurrent("a scan that ends by its own limit says so, and does not blame the target", () => {
  test("a scan that ends by its limit of requests says so in its notes and its summary, and does not blame the target", async () => {
    await using server = await serve(fakeApi(API));
    const outcome = await scanned(server, { limits: { maxRequests: 200 } });
    if (outcome.status === "failed") throw new Error(outcome.failure.message);
    const { notes, summary = "", categories } = outcome.report;
    expect(notes.join(" ")).toMatch(/limit of 200 requests: \d+ tests were left out/);
    expect(summary).toMatch(/reached its request limit/);
    const reasons = Object.values(categories).map(({ reason = "" }) => reason);
    expect([...notes, summary, ...reasons].join(" ")).not.toMatch(
      /stopped responding|block|requires credentials/,
    );
  });

  test("a scan that reaches its own limit before it has tested anything fails, and names the limit", async () => {
    await using server = await serve(fakeApi({ ...API, "GET /items": { cut: true } }));
    const outcome = await scanned(server, { limits: { maxRequests: 8 } });
    expect(outcome).toMatchObject({
      status: "failed",
      failure: { message: expect.stringMatching(/--max-requests/) as string },
    });
  });
});

describe.concurrent("a scan that could test nothing fails, with a remedy for its owner", () => {
  test.each<[string, RequestListener, string, RegExp]>([
    ["an edge that returns 403 for everything", forbidding, "target_blocked", /Allow the scanner's address/],
    [
      "a gateway that forbids everything in JSON",
      fakeApi({ "* *": { status: 403, json: { message: "Forbidden" } } }),
      "target_blocked",
      /Allow the scanner's address/,
    ],
    [
      "a firewall that blocks from the 13th request",
      from(13, forbidding),
      "target_blocked",
      /Allow the scanner's address/,
    ],
    ["a target that is down after five requests", from(6, cutting), "target_unavailable", /Check its logs/],
    ["a target that cuts every connection", cutting, "connection_refused", /cut/],
    [
      "a wrong base path, where every operation returns 404",
      fakeApi({ "GET /": { json: { name: "portal" } } }),
      "wrong_base_path",
      /GET \/items.*base path/,
    ],
    [
      "a target of which only the entry responds, and everything else returns 503",
      fakeApi({
        "GET /": { json: { name: "shop" } },
        "* *": { status: 503, json: { error: "Unavailable" } },
      }),
      "target_unavailable",
      /Check its logs/,
    ],
    [
      "a target of which every operation fails",
      fakeApi({
        "GET /": { json: { name: "shop" } },
        "* /items": { status: 500, json: { error: "Internal" } },
        "* /items/{id}": { status: 500, json: { error: "Internal" } },
        "* /orders": { status: 500, json: { error: "Internal" } },
        "* /orders/{id}": { status: 500, json: { error: "Internal" } },
      }),
      "target_errors",
      /Each of its operations failed/,
    ],
    [
      "a page that is the same for every path",
      fakeApi({ "* *": { headers: { "content-type": "text/html" }, body: "<h1>Welcome</h1>" } }),
      "nothing_tested",
      /Every URL returns the same response/,
    ],
  ])("%s", { timeout: TIMED_OUT }, async (_, target, code, advice) => {
    const outcome = await outcomeOf(target);
    expect(outcome).toMatchObject({ status: "failed", failure: { code } });
    expect(outcome.status === "failed" && outcome.failure.message).toMatch(advice);
  });
});

test(
  "a scan that only read the document, behind an edge that forbids everything, fails as blocked",
  { timeout: TIMED_OUT },
  async () => {
    const token = { name: "access_token", in: "query", schema: { type: "string" } };
    const outcome = await outcomeOf(forbidding, {
      document: apiDocument({ ...PATHS, "/feed": { get: { parameters: [token] } } }),
    });
    expect(outcome).toMatchObject({ status: "failed", failure: { code: "target_blocked" } });
  },
);

test(
  "a target with one handler that rejects everything in the same way fails",
  { timeout: TIMED_OUT },
  async () => {
    const write = {
      post: { requestBody: { content: { "application/json": { schema: { type: "object" } } } } },
    };
    const actions = ["create", "list", "describe", "scan", "query"].map((name) => [`/table/${name}`, write]);
    const outcome = await outcomeOf(
      fakeApi({
        "GET /": { body: "healthy: dynamodb.local" },
        "POST *": { status: 400, json: { __type: "MissingAuthenticationToken", message: "No token" } },
      }),
      { document: apiDocument(Object.fromEntries(actions) as Record<string, object>) },
    );
    expect(outcome).toMatchObject({ status: "failed", failure: { code: "wrong_base_path" } });
  },
);

test(
  "data that only an injection brings is the injection's, and exposed to nobody else",
  { timeout: TIMED_OUT },
  async () => {
    const people = ["ada", "grace"].map((uid, index) => ({
      uid,
      userPassword: `$2b$12$eixZaYVK1fsbw1Zfabcdef${"Kq9".repeat(10)}${index}`,
    }));
    const report = await reportOf(
      fakeApi({
        ...API,
        "POST /people/search": ({ body }) => {
          const [, uid] = /^\{"uid":"([^"]*)"/.exec(body) ?? [];
          if (uid === undefined) return { status: 400, json: { error: "uid is required" } };
          if (!/^[^()]*(?:\)\([^()=]+=[^()]*)*$/.test(uid))
            return {
              status: 500,
              json: { error: "javax.naming.directory.InvalidSearchFilterException: Missing parenthesis" },
            };
          // Every entry of a directory has an object class, and none an attribute that does not exist.
          return { json: { people: /\bobjectclass=\*$/i.test(uid) ? people : [] } };
        },
      }),
      {
        document: apiDocument({
          ...PATHS,
          "/people/search": {
            post: {
              summary: "Search people",
              requestBody: {
                content: {
                  "application/json": {
                    schema: { type: "object", properties: { uid: { type: "string", example: "ines" } } },
                  },
                },
              },
            },
          },
        }),
      },
    );
    const there = report.findings.filter(({ location }) => location.path === "/people/search");
    expect(there.map(({ check }) => check)).toContain("input-validation/ldap-injection");
    expect(there.filter(({ category }) => /exposure|property/i.test(category))).toEqual([]);
  },
);

describe.concurrent("the grade of a target", () => {
  test(
    "the grade of a target that refuses anonymous requests correctly is not better than C, and notes that only that was tested",
    { timeout: TIMED_OUT },
    async () => {
      const refusing = fakeApi({
        "* *": { status: 401, json: { error: "Unauthorized" }, headers: { "www-authenticate": "Bearer" } },
      });
      const report = await reportOf(refusing, { document: apiDocument(PATHS, BEARER) });
      expect(report).toMatchObject({ perimeterOnly: true, coverage: { reached: 0 } });
      expect(report.score).toBeLessThanOrEqual(79);
      expect(["C", "D"]).toContain(report.grade);
      expect(report.summary).toContain("authorization between users was not");
      expect(report.categories.inputValidation).toMatchObject({ assessed: false });
      expect(report.coverage.pairs!.inputValidation).toMatchObject({
        decided: 0,
        perimeter: expect.any(Number),
      });
    },
  );

  test(
    "the grade of a target that lists its users with password hashes to anybody is F, and the finding critical",
    { timeout: TIMED_OUT },
    async () => {
      const hash = (salt: string) => `$2b$12$${salt.padEnd(22, "abcdefghij")}${"Kq9".repeat(10)}x`;
      const users = ["eixZaYVK1fsbw1Zf", "N9qo8uLOickgx2ZM"].map((salt, index) => ({
        id: index + 1,
        name: `user-${index}`,
        password: hash(salt),
      }));
      const report = await reportOf(fakeApi({ ...API, "GET /users": { json: users } }), {
        document: apiDocument({ ...PATHS, "/users": { get: {} } }),
      });
      expect(report.findings[0]).toMatchObject({ severity: "critical", location: { path: "/users" } });
      expect([report.score <= 49, report.grade]).toEqual([true, "F"]);
    },
  );

  test(
    "the grade of a target that is open and sound is as good as its coverage",
    { timeout: TIMED_OUT },
    async () => {
      const report = await reportOf(fakeApi(API));
      const { overall = 0 } = report.coverage;
      expect(report.score).toBeLessThanOrEqual(60 + 40 * overall);
      expect(overall).toBeGreaterThan(0.5);
    },
  );
});
