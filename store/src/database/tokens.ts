import { hash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;

/** A new secret of 256 bits for a cookie or a link, in base64url. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** True when the text has the shape of a token: anything else is refused without a look-up. */
export const isToken = (text: string): boolean => SHAPE.test(text);

/** The only form in which a secret that we made is stored: its SHA-256, in hex. */
export const hashSecret = (secret: string): string => hash("sha256", secret);
