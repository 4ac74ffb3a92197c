import { describe, expect, it } from "vitest";
import { CrashSuspects } from "./crash-suspects.ts";
import type { ProbeRequest } from "./exchange.ts";

const ITEMS = "GET /items";
const read = (query: string, path: string = "/items"): ProbeRequest => ({
  method: "GET",
  url: `https://a.test${path}?${query}`,
});
const post = (body: unknown): ProbeRequest => ({
  method: "POST",
  url: "https://a.test/items",
  body: JSON.stringify(body),
});

/** The target responded to baseline requests for the items, and crashed at these. */
function crashedAt(...requests: readonly ProbeRequest[]): CrashSuspects {
  const suspects = new CrashSuspects();
  suspects.clear(ITEMS, read("q=tea&sort=name"));
  for (const request of requests) suspects.add("crash", { route: ITEMS, request });
  return suspects;
}

describe("after a crash", () => {
  it.each([
    ["the same request", "q=tea'&sort=name", "q=tea'&sort=name", "crash"],
    ["the same payload with another value", "q=tea'&sort=name", "q=zqxj'&sort=name", "crash"],
    ["the same payload at another insertion point", "q=tea'&sort=name", "q=tea&sort=name'", "crash"],
    ["a longer payload with the same character", "q=tea'&sort=name", "q=tea' OR '1'='1&sort=name", "crash"],
    ["one of several characters", "q=tea'%22%3C&sort=name", "q=tea%3C&sort=name", "crash"],
    ["a parameter in brackets", "q[a]=1&sort=name", "q=tea&sort[$ne]=1", "crash"],
    ["another payload", "q=tea'&sort=name", "q=tea%3C&sort=name", undefined],
    ["a baseline request", "q=tea'&sort=name", "q=coffee&sort=price", undefined],
  ])("%s: `%s` and then `%s` is refused: %s", (_, crashing, next, refusal) => {
    expect(crashedAt(read(crashing)).refusalOf(ITEMS, read(next))).toBe(refusal);
  });

  it("a character that the target has responded to at that location is sent", () => {
    const suspects = crashedAt(read("q=tea'&sort=name"));
    suspects.clear(ITEMS, read("q=tea&sort=name'"));
    expect(suspects.refusalOf(ITEMS, read("q=tea&sort=price'"))).toBeUndefined();
  });

  it("a request like all others is refused by itself alone", () => {
    const suspects = crashedAt(read("q=admin&sort=name"));
    expect(suspects.refusalOf(ITEMS, read("q=admin&sort=name"))).toBe("crash");
    expect(suspects.refusalOf(ITEMS, read("q=tea&sort=name"))).toBeUndefined();
  });

  it("values of the same JSON type are refused, at any member", () => {
    const suspects = new CrashSuspects();
    suspects.clear("POST /items", post({ name: "tea", price: 1 }));
    suspects.add("crash", { route: "POST /items", request: post({ name: null, price: 1 }) });
    expect(suspects.refusalOf("POST /items", post({ name: "tea", price: null }))).toBe("crash");
    expect(suspects.refusalOf("POST /items", post({ name: "tea", price: 2 }))).toBeUndefined();
  });

  it("after a crash, that came after the response, what the first request to the route did not have is refused", () => {
    const suspects = crashedAt();
    suspects.clear(ITEMS, read("q=tea'&sort=name"));
    suspects.add("crash", { route: ITEMS, request: read("q=tea'&sort=name"), isDelayed: true });
    expect(suspects.refusalOf(ITEMS, read("q=coffee'&sort=name"))).toBe("crash");
    expect(suspects.refusalOf(ITEMS, read("q=coffee&sort=name"))).toBeUndefined();
  });

  it("another route is tested, until the same payload has crashed a second one", () => {
    const suspects = crashedAt(read("q=tea'&sort=name"));
    for (const route of ["GET /b", "GET /c"]) suspects.clear(route, read("q=tea", route.slice(4)));
    const quote = (path: string) => suspects.refusalOf(`GET ${path}`, read("q=tea'", path));
    expect([quote("/b"), quote("/c")]).toEqual([undefined, undefined]);
    suspects.add("crash", { route: "GET /b", request: read("q=tea'", "/b") });
    expect([quote("/b"), quote("/c")]).toEqual(["crash", "crash"]);
  });

  it("a payload that a third route responds to is not a fault of all routes", () => {
    const suspects = crashedAt(read("q=tea'&sort=name"), read("q=tea%22&sort=name"));
    suspects.clear("GET /c", read("q=tea'", "/c"));
    suspects.add("crash", { route: "GET /b", request: read("q=tea'", "/b") });
    suspects.clear("GET /d", read("q=tea", "/d"));
    expect(suspects.refusalOf("GET /d", read("q=tea'", "/d"))).toBeUndefined();
  });
});

describe("after several crashes", () => {
  it("after several crashes, of one route, only requests like those with a response are sent to it", () => {
    const suspects = crashedAt(read("q=tea'&sort=name"), read("q=tea%3C&sort=name"));
    expect(suspects.refusalOf(ITEMS, read("q=tea|&sort=name"))).toBe("crash");
    expect(suspects.refusalOf(ITEMS, read("q=coffee&sort=name"))).toBeUndefined();
  });

  it("after several crashes, of five requests, only requests like those with a response are sent anywhere", () => {
    const suspects = new CrashSuspects();
    for (const path of ["/a", "/b", "/c", "/d", "/e"]) {
      expect(suspects.isExhausted).toBe(false);
      suspects.add("crash", { route: `GET ${path}`, request: read("q=1", path) });
    }
    suspects.clear(ITEMS, read("q=tea"));
    expect(suspects.isExhausted).toBe(true);
    expect(suspects.refusalOf(ITEMS, read("q=tea'"))).toBe("crash");
    expect(suspects.refusalOf(ITEMS, read("q=coffee"))).toBeUndefined();
  });
});

describe("of requests that are only cut", () => {
  it("those with all of the traits are refused on the route, and others are sent", () => {
    const suspects = new CrashSuspects();
    suspects.clear(ITEMS, read("q=tea"));
    suspects.add("cut", { route: ITEMS, request: read("q=tea'%3C") });
    expect(suspects.refusalOf(ITEMS, read("q=zqxj'%3C%3E"))).toBe("cut");
    expect(suspects.refusalOf(ITEMS, read("q=tea'"))).toBeUndefined();
    expect(suspects.crashes).toEqual([]);
  });
});
