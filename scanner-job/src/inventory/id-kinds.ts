import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { impossibleId, type Parameter } from "./operation.ts";

export type IdKind =
  | "integer"
  | "uuid"
  | "uuid-v1"
  | "uuid-v4"
  | "uuid-v7"
  | "ulid"
  | "objectId"
  | "globalId"
  | "slug";

/** What kind of id a value is; undefined when it has the form of none (a sentence, a URL, an e-mail address). */
export function kindOfId(value: string): IdKind | undefined {
  if (value.length > 200) return undefined;
  if (/^\d{1,19}$/.test(value)) return "integer";
  const uuid = /^[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/i.exec(value)?.[1];
  if (uuid !== undefined) return uuid === "1" || uuid === "4" || uuid === "7" ? `uuid-v${uuid}` : "uuid";
  if (/^[0-7][\dA-HJKMNP-TV-Z]{25}$/i.test(value)) return "ulid";
  if (/^[\da-f]{24}$/i.test(value)) return "objectId";
  if (globalIdOf(value)) return "globalId";
  return /^[a-z\d]+([._-][a-z\d]+)*$/i.test(value) ? "slug" : undefined;
}

/** True for ids that no one would write as a word of a path. */
export function isUnmistakableId(value: string): boolean {
  const kind = kindOfId(value);
  return kind !== undefined && kind !== "slug" && kind !== "globalId";
}

/** At most 5 other ids of the same kind, the likeliest to exist first. */
export function neighbours(value: string, kind: IdKind): string[] {
  const others = OTHERS[kind](value).filter((other) => other !== value);
  return [...new Set(others)].slice(0, 5);
}

type Others = (value: string) => string[];

const uuids: Others = (value) => [hexPlus(value, 1n), hexPlus(value, -1n), randomUUID()];

const OTHERS: Record<IdKind, Others> = {
  integer: (value) => integersNear(value),
  uuid: uuids,
  // The time is in front: ids made at nearly the same moment on the same machine differ in the first group only.
  "uuid-v1": (value) => [headPlus(value, 1n), headPlus(value, -1n), hexPlus(value, 1n), randomUUID()],
  "uuid-v4": uuids,
  "uuid-v7": uuids,
  ulid: (value) => [ulidPlus(value, 1), ulidPlus(value, -1), value.slice(0, 10) + randomFrom(CROCKFORD, 16)],
  // The last three bytes are a counter.
  objectId: (value) => [hexPlus(value, 1n), hexPlus(value, -1n), randomBytes(12).toString("hex")],
  globalId: (value) => globalIdsNear(value),
  slug: (value) => slugsNear(value),
};

function integersNear(value: string): string[] {
  const number = BigInt(value);
  const near = [number + 1n, number - 1n, 1n, 0n, BigInt(randomInt(1, 1_000_000))];
  return near
    .filter((other) => other >= 0n)
    .map((other) => String(other).padStart(value.length, value.startsWith("0") ? "0" : ""));
}

/** Adds to the last twelve hexadecimal digits, in place. */
function hexPlus(value: string, step: bigint): string {
  return replaceHex(value, { from: value.length - 12, to: value.length, step });
}

function headPlus(value: string, step: bigint): string {
  return replaceHex(value, { from: 0, to: 8, step });
}

function replaceHex(value: string, { from, to, step }: { from: number; to: number; step: bigint }): string {
  const size = to - from;
  const digits = BigInt.asUintN(size * 4, BigInt(`0x${value.slice(from, to)}`) + step).toString(16);
  return value.slice(0, from) + digits.padStart(size, "0") + value.slice(to);
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function ulidPlus(value: string, step: number): string {
  const last = CROCKFORD.indexOf(value.slice(-1).toUpperCase());
  return value.slice(0, -1) + CROCKFORD[(last + step + CROCKFORD.length) % CROCKFORD.length];
}

/** `User:123` or `gid://shop/User/123` in base64, as GraphQL servers make them. */
function globalIdOf(value: string): { readonly prefix: string; readonly number: string } | undefined {
  if (!/^[A-Za-z\d+/_-]{8,}={0,2}$/.test(value)) return undefined;
  const [, prefix, number] =
    /^([\w:./ -]*[A-Za-z][\w./ -]*[:/|_-])(\d{1,19})$/.exec(
      Buffer.from(value, "base64").toString("latin1"),
    ) ?? [];
  return prefix === undefined || number === undefined ? undefined : { prefix, number };
}

function globalIdsNear(value: string): string[] {
  const parts = globalIdOf(value);
  if (!parts) return [];
  const encoding = /[-_]/.test(value) ? "base64url" : "base64";
  return integersNear(parts.number)
    .map((number) => Buffer.from(parts.prefix + number, "latin1").toString(encoding))
    .map((encoded) => (value.endsWith("=") ? encoded : encoded.replace(/=+$/, "")));
}

function slugsNear(value: string): string[] {
  const [, head, number] = /^(.*?)(\d{1,15})$/.exec(value) ?? [];
  const numbered =
    head === undefined || number === undefined
      ? []
      : integersNear(number)
          .slice(0, 4)
          .map((near) => head + near);
  return [...numbered, randomFrom("abcdefghijklmnopqrstuvwxyz", Math.min(Math.max(value.length, 6), 24))];
}

function randomFrom(letters: string, length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/**
 * An id that no object has, of the same form as one that exists: a difference between the two responses is then not
 * a matter of form. Without an example it is one of the parameter's type.
 */
export function impossibleIdLike(example: string | undefined, parameter: Parameter): string {
  const kind = example === undefined ? undefined : kindOfId(example);
  if (example === undefined || kind === undefined) return impossibleId(parameter);
  if (kind === "integer") return impossibleId({ type: "integer" });
  if (kind.startsWith("uuid")) return randomUUID();
  return example.length < SHORTEST ? impossibleId(parameter) : scrambled(example);
}

/** Shorter names might happen to exist. */
const SHORTEST = 6;

/** Every letter and digit replaced by another of its sort. */
const scrambled = (text: string): string =>
  text
    .replace(/\d/g, (digit) => another("0123456789", digit))
    .replace(/[a-f]/g, (letter) => another("abcdef", letter))
    .replace(/[g-z]/g, (letter) => another("ghjkmnpqrstvwxyz", letter))
    .replace(/[A-Z]/g, (letter) => another("ABCDEFGHJKMNPQRSTVWXYZ", letter));

function another(alphabet: string, one: string): string {
  const others = alphabet.replace(one, "");
  return others[randomInt(others.length)]!;
}
