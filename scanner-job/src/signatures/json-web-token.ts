import { isObject, type JsonObject } from "../json.ts";

/** A JSON Web Token (RFC 7519), not verified. */
export interface JsonWebToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

const MAX_LENGTH = 8_000;

/** The decoded token; undefined for every other text. */
export function jsonWebTokenOf(text: string): JsonWebToken | undefined {
  if (text.length > MAX_LENGTH || !text.startsWith("eyJ")) return undefined;
  const [header, claims] = text.split(".").slice(0, 2).map(decoded);
  return typeof header?.["alg"] === "string" && claims ? { header, claims } : undefined;
}

function decoded(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
