import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/*
 * Encryption at rest of the identities of scans (docs/stored-identities.md). Node's own AES-256-GCM; this file loads nothing else, so that
 * programs can read the setting without the driver of the database.
 */

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Of the stored form: `1.KEY.NONCE.CIPHERTEXT`. */
const VERSION = "1";
/** A key in base64 or base64url. */
const WRITTEN_KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** What a ciphertext belongs to, and the only thing that it can be decrypted for: rows cannot be swapped, nor sent to another host. */
export interface CiphertextOwner {
  readonly kind: "scan" | "set";
  readonly accountId: string;
  /** Of the scan or the set. */
  readonly id: string;
  /** Of the target. */
  readonly origin: string;
}

/** No key decrypts the value: its key was removed, or it belongs to another row. */
export class IdentitiesUnreadable extends Error {
  override readonly name = "IdentitiesUnreadable";
}

interface IdentityKey {
  /** Derived from the key, so that the file needs no names. */
  readonly id: string;
  readonly encryption: Buffer;
  readonly digest: Buffer;
}

/** The keys of the file: the first one encrypts, all decrypt. */
export class IdentityKeys {
  readonly #keys: readonly IdentityKey[];
  readonly #first: IdentityKey;

  /** @param keys of 32 bytes each, one at least */
  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys.map(identityKey);
    const [first] = this.#keys;
    if (!first) throw new Error("has no key");
    this.#first = first;
  }

  /** What the stored form begins with when the first key encrypted it. */
  get prefix(): string {
    return `${VERSION}.${this.#first.id}.`;
  }

  encrypt(text: string, owner: CiphertextOwner): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#first.encryption, nonce);
    cipher.setAAD(associatedData(owner));
    const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${this.prefix}${nonce.toString("base64url")}.${ciphertext.toString("base64url")}`;
  }

  /** @throws IdentitiesUnreadable */
  decrypt(stored: string, owner: CiphertextOwner): string {
    const [version, id, nonce = "", ciphertext = ""] = stored.split(".");
    const key = this.#keys.find((each) => each.id === id);
    if (version !== VERSION || !key)
      throw new IdentitiesUnreadable("No key of the file encrypted the value.");
    const bytes = Buffer.from(ciphertext, "base64url");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key.encryption, Buffer.from(nonce, "base64url"), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(owner));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    } catch (cause) {
      throw new IdentitiesUnreadable("The value was changed, or belongs to another row.", { cause });
    }
  }

  /** A digest that does not help to guess the text: HMAC-SHA-256 with the first key, in hexadecimal. */
  digest(text: string): string {
    return createHmac("sha256", this.#first.digest).update(text).digest("hex");
  }
}

const associatedData = ({ kind, accountId, id, origin }: CiphertextOwner): Buffer =>
  Buffer.from(JSON.stringify([kind, accountId, id, origin]));

function identityKey(bytes: Uint8Array): IdentityKey {
  const derived = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", bytes, "", `glovebox identities ${purpose}`, length));
  return {
    id: derived("id", 6).toString("base64url"),
    encryption: derived("encryption", KEY_BYTES),
    digest: derived("digest", KEY_BYTES),
  };
}

/**
 * The keys of a file: one a line, in base64; empty lines and those that begin with `#` are ignored.
 * @throws Error whose message names the line and the reason, and never a key
 */
export function parseIdentityKeys(text: string): IdentityKeys {
  const keys = new Map<string, Uint8Array>();
  for (const [index, line] of text.split("\n").entries()) {
    const written = line.trim();
    if (written === "" || written.startsWith("#")) continue;
    const bytes = Buffer.from(written, "base64");
    if (!WRITTEN_KEY.test(written) || bytes.length !== KEY_BYTES)
      throw new Error(
        `line ${index + 1}: must be 32 random bytes in base64, as \`openssl rand -base64 32\` prints`,
      );
    if (keys.has(bytes.toString("hex"))) throw new Error(`line ${index + 1}: is the key of an earlier line`);
    keys.set(bytes.toString("hex"), bytes);
  }
  return new IdentityKeys([...keys.values()]);
}

/** A new key, as a line of the file. */
export const newIdentityKey = (): string => randomBytes(KEY_BYTES).toString("base64");
