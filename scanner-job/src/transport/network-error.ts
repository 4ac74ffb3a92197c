import type { ScanFailureCode } from "@glovebox/contract";

export type NetworkErrorKind =
  | "not_resolved"
  | "refused"
  | "timeout"
  | "tls"
  | "reset"
  | "cut"
  | "crash"
  | "protocol"
  | "out_of_scope"
  | "budget"
  | "operation_budget"
  | "write_refused"
  | "not_selected"
  | "deadline";

/** A request without a response. Never a pass: its check is inconclusive. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly kind: NetworkErrorKind;

  constructor(kind: NetworkErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The failure code of a scan whose first request fails like this. */
export const FAILURE_OF: Record<NetworkErrorKind, ScanFailureCode> = {
  not_resolved: "name_not_resolved",
  refused: "connection_refused",
  timeout: "target_timeout",
  tls: "tls_failure",
  reset: "connection_refused",
  cut: "connection_refused",
  crash: "target_unavailable",
  protocol: "target_errors",
  out_of_scope: "egress_refused",
  budget: "deadline_exceeded",
  operation_budget: "deadline_exceeded",
  write_refused: "target_errors",
  not_selected: "nothing_tested",
  deadline: "deadline_exceeded",
};

/** The target closed the connection or took none: it may be restarting. */
export const isLost = (error: unknown): boolean =>
  error instanceof NetworkError && (error.kind === "reset" || error.kind === "refused");

/** The error of this kind, in its default words. */
export const networkError = (kind: NetworkErrorKind, cause?: unknown): NetworkError =>
  new NetworkError(kind, DESCRIPTION[kind], { cause });

/** Maps errors of undici and Node to the kinds above. */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error;
  const code = codeOf(error);
  const kind = KIND_OF_CODE[code] ?? kindByShape(code);
  return new NetworkError(kind, `${DESCRIPTION[kind]}${code ? ` (${code})` : ""}`, { cause: error });
}

const KIND_OF_CODE: Record<string, NetworkErrorKind> = {
  ENOTFOUND: "not_resolved",
  EAI_AGAIN: "not_resolved",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  UND_ERR_INFO: "reset", // a stream of HTTP/2 that ended without a response
  ERR_HTTP2_STREAM_ERROR: "reset",
  ERR_HTTP2_STREAM_CANCEL: "reset",
  ETIMEDOUT: "timeout",
  TimeoutError: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  EPROTO: "tls",
  AbortError: "deadline",
  UND_ERR_ABORTED: "deadline",
};

const DESCRIPTION: Record<NetworkErrorKind, string> = {
  not_resolved: "The name could not be resolved",
  refused: "The connection was refused",
  timeout: "No response in time",
  tls: "The TLS handshake failed",
  reset: "The connection was cut",
  cut: "The connection was closed at this request, also when it was sent alone, while others got a response",
  crash: "The target had crashed at this request or at one like it",
  protocol: "The response was not valid HTTP",
  out_of_scope: "The address is outside the scan's scope",
  budget: "The scan reached its request limit",
  operation_budget: "The operation reached its request limit",
  write_refused: "The request could have been stored",
  not_selected: "Not sent: `include` or `exclude` leaves out the operation that it would call",
  deadline: "The scan reached its time limit",
};

const kindByShape = (code: string): NetworkErrorKind =>
  /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED)/.test(code) ? "tls" : "protocol";

/** The error code of undici, Node or OpenSSL, of the error or its cause; empty for none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause ? codeOf(error.cause) : error.name === "Error" ? "" : error.name;
}

/** The response; undefined on a network error. For optional requests: a check that needs the response must receive the error. */
export async function responseOrNothing<Request, Response>(
  send: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Response | undefined> {
  try {
    return await send(request);
  } catch (error) {
    if (error instanceof NetworkError) return undefined;
    throw error;
  }
}
