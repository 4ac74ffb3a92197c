import { isObject, type JsonObject } from "../json.ts";

const MAX_LENGTH = 8_000;

/** The decoded token; undefined for every other text. */
export function jsonWebTokenOf(
  text: string,
): { readonly header: JsonObject; readonly claims: JsonObject } | undefined {
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
