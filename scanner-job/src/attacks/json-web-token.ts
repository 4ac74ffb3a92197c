/** A JSON Web Token (RFC 7519) of the given header and claims; the signature is taken as it is. */
export function jsonWebToken(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  signature: string = "",
): string {
  return `${encoded({ typ: "JWT", ...header })}.${encoded(claims)}.${signature}`;
}

/** Claims that satisfy most verifiers but for the signature; valid until 2100, as no clock is asked. */
export const plausibleClaims = (subject: string): Readonly<Record<string, unknown>> => ({
  sub: subject,
  exp: 4_102_444_800,
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
