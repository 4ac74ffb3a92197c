import { atPointer, isObject, walk } from "../json.ts";
import { lettersOf } from "../names.ts";

/** What a response to a sign-in, or to a refresh, brings. */
export interface Tokens {
  readonly access: string | undefined;
  readonly refresh: string | undefined;
  readonly expiresInSeconds: number | undefined;
}

interface TokenResponse {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/**
 * The tokens in a response: at the JSON pointer where one is given, else by the name of a member at any depth, by the form of a JSON
 * Web Token, as the whole body, or in a header. Pure.
 */
export function findTokens({ headers, json }: TokenResponse, pointer?: string): Tokens {
  const members = [...walk(json, { depth: 6, values: 500, items: 5 })].map(({ key, value }) => ({
    name: lettersOf(key),
    value,
  }));
  const texts = members.filter((member): member is { name: string; value: string } => isToken(member.value));
  const refresh = texts.find(({ name }) => REFRESH.test(name))?.value;
  const others = texts.filter(({ name }) => !NOT_ACCESS.test(name));
  const byName = ACCESS.map((names) => others.find(({ name }) => names.test(name))?.value).find(Boolean);
  const access =
    pointer === undefined
      ? (byName ??
        others.find(({ value }) => JWT.test(value))?.value ??
        (isToken(json) ? json : undefined) ??
        HEADERS.map((name) => headers[name]?.replace(/^bearer +/i, "")).find(isToken))
      : textOf(atPointer(json, pointer));
  const expires = members.find(({ name, value }) => EXPIRES_IN.test(name) && Number(value) > 0)?.value;
  return { access, refresh, expiresInSeconds: Number(expires) || lifetimeOf(access) };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** No sentence: what a server calls a token has no blanks. */
const isToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{8,16384}$/.test(value);

/** The most telling names first. */
const ACCESS = [
  /^(access|auth|bearer|jwt)(token|jwt)?$/,
  /^(token|idtoken|apitoken|usertoken|authtoken|authenticationtoken|jwttoken|authorization)$/,
  /^(session(token|id|key)?|sid|key|apikey|ticket|sessid)$/,
  /token$/,
];
const REFRESH = /refresh/;
const NOT_ACCESS = /refresh|csrf|xsrf|type$|expir|reset|verif|device|push/;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const EXPIRES_IN = /^(access|auth)?(token)?expiresin(seconds)?$/;
const HEADERS = ["authorization", "x-auth-token", "x-access-token", "x-session-token"];

/** The lifetime that a JSON Web Token states (RFC 7519, `exp` and `iat`), in seconds. */
function lifetimeOf(token: string | undefined): number | undefined {
  if (token === undefined || !JWT.test(token)) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString("utf8"));
    if (!isObject(claims) || typeof claims["exp"] !== "number" || typeof claims["iat"] !== "number")
      return undefined;
    return claims["exp"] > claims["iat"] ? claims["exp"] - claims["iat"] : undefined;
  } catch {
    return undefined;
  }
}
