import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { hashSecret } from "../database/tokens.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43; // 43 × log2(62) = 256 bits
const SHAPE = /^gbx_[0-9A-Za-z]{43}[0-9a-f]{8}$/;

/** A new API key, with a checksum (docs/decisions.md, "Plans, limits, keys"). */
export function newApiKey(): string {
  let body = "gbx_";
  for (let index = 0; index < SECRET_LENGTH; index++) body += ALPHABET[randomInt(ALPHABET.length)];
  return body + checksum(body);
}

/** True when the text has the shape and the checksum of a key: a mistyped key is refused without a database query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.slice(-8) === checksum(text.slice(0, -8));
}

/** The only form in which a key is stored: the SHA-256 of the whole key, in hex. */
export const hashApiKey = (key: string): string => hashSecret(key);

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");
