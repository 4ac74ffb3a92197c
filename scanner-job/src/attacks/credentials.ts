import type { ApiDocument, SecurityScheme } from "../inventory/api-document.ts";
import type { Operation } from "../inventory/operation.ts";
import { optional } from "../json.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";

/** The location of a credential in a request. */
export interface Carrier {
  /** Of the scheme in the document, or of the header. */
  readonly name: string;
  readonly in: "header" | "query" | "cookie";
  /** Name of the header in lower case, of the query parameter or of the cookie. */
  readonly parameter: string;
  /** The authentication scheme before the credential (RFC 9110, section 11.4); none for the bare credential. */
  readonly scheme?: string;
}

/**
 * Where a credential may be presented to the operation: header parameters that by their name carry one, then the declared
 * schemes. `Authorization: Bearer`, and `Authorization` without a scheme, where the document declares none.
 */
export function carriersFor({ facts }: Operation, document: ApiDocument | undefined): readonly Carrier[] {
  const named = facts.parameters
    .filter(({ in: location, name }) => location === "header" && TOKEN_HEADER.test(name))
    .flatMap(({ name }) => inHeader(name));
  return distinct([...named, ...carriersOf(document?.securitySchemes)]);
}

/**
 * Where the declared schemes take a secret alone, one of each kind: OAuth and OpenID Connect take a bearer token as well.
 * A key in `Authorization` is presented after `Bearer` and the schemes that the document names for it, and bare: OpenAPI 2.0
 * has no other way to declare a bearer token.
 * @internal
 */
export function carriersOf(declared: readonly SecurityScheme[] = []): readonly Carrier[] {
  const bearer = declared.filter(isBearer).slice(0, 1);
  const others = declared.filter((scheme) => !isBearer(scheme));
  const known = distinct([...bearer, ...others].flatMap(carriersOfScheme));
  return known.length > 0 ? known : [inAuthorization("bearer", "Bearer"), inAuthorization("Authorization")];
}

/** Where the challenge of a refusal (`WWW-Authenticate`) asks for a secret alone. */
export const challengedCarriers = ({ headers }: Pick<ProbeResponse, "headers">): readonly Carrier[] =>
  [...(headers["www-authenticate"] ?? "").matchAll(CHALLENGE)]
    .map(([, scheme = ""]) => scheme)
    .filter((scheme) => !NEEDS_MORE.test(scheme))
    .map((scheme) => inAuthorization(`${scheme} of the challenge`, scheme));

/** The carriers, without those that present a credential like one before them. */
export const distinct = (carriers: readonly Carrier[]): readonly Carrier[] => {
  const keyOf = ({ in: location, parameter, scheme = "" }: Carrier): string =>
    [location, parameter, scheme.toLowerCase()].join(" ");
  return [
    ...new Map(carriers.toReversed().map((carrier) => [keyOf(carrier), carrier])).values(),
  ].toReversed();
};

function carriersOfScheme(scheme: SecurityScheme): readonly Carrier[] {
  const { name, type, in: location, parameterName = "api_key", authenticationSchemes = [] } = scheme;
  if (isBearer(scheme)) return [inAuthorization(name, "Bearer")];
  if (type === "http") {
    const { scheme: own = "" } = scheme;
    return own === "" || NEEDS_MORE.test(own)
      ? []
      : [inAuthorization(name, isBasicName(own) ? "Basic" : own)];
  }
  if (type !== "apiKey") return [];
  if (location === "query" || location === "cookie")
    return [{ name, in: location, parameter: parameterName }];
  return inHeader(parameterName, name, authenticationSchemes);
}

/** `Authorization` may want the name of a scheme in front; other headers take the credential as it is. */
function inHeader(
  header: string,
  name: string = header,
  schemes: readonly string[] = [],
): readonly Carrier[] {
  const parameter = header.toLowerCase();
  if (parameter !== "authorization") return [{ name, in: "header", parameter }];
  return [...[...schemes, "Bearer"].map((scheme) => inAuthorization(name, scheme)), inAuthorization(name)];
}

const inAuthorization = (name: string, scheme?: string): Carrier => ({
  name,
  in: "header",
  parameter: "authorization",
  ...optional("scheme", scheme),
});

/** True for schemes whose secret is a token in `Authorization: Bearer` (RFC 6750). */
const isBearer = ({ type, scheme }: SecurityScheme): boolean =>
  type === "oauth2" || type === "openIdConnect" || (type === "http" && scheme?.toLowerCase() === "bearer");

const isBasicName = (scheme: string): boolean => scheme.toLowerCase() === "basic";

/** True for carriers of a name and a password (RFC 7617). */
export const isBasic = ({ scheme }: Carrier): boolean => scheme !== undefined && isBasicName(scheme);

/** The request with the secret where the carrier has it; for Basic it is both name and password. */
export function presenting(request: ProbeRequest, carrier: Carrier, secret: string): ProbeRequest {
  const { in: location, parameter, scheme } = carrier;
  if (location === "query") return withQuery(request, { [parameter]: secret });
  if (location === "cookie") return withHeader(request, "cookie", `${parameter}=${secret}`);
  const credential = isBasic(carrier) ? btoa(`${secret}:${secret}`) : secret;
  return withHeader(request, parameter, scheme === undefined ? credential : `${scheme} ${credential}`);
}

/** Where the credential stands, for a sentence. */
export function locationOf({ in: location, parameter, scheme }: Carrier): string {
  if (location !== "header")
    return `the ${location === "query" ? "query parameter" : "cookie"} \`${parameter}\``;
  return `the header \`${parameter}\`${scheme === undefined ? "" : ` after \`${scheme}\``}`;
}

const TOKEN_HEADER =
  /^(authorization|x-?(access|auth|session)?-?(token|jwt|authorization)|token|auth|access-token|x-jwt-assertion)$/i;

/** The scheme at the start of each challenge: what follows is a parameter, another challenge, or nothing. */
const CHALLENGE = /(?:^|,)\s*([a-z][\w-]{0,40})(?=\s+[\w-]+\s*=|\s*(?:,|$))/gi;

/** Schemes whose credential is computed from a challenge or a key. */
const NEEDS_MORE =
  /^(digest|negotiate|ntlm|kerberos|mutual|hoba|scram-.*|hawk|dpop|gnap|signature|aws4-.*)$/i;

/** The request with one header more, or another value for it; `name` in lower case. */
export const withHeader = (request: ProbeRequest, name: string, value: string): ProbeRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

/** The request with these parameters in the query, or other values for them. */
export function withQuery(request: ProbeRequest, values: Readonly<Record<string, string>>): ProbeRequest {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return { ...request, url: url.href };
}
