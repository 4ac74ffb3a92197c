/**
 * The failure of a call to the Kubernetes API. The message names the call and the outcome only, without headers, body and address,
 * so it may be logged.
 */
export class KubeError extends Error {
  override readonly name = "KubeError";
  /** The HTTP status, or the `code` of a Status object; undefined when there was no response. */
  readonly code: number | undefined;
  /** The `reason` of the Status object, for example `AlreadyExists`. */
  readonly reason: string | undefined;
  /** How long the server asks to wait before the next try. */
  readonly retryAfterMs: number | undefined;
  // Private, so that it is not logged by accident.
  readonly #detail: string | undefined;

  constructor(call: string, outcome: KubeOutcome) {
    const { code, reason, cause } = outcome;
    const how = [code, reason].filter((part) => part !== undefined).join(" ");
    super(`${call}: ${how || "no response"}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.#detail = outcome.detail;
    this.retryAfterMs = outcome.retryAfterMs;
  }

  /** The server's message for people, in one line. It may quote the object: it is for the status, not for logs. */
  get detail(): string | undefined {
    return this.#detail;
  }
}

export interface KubeOutcome {
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The object is not there (404). */
export const isNotFound = (error: unknown): boolean => codeOf(error) === 404;

/** An object of that name exists (409 AlreadyExists): for objects with deterministic names this is success. */
export const isAlreadyExists = (error: unknown): boolean =>
  codeOf(error) === 409 && (error as KubeError).reason === "AlreadyExists";

/** The object was changed by someone else since it was read (409, anything but AlreadyExists): read it again. */
export const isConflict = (error: unknown): boolean => codeOf(error) === 409 && !isAlreadyExists(error);

/** The resource version or the continue token is too old (410): list again. */
export const isGone = (error: unknown): boolean => codeOf(error) === 410;

/** The same call may succeed later: no response, a timeout, throttling, or an unavailable server. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof KubeError &&
  (error.code === undefined ? error.reason !== UNEXPECTED : RETRYABLE.has(error.code));

/** How long the server asks to wait, if the error has a Retry-After. */
export const retryAfterMs = (error: unknown): number | undefined =>
  error instanceof KubeError ? error.retryAfterMs : undefined;

/** What may be logged of a failure: messages of other libraries may hold data. */
export function loggable(error: unknown): string {
  if (error instanceof KubeError) return error.message;
  return error instanceof Error ? error.name : "unknown";
}

/** Any failure of a call as a KubeError. `call` names the call, for example `create jobs`. */
export function toKubeError(call: string, error: unknown): KubeError {
  if (error instanceof KubeError) return error;
  return new KubeError(call, { reason: reasonWithoutResponse(error), cause: error });
}

/** The failure for a response with an HTTP status outside 200 to 299. */
export function statusError(call: string, code: number, response: KubeResponse): KubeError {
  const status = statusOf(response.body);
  return new KubeError(call, {
    code,
    reason: text(status?.reason),
    detail: oneLine(status?.message),
    retryAfterMs: headerRetryAfter(response.headers) ?? seconds(status?.details?.retryAfterSeconds),
  });
}

export interface KubeResponse {
  /** The body as text, or already read from JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const codeOf = (error: unknown): number | undefined => (error instanceof KubeError ? error.code : undefined);

/** The reason of a failure that is neither the server's nor the network's. */
const UNEXPECTED = "Unexpected";

function reasonWithoutResponse(error: unknown): string | undefined {
  if (!(error instanceof Error)) return UNEXPECTED;
  if (error.name === "TimeoutError") return "Timeout";
  if (error.name === "AbortError") return "Aborted";
  // Errors of sockets have a code, as text; so have errors of streams that were cut off.
  return "code" in error && typeof error.code === "string" ? undefined : UNEXPECTED;
}

function statusOf(body: unknown):
  | {
      readonly reason?: unknown;
      readonly message?: unknown;
      readonly details?: { readonly retryAfterSeconds?: unknown };
    }
  | undefined {
  if (typeof body !== "string") return typeof body === "object" && body !== null ? body : undefined;
  try {
    return statusOf(JSON.parse(body) as object);
  } catch {
    return undefined;
  }
}

function headerRetryAfter(headers: KubeResponse["headers"]): number | undefined {
  const value = headers["retry-after"];
  return typeof value === "string" && /^\d{1,5}$/.test(value) ? seconds(Number(value)) : undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && /^\w{1,64}$/.test(value) ? value : undefined;

const MAX_DETAIL_LENGTH = 400;

const oneLine = (value: unknown): string | undefined =>
  typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim().slice(0, MAX_DETAIL_LENGTH) : undefined;

const seconds = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 ? value * 1000 : undefined;
