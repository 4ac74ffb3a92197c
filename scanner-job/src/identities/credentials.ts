import type { Identity } from "@glovebox/contract";
import { isUserName } from "../inventory/sign-in.ts";
import { walk } from "../json.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

/** What is added to a request to send it as somebody. */
export interface Credentials {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The credentials that an identity states, without those of a sign-in. */
export const statedCredentials = ({ headers = {}, cookies = {}, query = {} }: Identity): Credentials => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  cookies,
  query,
});

/** The request with credentials. What it has already, such as the header that a check forges, stays. Pure. */
export function withCredentials(
  request: ProbeRequest,
  { headers, cookies, query }: Credentials,
): ProbeRequest {
  const own = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { cookie: stated, ...others } = headers;
  const cookie = joinedCookies(own["cookie"], cookies, stated);
  return {
    ...request,
    url: withQuery(request.url, query),
    ...(request.rawPath !== undefined && { rawPath: withRawQuery(request.rawPath, query) }),
    headers: { ...others, ...own, ...(cookie === "" ? {} : { cookie }) },
  };
}

function joinedCookies(
  own: string | undefined,
  cookies: Credentials["cookies"],
  stated: string | undefined,
): string {
  const isNew = (pair: string): boolean =>
    !(own ?? "").split("; ").some((each) => each.split("=")[0] === pair.split("=")[0]);
  const given = [
    ...(stated?.split(/; */) ?? []),
    ...Object.entries(cookies).map(([name, value]) => `${name}=${value}`),
  ];
  return [...(own === undefined ? [] : [own]), ...given.filter(isNew)].join("; ");
}

function withQuery(url: string, query: Credentials["query"]): string {
  const names = Object.keys(query);
  if (names.length === 0) return url;
  const { searchParams } = new URL(url);
  return names.reduce(
    (text, name) => (searchParams.has(name) ? text : withRawQuery(text, { [name]: query[name]! })),
    url,
  );
}

function withRawQuery(path: string, query: Credentials["query"]): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** Headers that select, and are no secret: their values are common words and names. */
const NOT_SECRET =
  /^(accept(-.*)?|user-agent|origin|referer|x-(requested-with|api-version|client|device)(-.*)?|.*(tenant|org|organi[sz]ation|workspace|company|project|region|locale)(-?(id|name|key))?)$/i;

/** The values of an identity that must not be shown: all but user names, and what only selects a tenant. */
export function secretsOf(identity: Identity): string[] {
  const { headers = {}, cookies = {}, query = {}, login } = identity;
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    NOT_SECRET.test(name) ? [] : [value, ...partsOf(name, value)],
  );
  const inBody = [...walk(login?.body ?? login?.form ?? {}, { depth: 6, values: 200 })].flatMap(
    ({ key, value }) =>
      (typeof value === "string" || typeof value === "number") &&
      !isUserName(key) &&
      !NO_SECRET_MEMBER.test(key)
        ? [String(value)]
        : [],
  );
  return [...inHeaders, ...Object.values(cookies), ...Object.values(query), ...inBody];
}

const NO_SECRET_MEMBER =
  /^(grant_?type|scope|audience|realm|provider|tenant(_?id)?|remember(_?me)?|connection|locale)$/i;

/** The credential behind a scheme (RFC 9110, section 11.4); of `Basic` the password (RFC 7617); of `Cookie` each value. */
function partsOf(name: string, value: string): string[] {
  if (name.toLowerCase() === "cookie")
    return [...value.matchAll(/(?:^|; *)[^=; ]+=([^;]+)/g)].map(([, cookie = ""]) => cookie);
  const [, scheme = "", credential = ""] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  if (scheme.toLowerCase() === "basic") {
    const [, ...password] = Buffer.from(credential, "base64").toString("utf8").split(":");
    return [credential, password.join(":")];
  }
  return credential === "" ? [] : [credential];
}
