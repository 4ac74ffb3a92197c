/**
 * An OpenAPI 3.0 document as large APIs publish them, as JSON: shared schemas that refer to each other, long
 * descriptions, and whole examples beside the schemas. At least `bytes` long.
 */
export function largeDocument({ operations, bytes }: { operations: number; bytes: number }): string {
  const text = JSON.stringify(documentOf(operations, 0));
  const share = Math.ceil((bytes - text.length) / operations / EXAMPLE_BYTES);
  return share <= 0 ? text : JSON.stringify(documentOf(operations, share));
}

/** Bytes of one example, as JSON. */
const EXAMPLE_BYTES = JSON.stringify(exampleOf(1_000)).length + 1;

function documentOf(operations: number, examples: number): object {
  const paths: Record<string, object> = {};
  for (let n = 0; n < operations; n += 4) {
    const thing = `things${n / 4}`;
    const methods = ["get", "post", "get", "delete"].map((method, index) => ({
      method,
      path: index < 2 ? `/${thing}` : `/${thing}/{thing_id}`,
      operation: operationOf({ name: `${method}-${thing}-${index}`, method, schema: n / 4, examples }),
    }));
    for (const { method, path, operation } of methods.slice(0, operations - n))
      paths[path] = { ...paths[path], [method]: operation };
  }
  const schemas = Object.fromEntries(Array.from({ length: SCHEMAS }, (_, n) => [`schema-${n}`, schemaOf(n)]));
  return { openapi: "3.0.3", info: { title: "Large API", version: "1" }, paths, components: { schemas } };
}

const SCHEMAS = 300;

function operationOf({
  name,
  method,
  schema,
  examples,
}: {
  name: string;
  method: string;
  schema: number;
  examples: number;
}): object {
  const content = (of: object): object => ({
    "application/json": {
      schema: of,
      examples: { default: { value: Array.from({ length: examples }, (_, n) => exampleOf(n)) } },
    },
  });
  const own = { $ref: `#/components/schemas/schema-${schema % SCHEMAS}` };
  return {
    operationId: name,
    summary: `Does ${name}`,
    description: `What ${name} does is told here at some length. `.repeat(8),
    tags: [`area-${schema % 20}`],
    parameters: ["page", "per_page", "sort", "since"].map((parameter) => ({
      name: parameter,
      in: "query",
      description: `The ${parameter} of the list`,
      schema: { type: parameter.includes("page") ? "integer" : "string" },
    })),
    ...(method === "post"
      ? { requestBody: { required: true, content: { "application/json": { schema: own } } } }
      : {}),
    responses: {
      200: { description: "Found", content: content({ type: "array", items: own }) },
      404: {
        description: "Not found",
        content: { "application/json": { schema: { $ref: "#/components/schemas/schema-0" } } },
      },
      422: {
        description: "Invalid",
        content: { "application/json": { schema: { $ref: "#/components/schemas/schema-1" } } },
      },
    },
  };
}

/** 25 own members, and three of other schemas. */
function schemaOf(n: number): object {
  const own = Array.from({ length: 25 }, (_, member) => [
    `member_${member}`,
    {
      type: ["string", "integer", "boolean"][member % 3],
      description: `Member ${member} of schema ${n}, with what there is to say of it`,
      ...(member % 5 === 0 ? { example: `value ${member}` } : {}),
    },
  ]);
  const others = [1, 2, 3].map((step) => [
    `other_${step}`,
    { $ref: `#/components/schemas/schema-${(n + step * 7) % SCHEMAS}` },
  ]);
  return { type: "object", required: ["member_0"], properties: Object.fromEntries([...own, ...others]) };
}

function exampleOf(n: number): object {
  return {
    id: 1_000_000 + n,
    node_id: `MDQ6VXNlcj${n}`,
    url: `https://api.example/things/${n}`,
    name: `Thing number ${n}`,
    description: "What this thing is, told in a sentence or two, as examples do.",
    private: false,
    score: n / 10,
    owner: { login: "somebody", id: n, site_admin: false, avatar: `https://api.example/images/${n}` },
  };
}
