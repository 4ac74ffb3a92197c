import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Turns, type Waiting } from "../limits/turns.ts";

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes and one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
/** Each takes 19 MiB and a thread of libuv, of which there are four. */
const AT_ONCE = 2;
const MAX_WAITING = 100;
const REFUSAL = "Too many sign-ins at this moment. Try again in a few seconds.";
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;

export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

const derive = promisify(argon2);

/** Of whoever has come so far that no stranger could: with an open link, or with the present password. */
const ADMITTED: Waiting = { lane: "admitted", isKnown: true };

/** Hashes and verifies passwords, at most two at a time. */
export class Passwords {
  readonly #turns = new Turns({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING, refusal: REFUSAL });
  #dummy: Promise<string> | undefined;

  /** The hash of a password, with its parameters, in the PHC string format. */
  async hash(password: string, from: Waiting = ADMITTED): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#derive(password, salt, {
      memory: MEMORY_KIB,
      passes: PASSES,
      parallelism: LANES,
      from,
    });
    const parameters = `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`;
    return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** Whether it is the password of this hash. Without a hash it takes as long, and it is not. */
  async verify(password: string, hash: string | null | undefined, from = ADMITTED): Promise<boolean> {
    const fields = FORM.exec(
      hash ?? (await (this.#dummy ??= this.hash(randomBytes(SALT_BYTES).toString("hex")))),
    );
    if (!fields) throw new Error("a stored password hash has an unknown format");
    const [memory = 0, passes = 0, parallelism = 0] = fields.slice(1, 4).map(Number);
    const [salt, expected] = fields.slice(4).map((text) => Buffer.from(text, "base64")) as [Buffer, Buffer];
    const tag = await this.#derive(password, salt, { memory, passes, parallelism, from });
    return timingSafeEqual(tag, expected) && hash !== null && hash !== undefined;
  }

  async #derive(
    password: string,
    nonce: Buffer,
    { from, ...cost }: Pick<Argon2Parameters, "memory" | "passes" | "parallelism"> & { from: Waiting },
  ): Promise<Buffer> {
    await this.#turns.begin(from);
    try {
      return await derive("argon2id", { message: password, nonce, tagLength: TAG_BYTES, ...cost });
    } finally {
      this.#turns.end();
    }
  }
}

/** Why this may not be a password; undefined if it may. */
export function passwordProblem(password: string): string | undefined {
  const { length } = [...password];
  if (length < MIN_PASSWORD_LENGTH) return `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (length > MAX_PASSWORD_LENGTH) return `The password may have at most ${MAX_PASSWORD_LENGTH} characters.`;
  return undefined;
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
