import type { ErrorCode, Scope } from "@glovebox/contract";
import { scanListSchema, scanSchema } from "@glovebox/contract";
import type * as z from "zod";
import type { Access } from "./http/admission.ts";
import { strictScanRequestSchema } from "./scans/scan-request.ts";
import { idempotencyKeyHeader, listQuery, preferHeader, scanPathParameters } from "./route-parameters.ts";

/** One operation: what Express binds, what the OpenAPI document shows, and what 405 and Allow are made from. */
export interface Route {
  readonly operationId: OperationId;
  readonly method: "get" | "post" | "delete";
  /** OpenAPI path template, from the root. */
  readonly path: string;
  readonly access: Access;
  readonly scope?: Scope;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: { path?: z.ZodObject; query?: z.ZodObject; header?: z.ZodObject };
  readonly body?: z.ZodType;
  readonly reply: RouteReply;
  /** Those of this route; what any request can meet is added by its access. */
  readonly errors: readonly ErrorCode[];
  /** Left out of the document: not part of the interface. */
  readonly hidden?: true;
}

export interface RouteReply {
  readonly status: 200 | 204;
  readonly description: string;
  readonly content?: { readonly type: string; readonly schema?: z.ZodType };
  readonly headers?: readonly ("Location" | "Retry-After" | "Preference-Applied")[];
}

export type OperationId =
  | "submitScan"
  | "getScan"
  | "streamScanEvents"
  | "deleteScan"
  | "listScans"
  | "getOpenApiDocument"
  | "getDocs"
  | "getDocsAsset"
  | "getHealth"
  | "getReadiness"
  | "getMetrics";

const scanReply: RouteReply = {
  status: 200,
  description: "The scan. While it is processing, Location and Retry-After say where and when to look again.",
  content: { type: "application/json", schema: scanSchema },
  headers: ["Location", "Retry-After", "Preference-Applied"],
};

export const ROUTES: readonly Route[] = [
  {
    operationId: "submitScan",
    method: "post",
    path: "/v1/scan",
    access: "key",
    scope: "scans:write",
    summary: "Submit a URL for scanning",
    description:
      "Held until the scan ends, for at most the service's own wait or that of Prefer. A client that hangs up does " +
      "not stop its scan. Unknown fields are refused.",
    parameters: { header: preferHeader.extend(idempotencyKeyHeader.shape) },
    body: strictScanRequestSchema,
    reply: scanReply,
    errors: [
      "invalid_url",
      "invalid_context",
      "invalid_request",
      "idempotency_conflict",
      "payload_too_large",
      "unsupported_media_type",
      "scan_failed",
    ],
  },
  {
    operationId: "getScan",
    method: "get",
    path: "/v1/scan/{id}",
    access: "key",
    scope: "scans:read",
    summary: "Get a scan",
    description: "With `Prefer: wait=N` the request is held until the scan ends, for at most N seconds.",
    parameters: { path: scanPathParameters, header: preferHeader },
    reply: scanReply,
    errors: ["not_found"],
  },
  {
    operationId: "streamScanEvents",
    method: "get",
    path: "/v1/scan/{id}/events",
    access: "key",
    scope: "scans:read",
    summary: "Follow a scan",
    description:
      "Server-sent events: `progress` with {category, done, planned, total: {done, planned}}, then one `completed` " +
      "or `failed` with the scan, then the end of the stream. Comments keep the connection alive.",
    parameters: { path: scanPathParameters },
    reply: { status: 200, description: "The event stream.", content: { type: "text/event-stream" } },
    errors: ["not_found"],
  },
  {
    operationId: "deleteScan",
    method: "delete",
    path: "/v1/scan/{id}",
    access: "key",
    scope: "scans:write",
    summary: "Cancel or erase a scan",
    description: "A processing scan becomes failed, with the error code `cancelled`; an ended one is erased.",
    parameters: { path: scanPathParameters },
    reply: { status: 204, description: "Cancelled or erased." },
    errors: ["not_found"],
  },
  {
    operationId: "listScans",
    method: "get",
    path: "/v1/scans",
    access: "key",
    scope: "scans:read",
    summary: "List the account's scans, newest first",
    parameters: { query: listQuery },
    reply: {
      status: 200,
      description: "A page of scans.",
      content: { type: "application/json", schema: scanListSchema },
    },
    errors: ["invalid_request"],
  },
  {
    operationId: "getOpenApiDocument",
    method: "get",
    path: "/v1/openapi.json",
    access: "address",
    summary: "Get this document",
    reply: { status: 200, description: "An OpenAPI 3.1 document.", content: { type: "application/json" } },
    errors: [],
  },
  {
    operationId: "getDocs",
    method: "get",
    path: "/v1/docs",
    access: "address",
    summary: "Read this document in a browser",
    reply: { status: 200, description: "A page.", content: { type: "text/html" } },
    errors: [],
  },
  internal("getDocsAsset", "/v1/docs/{file}", "address"),
  internal("getHealth", "/healthz", "uncounted"),
  internal("getReadiness", "/readyz", "uncounted"),
  internal("getMetrics", "/metrics", "uncounted"),
];

function internal(operationId: OperationId, path: string, access: Access): Route {
  const reply: RouteReply = { status: 200, description: "" };
  return { operationId, method: "get", path, access, summary: "", reply, errors: [], hidden: true };
}
