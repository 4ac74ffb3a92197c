import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import type { ApiDocument } from "../api-document.ts";
import { readApiDocument, type DocumentSource } from "./read-api-document.ts";
import { UnusableDocument } from "./unusable.ts";

const SOURCE: DocumentSource = {
  origin: "https://api.test/openapi.json",
  isPublic: true,
  targetUrl: "https://api.test/v1/users",
};

const USER = {
  type: "object",
  required: ["name"],
  additionalProperties: false,
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    home: { type: "object", properties: { city: { type: "string" } } },
    tags: { type: "array", items: { type: "object", properties: { label: { type: "string" } } } },
  },
};

const V3 = (version: string, nullable: object) => ({
  openapi: version,
  info: { title: "Users" },
  servers: [{ url: "/{version}/", variables: { version: { default: "v1" } } }],
  security: [{ key: [] }],
  paths: {
    "/users": {
      get: { responses: { "200": { $ref: "#/components/responses/Users" } }, tags: ["users"] },
      post: {
        security: [{}, { key: [] }],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } },
        },
      },
    },
    "/users/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      get: {
        operationId: "oneUser",
        deprecated: true,
        security: [],
        parameters: [{ name: "verbose", in: "query", schema: { type: "string", enum: ["yes", "no"] } }],
        responses: {},
      },
    },
  },
  components: {
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 7 } } },
    responses: {
      Users: {
        content: {
          "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/User" } } },
        },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      sso: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://login.test/token", scopes: {} } },
      },
    },
    schemas: { User: { ...USER, properties: { ...USER.properties, nick: nullable } } },
  },
});

const V2 = {
  swagger: "2.0",
  info: { title: "Users" },
  host: "api.test",
  basePath: "/v1/",
  schemes: ["https"],
  consumes: ["application/json"],
  produces: ["application/json"],
  security: [{ key: [] }],
  paths: {
    "/users": {
      get: {
        tags: ["users"],
        responses: {
          "200": { description: "", schema: { type: "array", items: { $ref: "#/definitions/User" } } },
        },
      },
      post: {
        security: [{}, { key: [] }],
        parameters: [{ name: "user", in: "body", required: true, schema: { $ref: "#/definitions/User" } }],
        responses: {},
      },
    },
    "/users/{id}": {
      parameters: [{ $ref: "#/parameters/Id" }],
      get: {
        operationId: "oneUser",
        deprecated: true,
        security: [],
        parameters: [{ name: "verbose", in: "query", type: "string", enum: ["yes", "no"] }],
        responses: {},
      },
    },
  },
  parameters: { Id: { name: "id", in: "path", required: true, type: "integer", minimum: 7 } },
  securityDefinitions: {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    sso: { type: "oauth2", flow: "application", tokenUrl: "https://login.test/token", scopes: {} },
  },
  definitions: { User: { ...USER, properties: { ...USER.properties, nick: { type: "string" } } } },
};

const DOCUMENTS: [string, string, unknown][] = [
  ["2.0", "2.0", V2],
  ["3.0.3", "3.0", V3("3.0.3", { type: "string", nullable: true })],
  ["3.1.0", "3.1", V3("3.1.0", { type: ["null", "string"] })],
  ["3.2.0", "3.2", V3("3.2.0", { anyOf: [{ type: "null" }, { type: "string" }] })],
];

const FORMS: [string, (value: unknown) => string][] = [
  ["JSON", (value) => JSON.stringify(value)],
  ["YAML", (value) => dump(value)],
];

const CASES = DOCUMENTS.flatMap(([name, version, value]) =>
  FORMS.map(([form, write]) => ({ name, version, form, text: write(value) })),
);

describe.each(CASES)("OpenAPI $name in $form", ({ text, version }) => {
  it("gives the same operations whatever its version and form", () => {
    const document = read(text);
    expect(document).toMatchObject({ version, title: "Users", servers: ["https://api.test/v1/"], notes: [] });
    const [list, create, one] = document.operations;
    expect([list, create, one].map((facts) => `${facts?.method} ${facts?.base}${facts?.path}`)).toEqual([
      "GET /v1/users",
      "POST /v1/users",
      "GET /v1/users/{id}",
    ]);
    expect([list, create, one].map((facts) => facts?.security)).toEqual(["required", "optional", "none"]);
    expect(list?.responses).toMatchObject([{ status: "200", mediaType: "application/json" }]);
    expect(list?.responses[0]?.fields.map(({ path, type }) => `${path} ${type}`)).toEqual([
      "[].id integer",
      "[].name string",
      "[].home object",
      "[].tags array",
      "[].nick string",
      "[].home.city string",
      "[].tags[].label string",
    ]);
  });

  it("gives parameters with samples, and bodies with their shape", () => {
    const [, create, one] = read(text).operations;
    expect(one).toMatchObject({ operationId: "oneUser", deprecated: true });
    expect(one?.parameters).toMatchObject([
      { name: "id", in: "path", type: "integer", minimum: 7, sample: "7", sampleIsDeclared: false },
      {
        name: "verbose",
        in: "query",
        required: false,
        sample: "yes",
        sampleIsDeclared: true,
        enum: ["yes", "no"],
      },
    ]);
    expect(create?.body).toMatchObject({ mediaType: "application/json", required: true, closed: true });
    expect(create?.body?.sample).toMatchObject({ name: "string", home: { city: "string" } });
    expect(create?.body?.sample).not.toHaveProperty("id");
    expect(create?.body?.fields.find(({ path }) => path === "id")).toMatchObject({ readOnly: true });
  });

  it("lists the security schemes and every address with its pointer", () => {
    const { securitySchemes, addresses } = read(text);
    expect(securitySchemes).toMatchObject([
      { name: "key", type: "apiKey", in: "header", parameterName: "X-Key" },
      { name: "sso", type: "oauth2", urls: ["https://login.test/token"] },
    ]);
    expect(addresses).toHaveLength(1);
    expect(addresses[0]?.pointer).toMatch(/\/sso\/(flows\/clientCredentials\/)?tokenUrl$/);
  });
});

const get = { responses: {} };
const paths = { "/a": { get } };

describe("tolerance", () => {
  const cases: { what: string; document: object; operations: string[]; note?: RegExp }[] = [
    { what: "no version", document: { paths }, operations: ["GET /a"], note: /no version/ },
    { what: "a later 3.x", document: { openapi: "3.7", paths }, operations: ["GET /a"], note: /read as 3.2/ },
    { what: "swagger 2 as a number", document: { swagger: 2, paths }, operations: ["GET /a"] },
    {
      what: "an operation that is no object",
      document: { openapi: "3.0.0", paths: { "/a": { get: 1, put: get }, "/b": 3, "/c": { get } } },
      operations: ["PUT /a", "GET /c"],
      note: /GET \/a was left out/,
    },
    {
      what: "parameters and responses of the wrong type",
      document: {
        openapi: "3.0.0",
        paths: { "/a": { get: { parameters: { x: 1 }, responses: [1], tags: 7 } } },
      },
      operations: ["GET /a"],
    },
    {
      what: "a reference to another document",
      document: { openapi: "3.0.0", paths: { "/a": { $ref: "./a.yaml#/x" }, "/b": { get } } },
      operations: ["GET /b"],
      note: /1 references to other documents/,
    },
    {
      what: "a reference that leads nowhere",
      document: { openapi: "3.0.0", paths: { "/a": { get: { parameters: [{ $ref: "#/nowhere" }] } } } },
      operations: ["GET /a"],
      note: /not resolved: #\/nowhere/,
    },
    {
      what: "references in a circle",
      document: {
        openapi: "3.0.0",
        paths: { "/a": { $ref: "#/paths/~1b" }, "/b": { $ref: "#/paths/~1a" }, "/c": { get } },
      },
      operations: ["GET /c"],
      note: /not valid: \/a/,
    },
    {
      what: "no paths",
      document: { openapi: "3.1.0", webhooks: { made: {} } },
      operations: [],
      note: /no operation/,
    },
  ];

  it.each(cases)("$what is read with what remains", ({ document, operations, note }) => {
    const read_ = read(JSON.stringify(document));
    expect(read_.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(operations);
    if (note) expect(read_.notes.join("\n")).toMatch(note);
    else expect(read_.notes).toEqual([]);
  });

  it.each([
    ["HTML", "<!doctype html><html></html>", /HTML/],
    ["a text", "just a sentence", /not an object/],
    ["nothing", "", /not an object|neither/],
    ["broken YAML", "a: [1\nb: 2", /neither JSON nor YAML/],
    ["another JSON", '{"users": []}', /no OpenAPI document/],
    ["another version", '{"openapi": "4.0.0", "paths": {}}', /version, 4.0.0/],
  ])("%s is of no use, and the reason is told", (_, text, reason) => {
    expect(unusable(text)).toMatch(reason);
  });

  it("webhooks and callbacks are listed", () => {
    const callbacks = { done: { "{$request.body#/url}": { post: get } } };
    const text = JSON.stringify({
      openapi: "3.1.0",
      webhooks: { created: { post: get } },
      paths: { "/a": { post: { callbacks } } },
    });
    expect(read(text).callbacks).toEqual(["created", "{$request.body#/url}"]);
  });
});

describe("hostile documents", () => {
  it.each([
    [
      "JSON nested a million times",
      "[".repeat(1e6) + "]".repeat(1e6),
      /not an object|neither|could not be read/,
    ],
    ["YAML nested a thousand times", `a: ${"[".repeat(1000)}${"]".repeat(1000)}`, /nesting|neither/],
    ["aliases that multiply", aliasBomb(), /more than 500000 values/],
    ["20,000 aliases", `a: &x {}\nb: [${"*x,".repeat(20_000)}]`, /aliases/],
    ["an alias of itself", "openapi: 3.0.0\npaths: &p\n  /a: *p\n  /b: *p", /more than 500000 values/],
    ["two million values", `{"openapi":"3.0.0","paths":[${"1,".repeat(2e6)}1]}`, /more than 500000 values/],
  ])("%s is refused with a reason", (_, text, reason) => {
    expect(unusable(text)).toMatch(reason);
  });

  it("what is nested too deeply is left out, the rest is read", () => {
    const deep = '{"a":'.repeat(1000) + "1" + "}".repeat(1000);
    const document = read(`{"openapi":"3.0.0","x-deep":${deep},"paths":{"/a":{"get":{}}}}`);
    expect(document.operations).toHaveLength(1);
    expect(document.notes.join()).toMatch(/deeper than 64/);
  });

  it("operations beyond 500 are left out and counted", () => {
    const document = read(`{"openapi":"3.0.0","paths":{${manyPaths(20_000, '{"get":{}}')}}}`);
    expect(document.operations).toHaveLength(500);
    expect(document.notes).toEqual(["19500 operations beyond the first 500 were left out"]);
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
    expect(operation?.body?.sample).toMatchObject({ name: "string" });
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

describe("any document", () => {
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
    fc.assert(fc.property(text, expectAnswer), { numRuns: 300 });
  });

  it("is read although any of its parts is replaced", () => {
    const originals = DOCUMENTS.map(([, , document]) => document);
    const changes = fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 4 });
    const mutated = fc
      .tuple(fc.constantFrom(...originals), changes)
      .map(([original, parts]) =>
        parts.reduce(
          (document, [place, part]) => replacedAt(document, place, part),
          structuredClone(original),
        ),
      );
    fc.assert(
      fc.property(mutated, (document) => expectAnswer(JSON.stringify(document))),
      { numRuns: 500 },
    );
  });

  function expectAnswer(text: string): void {
    try {
      for (const facts of read(text).operations) expect(facts.path).toMatch(/^\//);
    } catch (error) {
      expect(error).toBeInstanceOf(UnusableDocument);
    }
  }
});

const read = (text: string): ApiDocument => readApiDocument(text, SOURCE);

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

/** Replaces one of the places of a document, counted in document order. */
function replacedAt(document: unknown, place: number, part: unknown): unknown {
  const places: [object, string][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      places.push([value, key]);
      visit(child);
    }
  };
  visit(document);
  const [owner, key] = places[place % Math.max(places.length, 1)] ?? [];
  if (owner && key !== undefined) Reflect.set(owner, key, part);
  return document;
}
