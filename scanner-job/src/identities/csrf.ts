import { isSafe, type ProbeRequest } from "../transport/exchange.ts";
import { isObject } from "../json.ts";
import { percentDecoded } from "../names.ts";
import { parsedCookies } from "./cookies.ts";

/** A token against cross-site request forgery, and where the API expects it. */
export interface CsrfToken {
  readonly value: string;
  /** In lower case. */
  readonly header: string;
  /** The field of a URL-encoded form. */
  readonly field: string;
}

interface CsrfResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mediaType: string;
  readonly json: unknown;
}

const HEADER = "x-csrf-token";
const FIELD = "_csrf";

/** The token that a response brings: in a header, a cookie for scripts, a member of JSON, or a page. Pure. */
export function csrfTokenIn({ headers, body, mediaType, json }: CsrfResponse): CsrfToken | undefined {
  for (const name of RESPONSE_HEADERS)
    if (isToken(headers[name])) return { value: headers[name], header: name, field: FIELD };
  const cookie = parsedCookies(headers["set-cookie"]).find(
    ({ name, isDeleted }) => isCsrfCookie(name) && !isDeleted,
  );
  if (cookie) return { value: percentDecoded(cookie.value), ...expectedFor(cookie.name) };
  if (isObject(json)) {
    const [name, value] = Object.entries(json).find(([key]) => MEMBER.test(key)) ?? [];
    return name !== undefined && isToken(value) ? { value, header: HEADER, field: name } : undefined;
  }
  return mediaType === "text/html" ? inPage(body) : undefined;
}

/** The request with the token, where its method may write and it has none. Pure. */
export function withCsrfToken(request: ProbeRequest, { value, header, field }: CsrfToken): ProbeRequest {
  const { headers = {}, body } = request;
  if (isSafe(request) || Object.keys(headers).some((name) => name.toLowerCase() === header)) return request;
  const sent = { ...request, headers: { ...headers, [header]: value } };
  if (body === undefined || !isForm(headers) || new URLSearchParams(body).has(field)) return sent;
  return {
    ...sent,
    body: `${body}${body === "" ? "" : "&"}${new URLSearchParams({ [field]: value }).toString()}`,
  };
}

const isForm = (headers: Readonly<Record<string, string>>): boolean =>
  Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.includes("x-www-form-urlencoded"),
  );

const RESPONSE_HEADERS = ["x-csrf-token", "x-xsrf-token", "csrf-token", "x-csrftoken"];
export const isCsrfCookie = (name: string): boolean => COOKIE.test(name);
const COOKIE = /^_?(__host-|__secure-)?(x?[cx]srf[-_]?token|[cx]srf|x-?[cx]srf-?token|csrftoken)$/i;
const MEMBER = /^_?[cx]srf([-_]?token)?$/i;

/** The header that frameworks expect for the cookie of this name. */
function expectedFor(cookie: string): Pick<CsrfToken, "header" | "field"> {
  if (/^xsrf-token$/i.test(cookie)) return { header: "x-xsrf-token", field: FIELD };
  if (/^csrftoken$/i.test(cookie)) return { header: "x-csrftoken", field: "csrfmiddlewaretoken" };
  return { header: HEADER, field: FIELD };
}

/** The hidden field of a form, or the meta element, of a page. */
function inPage(body: string): CsrfToken | undefined {
  for (const [element] of body.slice(0, MAX_PAGE).matchAll(/<(?:meta|input)\b[^>]{0,1000}>/gi)) {
    const name = attributeOf(element, "name");
    const value = attributeOf(element, "value") ?? attributeOf(element, "content");
    if (name !== undefined && FIELDS.test(name) && isToken(value))
      return { value, header: HEADER, field: name };
  }
  return undefined;
}

const MAX_PAGE = 200_000;
const FIELDS =
  /^(_?[cx]srf([-_]?token)?|csrfmiddlewaretoken|authenticity_token|__requestverificationtoken|_token)$/i;

const attributeOf = (element: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
    .exec(element)
    ?.slice(1)
    .find((text) => text !== undefined);

const isToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{6,4096}$/.test(value);
