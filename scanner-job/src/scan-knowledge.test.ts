import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, type Report, type ScanOrder } from "@glovebox/contract";
import { instancesOf, rescore } from "@glovebox/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECKS } from "./checks/index.ts";
import type { Check } from "./engine/check.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";
import { scan } from "./scan.ts";
import { apiDocument } from "./testing/api-document.ts";
import { fakeApi, type Route } from "./testing/fake-api.ts";
import { serve } from "./testing/serve.ts";

/** Draws of each kind. */
const DRAWS = 2;
const SEED = 20;
const TIMED_OUT = 120_000;

const bearer = { security: [{ bearer: [] }] };
const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });
const open = (more: object = {}): object => ({ security: [], ...more });
const body = (...names: string[]): object => ({
  requestBody: {
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: names,
          properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        },
      },
    },
  },
});
const PATHS: Readonly<Record<string, Record<string, object>>> = {
  "/books": { get: open({ parameters: [query("q")] }), post: { ...bearer, ...body("title") } },
  "/books/{bookId}": { get: open(), delete: bearer },
  "/authors": { get: open() },
  "/authors/{authorId}": { get: open() },
  "/loans": { get: bearer },
  "/loans/{loanId}": { get: bearer },
};
const SCHEMES = { components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } } };

const unauthorized = {
  status: 401,
  json: { error: "Unauthorized" },
  headers: { "www-authenticate": "Bearer" },
};
const rows = (kind: string) => [4, 7, 9].map((id) => ({ id, title: `${kind} ${id}` }));
const one =
  (kind: string): Route =>
  ({ params }) => {
    const row = rows(kind).find(({ id }) => String(id) === params["id"]);
    return row ? { json: row } : { status: 404, json: { error: `No such ${kind}` } };
  };
/** Sound, and open to anyone who follows its links: what a document leaves out is found. */
const api = fakeApi({
  "GET /": { json: { name: "library", books: "/books", authors: "/authors", loans: "/loans" } },
  "GET /books": ({ query }) => ({
    json: {
      books: rows("book")
        .filter(({ title }) => title.includes(query.get("q") ?? ""))
        .map((row) => ({ ...row, self: `/books/${row.id}` })),
    },
  }),
  "POST /books": unauthorized,
  "GET /books/{id}": one("book"),
  "DELETE /books/{id}": unauthorized,
  "GET /authors": {
    json: { authors: rows("author").map((row) => ({ ...row, self: `/authors/${row.id}` })) },
  },
  "GET /authors/{id}": one("author"),
  "* /loans": unauthorized,
  "* /loans/{id}": unauthorized,
});

interface Knowledge {
  readonly paths?: readonly string[] | undefined;
  readonly checks?: readonly Check[];
  readonly maxRequests?: number;
}

async function reportWith({ paths, checks = CHECKS, maxRequests }: Knowledge): Promise<Report> {
  await using server = await serve(api);
  const items = paths && Object.fromEntries(paths.map((path) => [path, PATHS[path]!]));
  const order: ScanOrder = {
    scanId: "test",
    url: server.url,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
    limits: { ...DEFAULT_LIMITS, ...(maxRequests !== undefined && { maxRequests }) },
    ...(items && { spec: { from: "text", text: JSON.stringify(apiDocument(items, SCHEMES)) } }),
  };
  const outcome = await scan(order, {
    checks,
    onProgress: () => {},
    onFault: (check, error) => {
      throw new Error(`${check.id} is at fault`, { cause: error });
    },
    reach: tcpReach,
    families: () => new Set(),
    now: () => performance.now(),
    wait: (ms) => wait(Math.min(ms, 50)),
    today: () => new Date(),
  });
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

const ALL = Object.keys(PATHS);
let whole: Promise<Report> | undefined;
const wholeReport = (): Promise<Report> => (whole ??= reportWith({ paths: ALL }));

/** No finding that only the fuller scan has makes it worse: what is compared is the same weaknesses. */
function expectNoBetter(less: Report, full: Report): void {
  const found = new Set(less.findings.flatMap(instancesOf).map(({ check }) => check));
  const { score } = rescore(full, (finding) => instancesOf(finding).some(({ check }) => found.has(check)));
  expect(less.coverage.overall).toBeLessThanOrEqual(full.coverage.overall!);
  expect(less.score).toBeLessThanOrEqual(score);
}

const draws = <Drawn>(of: fc.Arbitrary<Drawn>): Drawn[] => fc.sample(of, { seed: SEED, numRuns: DRAWS });

describe("a scan", () => {
  test("a scan of all that there is covers more than a half", { timeout: TIMED_OUT }, async () => {
    const { coverage } = await wholeReport();
    expect(coverage.overall).toBeGreaterThan(0.5);
    expect(coverage.documentGap).toBeUndefined();
  });

  test(
    "a scan without the document is not better, covers a half at most, and says why",
    { timeout: TIMED_OUT },
    async () => {
      const less = await reportWith({});
      expectNoBetter(less, await wholeReport());
      expect(less.coverage.overall).toBeLessThanOrEqual(0.5);
      expect(less.coverage.documentGap).toBe("missing");
      expect(less.summary).toContain("Without an OpenAPI document");
    },
  );

  test.each(draws(fc.subarray(ALL, { minLength: 1, maxLength: ALL.length - 1 })).map((paths) => ({ paths })))(
    "a scan with a document of $paths alone is not better",
    { timeout: TIMED_OUT },
    async ({ paths }) => {
      expectNoBetter(await reportWith({ paths }), await wholeReport());
    },
  );

  test(
    "a scan whose document lacks most of what is found covers a half at most, and says why",
    { timeout: TIMED_OUT },
    async () => {
      const less = await reportWith({ paths: ["/loans"] });
      expect(less.coverage).toMatchObject({ overall: 0.5, documentGap: "contradicted" });
      expect(less.scoring.limits![0]!.reason).toContain("lacks operations of its OpenAPI document");
      expect(less.summary).toContain("lacks operations of its OpenAPI document");
    },
  );

  test.each(draws(fc.integer({ min: 60, max: 600 })))(
    "a scan with %d requests is not better",
    { timeout: TIMED_OUT },
    async (maxRequests) => {
      expectNoBetter(await reportWith({ paths: ALL, maxRequests }), await wholeReport());
    },
  );

  test.each(draws(fc.nat()))(
    "a scan with half of the checks, drawn by %d, is not better",
    { timeout: TIMED_OUT },
    async (seed) => {
      const [checks] = fc.sample(fc.shuffledSubarray([...CHECKS], { minLength: 60, maxLength: 120 }), {
        seed,
        numRuns: 1,
      });
      expectNoBetter(await reportWith({ paths: ALL, checks: checks! }), await wholeReport());
    },
  );
});
