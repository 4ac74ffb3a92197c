import type { Login } from "@glovebox/contract";
import { atPointer, isObject } from "../json.ts";
import { ACCEPT_JSON, type ProbeRequest } from "../transport/exchange.ts";

/** The addresses that `POST /session` may mean: below the base of the API, then from the root of the host. Pure. */
export function addressesOf(operation: string, target: URL): string[] {
  const path = operation.slice(operation.indexOf(" ") + 1);
  const base = target.pathname.replace(/\/+$/, "");
  return [...new Set([target.origin + base + path, target.origin + path])];
}

/** The request that signs in at this address. Pure. */
export function signInRequest({ operation, body, form }: Login, url: string): ProbeRequest {
  const content = form === undefined ? jsonContent(body) : formContent(form);
  return requestOf(operation, url, content);
}

/** The request for a new token: texts that are JSON pointers are replaced by what the last response has there. Pure. */
export const refreshRequest = (
  { operation, body }: NonNullable<Login["refresh"]>,
  url: string,
  last: unknown,
): ProbeRequest => requestOf(operation, url, jsonContent(withValues(body, last)));

/** The same with tokens that cannot be right. Pure. */
export const invalidRefresh = (
  { operation, body }: NonNullable<Login["refresh"]>,
  url: string,
): ProbeRequest => requestOf(operation, url, jsonContent(withTexts(body, () => "glovebox-no-such-token")));

/** A request whose JSON has pointers, with the values of the last response. Pure. */
export function filledIn(request: ProbeRequest, last: unknown): ProbeRequest {
  if (request.body === undefined || last === undefined) return request;
  try {
    return { ...request, body: JSON.stringify(withValues(JSON.parse(request.body), last)) };
  } catch {
    return request;
  }
}

type Content = { readonly body: string; readonly contentType: string } | undefined;

const requestOf = (operation: string, url: string, content: Content): ProbeRequest => ({
  method: operation.slice(0, operation.indexOf(" ")),
  url,
  headers: { accept: ACCEPT_JSON, ...(content && { "content-type": content.contentType }) },
  ...(content && { body: content.body }),
  form: { kind: "identity" },
});

const jsonContent = (body: unknown): Content =>
  body === undefined ? undefined : { body: JSON.stringify(body), contentType: "application/json" };

const formContent = (form: Readonly<Record<string, string>>): Content => ({
  body: new URLSearchParams(form).toString(),
  contentType: "application/x-www-form-urlencoded",
});

/** A pointer that leads nowhere stays as it is: it may be a text that begins with a slash. */
const withValues = (body: unknown, last: unknown): unknown =>
  withTexts(body, (pointer) => atPointer(last, pointer) ?? pointer);

/** The body with other values in place of its JSON pointers. */
function withTexts(body: unknown, valueOf: (pointer: string) => unknown): unknown {
  if (typeof body === "string" && body.startsWith("/")) return valueOf(body);
  if (Array.isArray(body)) return body.map((each) => withTexts(each, valueOf));
  if (!isObject(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, withTexts(value, valueOf)]));
}
