import { ERRORS, errorBodySchema, type ErrorCode } from "@glovebox/contract";
import {
  createDocument,
  type CreateDocumentOptions,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { jsonResponse, type HttpResponse } from "./http/respond.ts";
import { createRoute, type Operation, type ResponseDescription, type Route } from "./http/route.ts";

const PREFIX = "/v1";

/** The errors that each kind of access implies. */
const COMMON_ERRORS: Record<Operation["access"], readonly ErrorCode[]> = {
  probe: [],
  session: [], // not documented here
  public: ["invalid_request", "rate_limit_exceeded", "internal"],
  key: ["invalid_request", "unauthorized", "forbidden", "rate_limit_exceeded", "internal", "unavailable"],
};

/** The route of the OpenAPI document, which documents itself. */
export function openApiRoute(operations: () => readonly Operation[]): Route<unknown> {
  let cached: HttpResponse | undefined;
  return createRoute({
    operationId: "getOpenApiDocument",
    method: "get",
    path: `${PREFIX}/openapi.json`,
    access: "public",
    summary: "Get this document",
    response: {
      status: 200,
      description: "An OpenAPI 3.1 document.",
      content: { type: "application/json" },
    },
    handler: () => (cached ??= jsonResponse(openApiDocument(operations()))),
  });
}

/** The OpenAPI 3.1 document of /v1, from the schemas that parse requests. The same at every call. */
export function openApiDocument(operations: readonly Operation[]): ReturnType<typeof createDocument> {
  return createDocument(openApiObject(operations), { override: allowAdditions });
}

function openApiObject(operations: readonly Operation[]): ZodOpenApiObject {
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
    paths: paths(operations),
    components: {
      headers: HEADERS,
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "An API key: `gbx_…`" } },
    },
  };
}

/** `/v1` only adds: clients that validate responses by the document must accept new fields. */
const allowAdditions: NonNullable<CreateDocumentOptions["override"]> = ({ jsonSchema, io }) => {
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** Every error with its status and meaning, as a Markdown table. @internal */
export function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| ${code} | ${status} | ${meaning} |`,
  );
  return ["| Code | Status | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function paths(operations: readonly Operation[]): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    if (!operation.response) continue;
    const path = operation.path.slice(PREFIX.length);
    all[path] = { ...all[path], [operation.method]: operationObject(operation, operation.response) };
  }
  return all;
}

function operationObject(operation: Operation, response: ResponseDescription): ZodOpenApiOperationObject {
  const { operationId, summary, description, params, query, headers, body, access, scope } = operation;
  const scopeNote = scope ? `Needs the scope \`${scope}\`, where the key has scopes.` : undefined;
  return {
    operationId,
    summary: summary!,
    description: [description, scopeNote].filter(Boolean).join("\n\n"),
    ...(access === "key" ? {} : { security: [] }),
    ...((params ?? query ?? headers) && { requestParams: requestParams(operation) }),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
    responses: { [response.status]: responseObject(response), ...errorResponses(operation) },
  };
}

const requestParams = ({ params, query, headers }: Operation): ZodOpenApiParameters => ({
  ...(params && { path: params }),
  ...(query && { query }),
  ...(headers && { header: headers }),
});

function responseObject({
  description,
  content,
  headers = [],
}: ResponseDescription): ZodOpenApiResponseObject {
  return {
    description,
    headers: headerReferences(headers),
    ...(content && { content: contentObject(content) }),
  };
}

function contentObject({ type, schema }: NonNullable<ResponseDescription["content"]>) {
  return Object.fromEntries([type].flat().map((each) => [each, schema ? { schema } : {}]));
}

function errorResponses({ errors = [], access }: Operation): Record<string, ZodOpenApiResponseObject> {
  const codes = [...new Set([...errors, ...COMMON_ERRORS[access]])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      errorResponse(codes.filter((code) => ERRORS[code].status === status)),
    ]),
  );
}

function errorResponse(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const retry = (["rate_limit_exceeded", "unavailable", "scan_not_completed"] as const).some((code) =>
    codes.includes(code),
  );
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

const integer = (description: string) => ({ description, schema: { type: "integer" as const } });
const text = (description: string) => ({ description, schema: { type: "string" as const } });

/** The document's header components. */
const HEADERS = {
  "X-RateLimit-Limit": integer("Requests allowed per minute"),
  "X-RateLimit-Remaining": integer("Requests remaining in the current window"),
  "X-RateLimit-Reset": integer("Unix time in seconds when the window resets"),
  "X-Request-Id": text("Identifies this request in the service's log"),
  Location: text("Path of the scan"),
  "Retry-After": integer("Seconds to wait before the next request"),
  "Preference-Applied": text("The preferences that were applied (RFC 7240)"),
  "Content-Disposition": text("`attachment`, and a file name (RFC 6266)"),
};

/** On every response (docs/specification.md, "Limits"; docs/decisions.md, "Errors"). */
const STANDARD = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"] as const;

/** References to the standard headers and to those named. */
function headerReferences(names: readonly (keyof typeof HEADERS)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...STANDARD, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
