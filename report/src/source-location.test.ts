import { describe, expect, test } from "vitest";
import { documentLines, sourceOf } from "./source-location.ts";
import { growthOfSteps, locationOf } from "@glovebox/domain/testing";

const YAML = `openapi: 3.1.0
# /commented:
paths:
  /orders:
    summary: "get: nothing"
    get:
      responses: {}
    'post':
      responses: {}
  "/orders/{id}:cancel": # quoted
    post: {}
  /orders/{id}:
    $ref: other.yaml
  /users:search:
    get: {}
`;
const JSON_TEXT = JSON.stringify({ paths: { "/orders": { get: {}, post: {} } } }, undefined, 2);

describe("the line of an operation", () => {
  test.each<[string, string, number | undefined]>([
    ["GET /orders", YAML, 6],
    ["POST /orders", YAML, 8],
    ["DELETE /orders", YAML, 4],
    ["POST /orders/{id}:cancel", YAML, 11],
    ["GET /orders/{id}", YAML, 12],
    ["GET /users:search", YAML, 15],
    ["GET /v1/orders", YAML, 6],
    ["GET /commented", YAML, undefined],
    ["GET /elsewhere", YAML, undefined],
    ["GET /", YAML, undefined],
    ["POST /orders", JSON_TEXT, 5],
  ])("the line of an operation of %s in %j is %j", (at, text, line) => {
    expect(documentLines(text)(locationOf(at))).toBe(line);
  });

  test.each<[string, (size: number) => string]>([
    ["a long line", (size) => "a".repeat(size)],
    ["long lines that begin like a key", (size) => `  "${"/".repeat(3_000)}\n`.repeat(size / 1_000)],
  ])(
    "the line of an operation is found in a large document with %s, in steps that grow with its size",
    (_, before) => {
      const lineIn = (size: number) =>
        documentLines(`${before(size)}\npaths:\n  /a:\n    get: {}\n`)(locationOf("GET /a"));
      expect(lineIn(1_000)).toBeGreaterThanOrEqual(4);
      expect(growthOfSteps(lineIn, 100_000)).toBeLessThan(2.2);
    },
  );
});

describe("the file of a location", () => {
  const of = (path: string, url = "https://api.shop.example/v1") =>
    sourceOf({ method: "GET", path }, { url, document: undefined }).path;

  test.each([
    ["/v1/users/{id}", "api.shop.example/v1/users/{id}"],
    ["/", "api.shop.example"],
    ["//a/./../..\\b/", "api.shop.example/a/b"],
    ["*", "api.shop.example/*"],
  ])("%s without a document is %s, which leads nowhere else", (path, expected) => {
    expect(of(path)).toBe(expected);
  });

  test("the file of a location has the port of the target", () => {
    expect(of("/a", "https://api.shop.example:8443")).toBe("api.shop.example:8443/a");
  });
});
