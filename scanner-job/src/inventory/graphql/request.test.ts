import { describe, expect, it } from "vitest";
import { graphqlData, graphqlRequest } from "./request.ts";

describe("graphqlData", () => {
  it.each([
    ["one response", { data: { a: 1 } }, [{ a: 1 }]],
    ["a batch", [{ data: { a: 1 } }, { data: { a: 2 } }], [{ a: 1 }, { a: 2 }]],
    ["a batch of which one is refused", [{ errors: [{}] }, { data: { a: 2 } }], [{ a: 2 }]],
    ["an error", { errors: [{ message: "no" }], data: null }, []],
    ["a list instead of data", { data: [1] }, []],
    ["no JSON", undefined, []],
  ])("graphqlData of %s", (_, json, data) => {
    expect(graphqlData(json)).toEqual(data);
  });
});

it("a batch is a list of queries in one request", () => {
  expect(JSON.parse(graphqlRequest("https://api.example/graphql", ["{a}", "{b}"]).body!)).toEqual([
    { query: "{a}" },
    { query: "{b}" },
  ]);
});
