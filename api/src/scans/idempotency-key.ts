import { ApiError } from "@glovebox/contract";

/**
 * The Idempotency-Key header: 1 to 255 visible ASCII characters.
 * @throws ApiError `invalid_request`; the message does not repeat the key.
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError("invalid_request", "Idempotency-Key: must be 1 to 255 visible ASCII characters");
}
