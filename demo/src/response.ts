import type { Call, RouteResponse } from "./route.ts";

export function json(status: number, body: unknown, headers: RouteResponse["headers"] = {}): RouteResponse {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

export const ok = (body: unknown, headers: RouteResponse["headers"] = {}): RouteResponse =>
  json(200, body, headers);

export function text(status: number, type: string, body: string): RouteResponse {
  return { status, headers: { "content-type": type }, body };
}

export function empty(status: number, headers: RouteResponse["headers"] = {}): RouteResponse {
  return { status, headers, body: "" };
}

export function failure(status: number, code: string, message: string): RouteResponse {
  return json(status, { error: { code, message } });
}

export function unauthorized(): RouteResponse {
  return {
    ...failure(401, "unauthorized", "Sign in and send the session's token as a bearer token"),
    headers: { "content-type": "application/json", "www-authenticate": 'Bearer realm="larkfield"' },
  };
}

export const forbidden = (): RouteResponse => failure(403, "forbidden", "This account may not do that");
export const notFound = (): RouteResponse => failure(404, "not_found", "There is no such resource");
export const invalid = (message: string): RouteResponse => failure(400, "invalid_request", message);

/** The token of a bearer header, or undefined. */
export function bearer(call: Call): string | undefined {
  return /^bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1];
}

/**
 * The body as an object; empty if it is another JSON value.
 * @throws SyntaxError if it is not JSON
 */
export function objectIn(call: Call): Record<string, unknown> {
  const value: unknown = call.body === "" ? {} : JSON.parse(call.body);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
