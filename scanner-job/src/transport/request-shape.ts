import { isObject, pathOf, walk } from "../json.ts";
import { percentDecoded } from "../names.ts";
import type { ProbeRequest } from "./exchange.ts";

/** One property of a request: what kind of value it has at one location. */
export interface Trait {
  /** `path`, `query q`, `query names`, `header accept`, `body`, `body owner.name`. */
  readonly at: string;
  /** A special character, or the kind of the value: `letters`, `digits`, `empty`, `long`, `null`, `array`. */
  readonly kind: string;
}

export const traitKey = ({ at, kind }: Trait): string => `${at}\n${kind}`;
export const kindIn = (key: string): string => key.slice(key.lastIndexOf("\n") + 1);

/** Characters of a value that are looked at. */
const MAX_CHARACTERS = 20_000;
const LONG = 256;
/** More digits than a 32-bit number has. */
const MANY_DIGITS = /\d{11,}/;

/** What a request is like, regardless of its exact values: two payloads of one kind have the same traits. */
export function traitsOf({ url, rawPath, headers = {}, body }: ProbeRequest): Trait[] {
  const { pathname, searchParams } = new URL(url);
  return [
    ...textTraits("path", percentDecoded(rawPath ?? pathname)),
    // What is not a valid encoding fails before any handler is reached.
    ...(isDecodable(rawPath ?? pathname) ? [] : [{ at: "path", kind: "invalid encoding" }]),
    ...pairTraits("query", searchParams),
    ...Object.entries(headers).flatMap(([name, value]) => textTraits(`header ${name.toLowerCase()}`, value)),
    ...(body === undefined ? [] : bodyTraits(body, headers)),
  ];
}

function bodyTraits(body: string, headers: Readonly<Record<string, string>>): Trait[] {
  const json = parsed(body);
  if (json !== undefined) return jsonTraits(json);
  const isForm = Object.values(headers).some((value) => value.includes("x-www-form-urlencoded"));
  return isForm ? pairTraits("body", new URLSearchParams(body)) : textTraits("body", body);
}

function pairTraits(at: string, pairs: URLSearchParams): Trait[] {
  const names = [...new Set(pairs.keys())].toSorted();
  return [
    { at: `${at} names`, kind: names.join(" ") },
    ...names.flatMap((name) => specialCharacters(`${at} names`, name)),
    ...[...pairs].flatMap(([name, value]) => textTraits(`${at} ${name}`, value)),
    ...names
      .filter((name) => pairs.getAll(name).length > 1)
      .map((name) => ({ at: `${at} ${name}`, kind: "repeated" })),
  ];
}

function jsonTraits(json: unknown): Trait[] {
  return [...walk(json, { depth: 20, values: 500, items: 20 })].flatMap((node) => {
    const at = `body ${pathOf(node)}`;
    const { value } = node;
    if (typeof value === "string") return textTraits(at, value);
    if (typeof value === "number") return textTraits(at, String(value), "number");
    if (Array.isArray(value)) return [{ at, kind: "array" }];
    if (!isObject(value)) return [{ at, kind: String(value) }];
    const names = Object.keys(value).toSorted();
    return [
      { at, kind: `object of ${names.join(" ")}` },
      ...names.flatMap((name) => specialCharacters(at, name)),
    ];
  });
}

/** `type` tells a number from a text of digits. */
function textTraits(at: string, value: string, type?: string): Trait[] {
  const kinds = [
    ...(type === undefined ? [] : [type]),
    ...(value === "" ? ["empty"] : []),
    ...(/[a-z]/i.test(value) ? ["letters"] : []),
    ...(/\d/.test(value) ? ["digits"] : []),
    ...(MANY_DIGITS.test(value) ? ["many digits"] : []),
    ...(value.length >= LONG ? ["long"] : []),
  ];
  return [...kinds.map((kind) => ({ at, kind })), ...specialCharacters(at, value)];
}

const specialCharacters = (at: string, text: string): Trait[] =>
  [...new Set(text.slice(0, MAX_CHARACTERS).match(/[^a-z\d]/gi))].map((character) => ({
    at,
    kind: kindOfCharacter(character),
  }));

function kindOfCharacter(character: string): string {
  if (character > "~") return "not ASCII";
  return character < " " ? "control character" : character;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
