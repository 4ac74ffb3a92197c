import type { SecurityScheme } from "../inventory/api-document.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

/** The default authentication scheme where the API declares none. */
const BEARER: SecurityScheme = { name: "bearer", type: "http", scheme: "bearer", urls: [], flows: [] };

/**
 * The declared schemes that a secret alone can be presented in, one of each kind: OAuth and OpenID Connect are asked
 * with a bearer token as well. A bearer token where none is declared.
 */
export function presentableSchemes(declared: readonly SecurityScheme[] = []): readonly SecurityScheme[] {
  const bearer = declared.find(isBearer);
  const others = declared.filter((scheme) => scheme.type === "apiKey" || isBasic(scheme));
  const known = [...(bearer ? [bearer] : []), ...others];
  return known.length > 0 ? known : [BEARER];
}

/** True for schemes whose secret is a token in `Authorization: Bearer` (RFC 6750). */
export const isBearer = ({ type, scheme }: SecurityScheme): boolean =>
  type === "oauth2" || type === "openIdConnect" || (type === "http" && scheme?.toLowerCase() === "bearer");

const isBasic = ({ type, scheme }: SecurityScheme): boolean =>
  type === "http" && scheme?.toLowerCase() === "basic";

/** The request with the secret where the scheme wants it; for Basic (RFC 7617) it is both name and password. */
export function presenting(request: ProbeRequest, scheme: SecurityScheme, secret: string): ProbeRequest {
  if (isBasic(scheme)) return withHeader(request, "authorization", `Basic ${btoa(`${secret}:${secret}`)}`);
  if (scheme.type !== "apiKey") return withHeader(request, "authorization", `Bearer ${secret}`);

  const name = scheme.parameterName ?? "api_key";
  if (scheme.in === "cookie") return withHeader(request, "cookie", `${name}=${secret}`);
  if (scheme.in !== "query") return withHeader(request, name.toLowerCase(), secret);
  return withQuery(request, { [name]: secret });
}

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
