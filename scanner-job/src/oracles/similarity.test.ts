import { describe, expect, it } from "vitest";
import { ProbeResponse } from "../transport/exchange.ts";
import { areSimilar, jaccard, featuresOf, sameAs, withoutEcho } from "./similarity.ts";
import { keysOf } from "./records.ts";
import { aResponse } from "../testing/samples.ts";

const page = (path: string, body: string, status = 200, type = "text/html"): ProbeResponse =>
  new ProbeResponse({
    request: { method: "GET", url: `https://api.example${path}` },
    status,
    body,
    headers: { "content-type": type },
  });

describe("similar", () => {
  it.each([
    ["the same page", page("/a", "<h1>Welcome</h1>"), page("/b", "<h1>Welcome</h1>"), true],
    [
      "a page that repeats its path",
      page("/invoices", "<p>No page /invoices here</p>"),
      page("/customers", "<p>No page /customers here</p>"),
      true,
    ],
    [
      "a page with a time and a token",
      page("/a", "at 12:30:01 id 9f86d081884c7d65"),
      page("/b", "at 12:31:55 id 60303ae22b998861"),
      true,
    ],
    ["another status", page("/a", "gone"), page("/b", "gone", 404), false],
    ["another media type", page("/a", "{}"), page("/b", "{}", 200, "application/json"), false],
    [
      "another content",
      page("/a", "name Ada born in London"),
      page("/b", "error no such user exists"),
      false,
    ],
  ])("tells %s", (_, left, right, expected) => expect(areSimilar(left, right)).toBe(expected));
});

describe("keysOf", () => {
  it("gives the keys of the first items of a list", () =>
    expect([...keysOf([{ id: 1 }, { id: 2, name: "x" }])]).toEqual(["id", "name"]));
  it("gives none for what has none", () =>
    expect(keysOf("text").size + keysOf(null).size + keysOf(undefined).size).toBe(0));
});

describe("jaccard", () => {
  it.each([
    [["a", "b"], ["a", "b"], 1],
    [["a", "b"], ["b", "c"], 1 / 3],
    [[], [], 1],
    [["a"], [], 0],
  ])("jaccard of %s and %s is %d", (left, right, expected) =>
    expect(jaccard(new Set(left), new Set(right))).toBe(expected),
  );
});

const json = (value: unknown, status = 200) => aResponse({ status, body: JSON.stringify(value) });

it("a response is the same when all its constant parts agree", () => {
  const same = sameAs([
    featuresOf(json({ time: "12:00:01", rows: [{ a: 1 }] })),
    featuresOf(json({ time: "12:00:02", rows: [{ a: 1 }] })),
  ]);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [{ a: 1 }] })))).toBe(true);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [] })))).toBe(false);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [{ a: 1 }] }, 404)))).toBe(false);
});

it("a response that repeats what was sent is the same as one that repeats the base value", () => {
  const same = sameAs([featuresOf(json({ query: "tea", rows: [] }))]);
  const sent = `tea" AND 'a`;
  const mask = withoutEcho({ sent, baseValue: "tea" });
  expect(same(featuresOf(json({ query: sent, rows: [] }), mask))).toBe(true);
  expect(same(featuresOf(json({ query: "other", rows: [] }), mask))).toBe(false);
});

it("a response whose members are named by what was sent is the same as one that names them by the base value", () => {
  const same = sameAs([featuresOf(json({ tea: 0, found: [] }))]);
  const mask = withoutEcho({ sent: "tea'x", baseValue: "tea" });
  expect(same(featuresOf(json({ "tea'x": 0, found: [] }), mask))).toBe(true);
});
