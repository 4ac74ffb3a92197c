import { describe, expect, it } from "vitest";
import { MALFORMED } from "../transport/exchange.ts";
import { apiDocument } from "../testing/api-document.ts";
import { fakeApi, type Incoming } from "../testing/fake-api.ts";
import { inventoryOf } from "../testing/inventory-of.ts";
import type { RequestChanges } from "./operation.ts";

/** What a real server receives of the document's only operation. */
async function received(document: object, changes: RequestChanges = {}): Promise<Incoming> {
  const got: Incoming[] = [];
  const target = fakeApi({
    "* *": (incoming) => (got.push(incoming), { status: 404, json: { nothing: true } }),
  });
  await inventoryOf(target, { document }, async ({ operations: [operation] }, transport) => {
    got.length = 0;
    await transport.send(operation!.request({ form: MALFORMED, ...changes }), { share: false });
  });
  return got[0]!;
}

const get = (path: string, ...parameters: object[]): object =>
  apiDocument({ [path]: { parameters, get: {} } });
const list = { type: "array", items: { type: "string" }, example: ["a", "b c"] };
const object = { type: "object", example: { x: 1, y: "b c" } };

describe("parameters", { timeout: 30_000 }, () => {
  it.each<[string, object, string]>([
    ["form, exploded, by default", { schema: list }, "p=a&p=b+c"],
    ["form, not exploded", { schema: list, explode: false }, "p=a%2Cb+c"],
    ["with spaces between", { schema: list, style: "spaceDelimited", explode: false }, "p=a+b+c"],
    ["with bars between", { schema: list, style: "pipeDelimited", explode: false }, "p=a%7Cb+c"],
    ["members on their own", { schema: object }, "x=1&y=b+c"],
    ["members in a row", { schema: object, explode: false }, "p=x%2C1%2Cy%2Cb+c"],
    ["members in brackets", { schema: object, style: "deepObject" }, "p%5Bx%5D=1&p%5By%5D=b+c"],
    [
      "as JSON",
      { content: { "application/json": { schema: object } } },
      `p=${new URLSearchParams({ v: '{"x":1,"y":"b c"}' }).toString().slice(2)}`,
    ],
  ])("parameters of a query are sent %s", async (_, rest, query) => {
    const { query: sent } = await received(get("/a", { name: "p", in: "query", required: true, ...rest }));
    expect(sent.toString()).toBe(query);
  });

  it.each<[string, object, string]>([
    ["simple", { schema: list }, "/a/a,b%20c"],
    ["with a label", { schema: list, style: "label" }, "/a/.a,b%20c"],
    ["with a label, exploded", { schema: list, style: "label", explode: true }, "/a/.a.b%20c"],
    ["as a matrix", { schema: list, style: "matrix", explode: true }, "/a/;p=a;p=b%20c"],
    ["as members", { schema: object, explode: true }, "/a/x=1,y=b%20c"],
  ])("parameters of a path are sent %s", async (_, rest, path) => {
    const document = {
      openapi: "3.1.0",
      info: {},
      paths: { "/a/{p}": { get: { parameters: [{ name: "p", in: "path", required: true, ...rest }] } } },
    };
    expect((await received(document)).path).toBe(path);
  });

  it("parameters of headers and cookies are sent", async () => {
    const { headers } = await received(
      get(
        "/a",
        { name: "X-Tenant", in: "header", required: true, schema: { type: "string", default: "acme" } },
        { name: "sid", in: "cookie", required: true, schema: { type: "string", example: "a b" } },
        { name: "theme", in: "cookie", required: true, schema: { enum: ["dark"] } },
      ),
    );
    expect(headers).toMatchObject({ "x-tenant": "acme", cookie: "sid=a%20b; theme=dark" });
  });

  it("parameters that are optional are sent when all are wanted, and only then", async () => {
    const document = get(
      "/a",
      { name: "q", in: "query", schema: { type: "string", pattern: "^[a-z]{3}$" } },
      { name: "X-Trace", in: "header", schema: { type: "boolean" } },
      { name: "from", in: "query", schema: { type: "string", format: "date" } },
    );
    const few = await received(document);
    expect([few.query.toString(), few.headers["x-trace"]]).toEqual(["", undefined]);
    const all = await received(document, { parameters: "all" });
    expect([all.query.toString(), all.headers["x-trace"]]).toEqual(["q=aaa&from=2024-01-15", "true"]);
  });

  it("parameters of Swagger 2 are sent in their collection format", async () => {
    const parameter = (name: string, collectionFormat?: string) => ({
      name,
      in: "query",
      required: true,
      type: "array",
      items: { type: "integer", enum: [4] },
      minItems: 1,
      "x-example": [4, 5],
      ...(collectionFormat ? { collectionFormat } : {}),
    });
    const document = {
      swagger: "2.0",
      info: {},
      paths: {
        "/a": { get: { parameters: [parameter("c"), parameter("m", "multi"), parameter("p", "pipes")] } },
      },
    };
    expect((await received(document)).query.toString()).toBe("c=4%2C5&m=4&m=5&p=4%7C5");
  });
});

describe("bodies", { timeout: 30_000 }, () => {
  const schema = {
    type: "object",
    xml: { name: "Pet" },
    required: ["name"],
    properties: {
      id: { type: "integer", xml: { attribute: true } },
      name: { type: "string", example: "a & b" },
      tags: {
        type: "array",
        xml: { wrapped: true },
        items: { type: "string", example: "x", xml: { name: "tag" } },
      },
      photo: { type: "string", format: "binary" },
      created: { type: "string", readOnly: true },
    },
  };
  const post = (content: object): object =>
    apiDocument({ "/search": { post: { requestBody: { content } } } });
  async function bodyOf(content: object): Promise<{ type: string; body: string }> {
    const document = post(content);
    let sample: unknown;
    await inventoryOf(fakeApi({}), { document }, ({ operations: [operation] }) => {
      sample = operation!.facts.body?.sample;
      return Promise.resolve();
    });
    const { headers, body } = await received(document, { content: sample });
    return { type: headers["content-type"]!, body };
  }

  it("bodies are JSON, of the document's own type", async () => {
    const { type, body } = await bodyOf({ "application/vnd.pet+json": { schema } });
    expect(type).toBe("application/vnd.pet+json");
    expect(JSON.parse(body)).toEqual({ id: 1, name: "a & b", tags: ["x"], photo: "test" });
  });

  it("bodies are forms", async () => {
    const { type, body } = await bodyOf({ "application/x-www-form-urlencoded": { schema } });
    expect([type, body]).toEqual([
      "application/x-www-form-urlencoded",
      "id=1&name=a+%26+b&tags=x&photo=test",
    ]);
  });

  it("bodies are several parts, files by name", async () => {
    const { type, body } = await bodyOf({ "multipart/form-data": { schema } });
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    expect([form.get("id"), form.get("name")]).toEqual(["1", "a & b"]);
    expect(form.get("photo")).toMatchObject({ name: "test.txt", type: "text/plain" });
  });

  it("bodies are XML, as the document names its elements", async () => {
    const { type, body } = await bodyOf({ "application/xml": { schema } });
    expect(type).toBe("application/xml");
    expect(body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Pet id="1"><name>a &amp; b</name><tags><tag>x</tag></tags><photo>test</photo></Pet>',
    );
  });

  it("come from an example where there is no schema, be it text", async () => {
    const example = '{"username": "ada", "nested": {"n": 1}}';
    const document = post({ "application/json": { examples: { one: { value: example } } } });
    expect(JSON.parse((await bodyOf({ "application/json": { example } })).body)).toEqual(JSON.parse(example));
    const { operations } = await inventoryOf(fakeApi({}), { document });
    expect(operations[0]?.facts.body?.fields.map(({ path, type }) => `${path} ${type}`)).toEqual([
      "username string",
      "nested object",
      "nested.n integer",
    ]);
  });

  it("bodies of other examples and other alternatives are used for another attempt", async () => {
    const { operations } = await inventoryOf(fakeApi({}), {
      document: post({
        "application/json": {
          example: { a: 0 },
          schema: {
            oneOf: [{ properties: { b: { type: "integer" } } }, { properties: { c: { type: "boolean" } } }],
          },
        },
      }),
    });
    expect(operations[0]?.facts.body).toMatchObject({
      sample: { a: 0 },
      otherSamples: [{ b: 1 }, { c: true }],
    });
  });
});
