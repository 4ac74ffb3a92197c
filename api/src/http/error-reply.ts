import { ApiError, ERRORS, type ErrorBody, type ErrorCode } from "@glovebox/contract";
import { StoreUnavailable, StoreUnusable } from "@glovebox/store";
import type { Reply } from "./respond.ts";

const RETRY_AFTER_SECONDS = "5";

/** The response to an error. Of an unexpected one it has the request id and nothing else. */
export function errorReply(error: unknown, requestId: string): Reply {
  const { code, message, headers } = asApiError(error, requestId);
  return { status: ERRORS[code].status, headers, body: errorJson(code, message) };
}

/** True for errors that no table foresees, and for a database that an operator has to repair: both are logged as faults. */
export const isUnexpected = (error: unknown): boolean =>
  error instanceof StoreUnusable ||
  !(error instanceof ApiError || error instanceof StoreUnavailable || isUndecodablePath(error));

export function errorJson(code: ErrorCode, message: string): string {
  const body: ErrorBody = { error: { code, message } };
  return JSON.stringify(body);
}

function asApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable)
    return new ApiError("unavailable", "The database is not available; try again shortly.", {
      "Retry-After": RETRY_AFTER_SECONDS,
    });
  if (isUndecodablePath(error)) return new ApiError("not_found", "No such path.");
  return new ApiError("internal", `The service failed; the request id is ${requestId}.`);
}

// Express refuses a path parameter with a malformed percent-encoding in this way.
const isUndecodablePath = (error: unknown): boolean =>
  error instanceof URIError && (error as { status?: unknown }).status === 400;
