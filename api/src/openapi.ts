import { ERRORS, errorBodySchema, type ErrorCode } from "@glovebox/contract";
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { ROUTES, type Route } from "./routes.ts";
import { HEADERS, headerReferences } from "./openapi-headers.ts";

const PREFIX = "/v1";

/** What any request of an access can meet, beside its route's own errors. */
const COMMON_ERRORS: Record<Route["access"], readonly ErrorCode[]> = {
  uncounted: [],
  address: ["invalid_request", "rate_limit_exceeded", "internal"],
  key: ["invalid_request", "unauthorized", "forbidden", "rate_limit_exceeded", "internal", "unavailable"],
};

/** The OpenAPI 3.1 document of /v1, from the route table and the schemas that validate. The same at every call. */
export function buildOpenApiDocument(): ReturnType<typeof createDocument> {
  return createDocument(description(), { override: allowAdditions });
}

function description(): ZodOpenApiObject {
  return {
    openapi: "3.1.0",
    info: {
      title: "Glovebox",
      version: "1",
      description: `Scans HTTP APIs for security weaknesses from outside.\n\n${errorTable()}`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: PREFIX }],
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      headers: HEADERS,
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key: `gbx_…`" } },
    },
  };
}

/** /v1 only adds: a client that checks answers against the document must not stumble over a new field. */
const allowAdditions: NonNullable<CreateDocumentOptions["override"]> = ({ jsonSchema, io }) => {
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** Every error with its status and meaning, as a Markdown table. */
export function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| ${code} | ${status} | ${meaning} |`,
  );
  return ["| Code | Status | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const route of ROUTES.filter(({ hidden }) => !hidden)) {
    const path = route.path.slice(PREFIX.length);
    all[path] = { ...all[path], [route.method]: operation(route) };
  }
  return all;
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { operationId, summary, description, parameters, body, access, scope } = route;
  const scopeNote = scope ? `Needs the scope \`${scope}\`, where the key has scopes.` : undefined;
  return {
    operationId,
    summary,
    description: [description, scopeNote].filter(Boolean).join("\n\n"),
    ...(access === "key" ? {} : { security: [] }),
    ...(parameters ? { requestParams: parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: { [route.reply.status]: reply(route.reply), ...errorReplies(route) },
  };
}

function reply({ description, content, headers = [] }: Route["reply"]): ZodOpenApiResponseObject {
  return {
    description,
    headers: headerReferences(headers),
    ...(content ? { content: { [content.type]: content.schema ? { schema: content.schema } : {} } } : {}),
  };
}

function errorReplies({ errors, access }: Route): Record<string, ZodOpenApiResponseObject> {
  const codes = [...new Set([...errors, ...COMMON_ERRORS[access]])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorReply(codes.filter((code) => ERRORS[code].status === status)),
    ]),
  );
}

function errorReply(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const retry = codes.includes("rate_limit_exceeded") || codes.includes("unavailable");
  const scanEnded = codes.includes("scan_failed");
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join("\n\n"),
    headers: headerReferences([
      ...(retry ? ["Retry-After" as const] : []),
      ...(scanEnded ? (["Location", "Preference-Applied"] as const) : []),
    ]),
    content: { "application/json": { schema: errorBodySchema } },
  };
}
