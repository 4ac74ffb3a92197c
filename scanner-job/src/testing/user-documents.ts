import type { DocumentSource } from "../inventory/api-document.ts";

/** The same API, written down in every version of the format; for tests. */

export const SOURCE: DocumentSource = {
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

/** As the version is written, and as it is read. */
export const DOCUMENTS: [string, string, unknown][] = [
  ["2.0", "2.0", V2],
  ["3.0.3", "3.0", V3("3.0.3", { type: "string", nullable: true })],
  ["3.1.0", "3.1", V3("3.1.0", { type: ["null", "string"] })],
  ["3.2.0", "3.2", V3("3.2.0", { anyOf: [{ type: "null" }, { type: "string" }] })],
];
