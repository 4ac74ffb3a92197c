import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApiDocument } from "../api-document.ts";
import { DOCUMENTS, SOURCE } from "../../testing/user-documents.ts";
import { readApiDocument } from "./read-api-document.ts";
import { parseText, UnusableDocument } from "./parse-text.ts";

describe("hostile documents", { timeout: 30_000 }, () => {
  it.each([
    [
      "JSON nested 300,000 times",
      "[".repeat(3e5) + "]".repeat(3e5),
      /not an object|neither|could not be read/,
    ],
    ["YAML nested a thousand times", `a: ${"[".repeat(1000)}${"]".repeat(1000)}`, /nesting|neither/],
    ["aliases that multiply", aliasBomb(), /more than 2000000 values/],
    ["20,000 aliases", `a: &x {}\nb: [${"*x,".repeat(20_000)}]`, /aliases/],
    ["an alias of itself", "openapi: 3.0.0\npaths: &p\n  /a: *p\n  /b: *p", /more than 2000000 values/],
    ["two million values", `{"openapi":"3.0.0","paths":[${"1,".repeat(2e6)}1]}`, /more than 2000000 values/],
  ])("%s is refused with a reason", (_, text, reason) => {
    expect(unusable(text)).toMatch(reason);
  });

  it("what is nested too deeply is left out, the rest is read", () => {
    const deep = '{"a":'.repeat(1000) + "1" + "}".repeat(1000);
    const document = read(`{"openapi":"3.0.0","x-deep":${deep},"paths":{"/a":{"get":{}}}}`);
    expect(document.operations).toHaveLength(1);
    expect(document.notes.join()).toMatch(/deeper than 64/);
  });

  it("operations beyond 5,000 are left out and counted", () => {
    const document = read(`{"openapi":"3.0.0","paths":{${manyPaths(9_000, '{"get":{}}')}}}`);
    expect(document.operations).toHaveLength(5_000);
    expect(document.notes).toEqual(["4000 operations beyond the first 5000 were left out"]);
  });

  it("schemas that refer to themselves end", () => {
    const node = { properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/N" } } };
    const schema = { $ref: "#/components/schemas/N" };
    const body = { content: { "application/json": { schema } } };
    const [operation] = read(
      JSON.stringify({
        openapi: "3.0.0",
        paths: { "/a": { post: { requestBody: body, responses: { 200: body } } } },
        components: { schemas: { N: { allOf: [node, schema] } } },
      }),
    ).operations;
    expect(operation?.responses[0]?.fields.map(({ path }) => path)).toEqual(["name", "next"]);
    expect(operation?.body?.sample).toMatchObject({ name: "test" });
  });

  it("schemas that fan out stay within 200 fields", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [
        `S${level}`,
        {
          properties: Object.fromEntries(
            Array.from({ length: 20 }, (_, n) => [`p${n}`, { $ref: `#/components/schemas/S${level + 1}` }]),
          ),
        },
      ]),
    );
    const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } };
    const text = JSON.stringify({
      openapi: "3.0.0",
      paths: { "/a": { get: { responses: { 200: body } } } },
      components: { schemas },
    });
    expect(read(text).operations[0]?.responses[0]?.fields.length).toBe(200);
  });

  it("samples are short however long the schema wants them", () => {
    const schema = {
      type: "array",
      minItems: 1e9,
      items: { type: "string", minLength: 1e9, pattern: "^(a+)+$" },
    };
    const text = JSON.stringify({
      openapi: "3.0.0",
      paths: {
        "/a": {
          post: {
            parameters: [{ name: "q", in: "query", schema: schema.items }],
            requestBody: { content: { "application/json": { schema } } },
          },
        },
      },
    });
    const [operation] = read(text).operations;
    expect(JSON.stringify(operation).length).toBeLessThan(2_000);
  });

  it("members called __proto__ and constructor change nothing", () => {
    const text = `{"openapi":"3.0.0","__proto__":{"polluted":1},"paths":{"__proto__":{"get":{}},"/a":{"get":{"parameters":[
      {"name":"__proto__","in":"query","schema":{"$ref":"#/__proto__"}},{"$ref":"#/constructor/prototype"}],
      "responses":{"200":{"content":{"application/json":{"schema":{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}}}}}}}}`;
    const document = read(text);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(document.operations.at(-1)?.responses[0]?.fields.map(({ name }) => name)).toEqual(["constructor"]);
  });
});

describe("any document", { timeout: 60_000 }, () => {
  const word = fc.constantFrom(
    "get",
    "$ref",
    "/a/{b}",
    "schema",
    "type",
    "items",
    "#/paths",
    "__proto__",
    "3.0.0",
    "in",
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ depthSize: "small" }, fc.jsonValue({ maxDepth: 2 }), word, tie("list"), tie("map")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    map: fc.dictionary(fc.oneof(word, fc.string()), tie("any"), { maxKeys: 5 }),
  })).any;

  it("gives a document or a reason, never another exception", () => {
    const text = fc.oneof(
      value.map((any) => JSON.stringify(any)),
      value.map((any) => JSON.stringify({ openapi: "3.1.0", paths: { "/a": any } })),
      fc.string(),
    );
    fc.assert(fc.property(text, expectResponse), { numRuns: 200 });
  });

  it("any document is read although any of its parts is replaced", () => {
    const originals = DOCUMENTS.map(([, , document]) => document);
    const changes = fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 4 });
    const mutated = fc
      .tuple(fc.constantFrom(...originals), changes)
      .map(([original, parts]) =>
        parts.reduce(
          (document, [index, part]) => replacedAt(document, index, part),
          structuredClone(original),
        ),
      );
    fc.assert(
      fc.property(mutated, (document) => expectResponse(JSON.stringify(document))),
      { numRuns: 250 },
    );
  });

  function expectResponse(text: string): void {
    try {
      for (const facts of read(text).operations) expect(facts.path).toMatch(/^\//);
    } catch (error) {
      expect(error).toBeInstanceOf(UnusableDocument);
    }
  }
});

const read = (text: string): ApiDocument => readApiDocument(parseText(text), SOURCE);

function unusable(text: string): string {
  try {
    read(text);
    return "it was read";
  } catch (error) {
    if (error instanceof UnusableDocument) return error.message;
    throw error;
  }
}

function manyPaths(count: number, item: string): string {
  return Array.from({ length: count }, (_, n) => `"/${n.toString(36)}":${item}`).join(",");
}

function aliasBomb(): string {
  const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(9)}]`);
  return ["openapi: 3.0.0", "paths: {}", "l0: &l0 [x, x, x]", ...levels].join("\n");
}

/** Replaces one of the members of a document, counted in document order. */
function replacedAt(document: unknown, index: number, part: unknown): unknown {
  const members: [object, string][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      members.push([value, key]);
      visit(child);
    }
  };
  visit(document);
  const [owner, key] = members[index % Math.max(members.length, 1)] ?? [];
  if (owner && key !== undefined) Reflect.set(owner, key, part);
  return document;
}
