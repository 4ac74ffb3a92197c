import { describe, expect, it } from "vitest";
import type { ApiDocument } from "../api-document.ts";
import { SOURCE } from "../../testing/user-documents.ts";
import { readApiDocument } from "./read-api-document.ts";
import { parseText, UnusableDocument } from "./parse-text.ts";

const get = { responses: {} };
const paths = { "/a": { get } };

describe("tolerance", () => {
  const cases: { what: string; document: object; operations: string[]; note?: RegExp }[] = [
    { what: "no version", document: { paths }, operations: ["GET /a"], note: /no version/ },
    { what: "a later 3.x", document: { openapi: "3.7", paths }, operations: ["GET /a"], note: /read as 3.2/ },
    { what: "swagger 2 as a number", document: { swagger: 2, paths }, operations: ["GET /a"] },
    {
      what: "an operation that is not an object",
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
    ["nothing", "", /It is empty/],
    ["white space", " \n", /It is empty/],
    ["a binary file", "\ufffd\ufffd\0\u0003\ufffd", /binary file/],
    ["an archive", "PK\u0003\u0004openapi.json", /binary file/],
    ["a GraphQL schema", "type Query {\n  a: String\n}", /GraphQL schema, not an OpenAPI document/],
    ["an introspected schema", '{"data": {"__schema": {"types": []}}}', /GraphQL schema/],
    [
      "a Postman collection",
      '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": []}',
      /Postman collection, not an OpenAPI document/,
    ],
    ["an HTTP archive", '{"log": {"version": "1.2", "entries": []}}', /HTTP archive \(HAR\)/],
    ["an AsyncAPI document", "asyncapi: 2.6.0\nchannels: {}", /AsyncAPI document/],
    ["an Insomnia export", '{"_type": "export", "__export_format": 4}', /Insomnia export/],
    ["a JSON Schema", '{"$schema": "https://json-schema.org/draft/2020-12/schema"}', /JSON Schema/],
    ["broken YAML", "a: [1\nb: 2", /neither JSON nor YAML/],
    ["another JSON", '{"users": []}', /not an OpenAPI document/],
    ["another version", '{"openapi": "4.0.0", "paths": {}}', /version, 4.0.0/],
  ])("%s is unusable, with a reason", (_, text, reason) => {
    expect(unusable(text)).toMatch(reason);
  });

  it.each([
    [
      "a number or a text",
      [
        { type: "integer", example: 1 },
        { type: "string", format: "uuid" },
      ],
      "string",
      undefined,
    ],
    [
      "numbers of two sizes",
      [{ type: "integer", format: "int32" }, { type: "integer" }],
      "integer",
      undefined,
    ],
    [
      "two UUIDs",
      [
        { type: "string", format: "uuid" },
        { type: "string", format: "uuid" },
      ],
      "string",
      "uuid",
    ],
  ])("an id that may be %s takes the values of each", (_, oneOf, type, format) => {
    const parameters = [{ name: "id", in: "path", required: true, schema: { oneOf } }];
    const text = JSON.stringify({ openapi: "3.1.0", paths: { "/a/{id}": { get: { ...get, parameters } } } });
    const [parameter] = read(text).operations[0]!.parameters;
    expect([parameter?.type, parameter?.format]).toEqual([type, format]);
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
