import { describe, expect, it } from "vitest";
import type { OperationFacts } from "../operation.ts";
import { basesToTry, versionSiblings } from "./discover.ts";
import { queryParameters, shapeOf, templateOf, withSamples } from "./path-template.ts";

const UUID = "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b";

describe("templateOf", () => {
  it.each<[string, string, Record<string, string>]>([
    ["/users", "/users", {}],
    ["/users/42", "/users/{id}", { id: "42" }],
    ["/users/42/orders/7", "/users/{userId}/orders/{id}", { userId: "42", id: "7" }],
    ["/users/42/orders", "/users/{id}/orders", { id: "42" }],
    [`/v1/files/${UUID}`, "/v1/files/{id}", { id: UUID }],
    ["/a/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/a/{id}", { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }],
    ["/a/507f1f77bcf86cd799439011/", "/a/{id}/", { id: "507f1f77bcf86cd799439011" }],
    ["/posts/hello-world", "/posts/hello-world", {}],
    ["/a/%7Bid%7D", "/a/{id}", { id: "1" }],
    ["/a/1/b/2/c/3", "/a/{aId}/b/{bId}/c/{id}", { aId: "1", bId: "2", id: "3" }],
    ["/1/2/3", "/{parentId}/{parentId2}/{id}", { parentId: "1", parentId2: "2", id: "3" }],
    ["/a%20b/%E0%A4%A", "/a%20b/%25E0%25A4%25A", {}],
  ])("templateOf of %s is %s", (path, template, samples) => {
    const { path: found, parameters } = templateOf(path);
    expect(found).toBe(template);
    expect(Object.fromEntries(parameters.map(({ name, sample }) => [name, sample]))).toEqual(samples);
  });

  it("treats a word as an id where it is known to be one", () => {
    expect(templateOf("/posts/hello-world", { endsInId: true })).toMatchObject({
      path: "/posts/{id}",
      parameters: [{ name: "id", type: "string", sample: "hello-world", sampleIsDeclared: true }],
    });
  });

  it("knows the type of an id", () => {
    expect(templateOf("/a/5").parameters).toMatchObject([{ type: "integer" }]);
    expect(templateOf(`/a/${UUID}`).parameters).toMatchObject([{ type: "string", format: "uuid" }]);
  });
});

describe("the shape of a path", () => {
  it.each([
    ["/a/{x}", "/a/{}"],
    ["/a/", "/a"],
    ["/", "/"],
    ["", ""],
  ])("%j is %j", (path, shape) => {
    expect(shapeOf(path)).toBe(shape);
  });
});

describe("withSamples", () => {
  it.each([
    ["/a/${id}/b", "/a/1/b"],
    ["/a/{id}", "/a/1"],
    ["/a/:id/b", "/a/1/b"],
    ["https://a.test:8443/a", "https://a.test:8443/a"],
  ])("%s is asked for as %s", (address, asked) => {
    expect(withSamples(address)).toBe(asked);
  });
});

it("parameters of a query keep the values that were seen", () => {
  expect(queryParameters(new URLSearchParams("page=2&q=x%20y&page=3&=z"))).toMatchObject([
    { name: "page", in: "query", required: false, type: "integer", sample: "2" },
    { name: "q", in: "query", required: false, type: "string", sample: "x y" },
  ]);
});

const facts = (path: string, base: string = ""): OperationFacts => ({
  method: "GET",
  path,
  base,
  tags: [],
  deprecated: false,
  security: "undeclared",
  parameters: [],
  responses: [],
  source: "spec",
});

describe("versionSiblings", () => {
  it.each<[string, OperationFacts[], string[]]>([
    ["on both sides", [facts("/v2/a")], ["/v1/a", "/v3/a", "/v0/a"]],
    ["in the base path", [facts("/a", "/api/v1")], ["/api/v0/a", "/api/v2/a"]],
    ["but not known ones", [facts("/v1/a"), facts("/v2/a")], ["/v0/a", "/v3/a"]],
    [
      "of two paths only",
      [facts("/v1/a"), facts("/v1/b"), facts("/v1/c")],
      ["/v0/a", "/v2/a", "/v0/b", "/v2/b"],
    ],
    ["of no path without a version", [facts("/a"), facts("/video/a")], []],
    ["of no path with a parameter", [facts("/v1/a/{id}")], []],
  ])("versionSiblings are searched %s", (_, operations, siblings) => {
    expect(versionSiblings(operations, 8)).toEqual(siblings);
  });
});

describe("basesToTry", () => {
  it("begins with where operations were found", () => {
    const found = [facts("/shop/v1/a"), facts("/shop/v1/b/{id}"), facts("/")];
    expect(basesToTry(new URL("https://a.test/"), found).slice(0, 2)).toEqual(["/shop/v1", ""]);
  });

  it("continues with the target's path and the common ones", () => {
    const bases = basesToTry(new URL("https://a.test/x/y/"), []);
    expect(bases).toEqual(["/x/y", "/x", "/api", "/api/v1", "/v1", "/v2", ""]);
  });
});
