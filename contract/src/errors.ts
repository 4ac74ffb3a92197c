import * as z from "zod";

/** Every error that the API can answer: the specification's table, and that of docs/decisions.md, "Errors". */
export const ERRORS = {
  invalid_url: {
    status: 400,
    meaning: "The url or specUrl is missing, malformed, not HTTPS, or refused by the egress policy.",
  },
  invalid_context: {
    status: 400,
    meaning: "The context is not one of financial, medical, public, internal.",
  },
  invalid_request: {
    status: 400,
    meaning: "The request is malformed: its JSON, a field, a query parameter or a header.",
  },
  unauthorized: { status: 401, meaning: "The API key is missing, malformed, unknown, expired or revoked." },
  forbidden: { status: 403, meaning: "The plan does not include the feature, or the key lacks the scope." },
  not_found: { status: 404, meaning: "No such path, or no such scan in this account." },
  method_not_allowed: {
    status: 405,
    meaning: "The path exists and does not take this method; Allow lists those it takes.",
  },
  idempotency_conflict: {
    status: 409,
    meaning: "The Idempotency-Key was used within 24 hours with another body.",
  },
  scan_not_completed: {
    status: 409,
    meaning: "The scan has no report: it is processing (Retry-After says when to ask again), or it failed.",
  },
  payload_too_large: { status: 413, meaning: "The body is larger than 64 KiB." },
  unsupported_media_type: { status: 415, meaning: "The body is not application/json in UTF-8." },
  rate_limit_exceeded: {
    status: 429,
    meaning: "A limit of the plan is reached; Retry-After says when to try again.",
  },
  scan_failed: { status: 500, meaning: "The scan could not complete; Location names the failed scan." },
  internal: {
    status: 500,
    meaning: "A fault of the service; the message carries the request id and nothing else.",
  },
  unavailable: {
    status: 503,
    meaning: "Something that the service depends on is down; Retry-After says when to try again.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** An expected failure, thrown anywhere in the service and answered with the status of its code. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    ...[headers = {}, options]: [headers?: Record<string, string>, options?: ErrorOptions]
  ) {
    super(message, options);
    this.code = code;
    this.headers = headers;
  }
}

/** The body of every error (docs/specification.md, "Errors"). */
export const errorBodySchema = z
  .object({ error: z.object({ code: z.enum(ERROR_CODES), message: z.string() }) })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof errorBodySchema>;
