/** A small OpenAPI 3.1 document for tests: `apiDocument({ "/users/{id}": { get: {} } })`. Path parameters are filled in. */
export function apiDocument(paths: Readonly<Record<string, object>>, rest: object = {}): object {
  return {
    openapi: "3.1.0",
    info: { title: "Test API", version: "1" },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, { parameters: pathParameters(path), ...item }]),
    ),
    ...rest,
  };
}

/** Security of one required bearer token, for `apiDocument`'s second parameter. */
export const BEARER = {
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
};

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: /id$/i.test(name!) ? "integer" : "string" },
  }));
