import { randomBytes } from "node:crypto";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new scan id: `scan-` and a ULID in lower case, 48 bits of milliseconds and 80 random bits.
 * Sortable by time, unguessable, and a valid Kubernetes name (RFC 1123 label).
 */
export function newScanId(now: Date, random: Uint8Array = randomBytes(10)): string {
  let bits = BigInt(now.getTime());
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);

  let text = "";
  for (let index = 0; index < 26; index++) {
    text = CROCKFORD[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `scan-${text}`;
}

/** The shape of what `newScanId` makes. */
export const SCAN_ID_PATTERN = /^scan-[0-9a-hjkmnp-tv-z]{26}$/;

export const isScanId = (text: string): boolean => SCAN_ID_PATTERN.test(text);
