import * as z from "zod";

/** Every error that the API can return: the tables of the specification and of docs/decisions.md, "Errors". */
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
    meaning: "The path does not support this method; Allow lists the supported methods.",
  },
  idempotency_conflict: {
    status: 409,
    meaning: "The Idempotency-Key was used within 24 hours with a different body.",
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
    meaning: "An internal error; the message contains the request id and nothing else.",
  },
  unavailable: {
    status: 503,
    meaning: "A dependency of the service is unavailable; Retry-After says when to try again.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** What an `ApiError` may have beside its code and its problem. */
export interface ApiErrorDetails extends ErrorOptions {
  /** The field, header or parameter of the request that is at fault. */
  readonly field?: string | undefined;
  /** Of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An expected failure, thrown anywhere in the service and returned with the status of its code. The message is the problem,
 * behind the name of the field where there is one.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly problem: string;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, problem: string, { field, headers = {}, ...options }: ApiErrorDetails = {}) {
    super(field === undefined ? problem : `${field}: ${problem}`, options);
    this.code = code;
    this.problem = problem;
    this.field = field;
    this.headers = headers;
  }
}

/** The body of every error (docs/specification.md, "Errors"). */
export const errorBodySchema = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      field: z.string().optional().meta({
        description: "The field, header or parameter at fault, with which the message begins",
      }),
    }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof errorBodySchema>;
