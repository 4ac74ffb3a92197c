/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1; the scheme's case does not matter,
 * RFC 9110, section 11.1). Undefined when the header is missing or of another form.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (!authorization) return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
}
