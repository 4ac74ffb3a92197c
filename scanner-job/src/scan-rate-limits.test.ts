import { describe, expect, it } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { apiDocument } from "./testing/api-document.ts";
import { fakeApi, type FakeResponse, type Incoming } from "./testing/fake-api.ts";
import { scanWith } from "./testing/test-check.ts";

const byName = { get: { parameters: [{ name: "name", in: "query", schema: { type: "string" } }] } };
const document = apiDocument({ "/slots": byName, "/rooms": byName, "/guests": byName });

/** What was requested, in order, of an API in which one path responds with 429 or 503, once or always. */
async function pathsOfScan(limit: (count: number) => FakeResponse | undefined): Promise<string[]> {
  const paths: string[] = [];
  let slots = 0;
  const route =
    (response: FakeResponse) =>
    ({ path }: Incoming): FakeResponse => {
      paths.push(path);
      return (path === "/slots" && limit(++slots)) || response;
    };
  await scanWith(CHECKS, {
    name: "an API with one limited path",
    document,
    target: fakeApi({
      "GET /": route({ json: { name: "inn" } }),
      "GET /slots": route({ json: { slots: [] } }),
      "GET /rooms": route({ json: { rooms: [] } }),
      "GET /guests": route({ json: { guests: [] } }),
    }),
  });
  return paths;
}

const notNow = (status: number, seconds: number): FakeResponse => ({
  status,
  headers: { "retry-after": String(seconds) },
  json: { error: "Not now" },
});

describe("a scan of an API with one limited path", { timeout: 60_000 }, () => {
  it("goes on with the other paths while that one is paused", async () => {
    const paths = await pathsOfScan((count) => (count === 3 ? notNow(429, 3) : undefined));
    const slots = paths.flatMap((path, index) => (path === "/slots" ? [index] : []));
    const longest = Math.max(...slots.slice(1).map((index, position) => index - slots[position]! - 1));
    expect(longest, "requests for other paths in a pause").toBeGreaterThan(30);
    expect(slots.length, "tested after the pause").toBeGreaterThan(30);
  });

  it.each([429, 503])("waits for no %i whose Retry-After is longer than it would wait", async (status) => {
    const limited = await pathsOfScan(() => notNow(status, 3_600));
    const open = await pathsOfScan(() => undefined);
    const others = (paths: readonly string[]) => paths.filter((path) => /rooms|guests/.test(path)).length;
    expect(others(limited)).toBeGreaterThan(others(open) * 0.8);
  });
});
