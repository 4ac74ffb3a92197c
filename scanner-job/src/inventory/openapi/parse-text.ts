import { constructFromEvents, EVENT_ALIAS, parseEvents, YAMLException } from "js-yaml";
import { isObject, member, objectMember, pointerOf, walk, type JsonObject } from "../../json.ts";
import { kindOf, whyNoDocument } from "./other-kinds.ts";
import { METHODS, type SpecVersion } from "./reader.ts";
import type { ApiDocument } from "../api-document.ts";

/** The document cannot be read at all; the message is for the reader of the report. */
export class UnusableDocument extends Error {
  override readonly name = "UnusableDocument";
}

const MAX_ALIASES = 10_000;
const MAX_YAML_DEPTH = 100;
/** What is read of YAML takes several times the memory of the same in JSON. */
const MAX_YAML = 8 * 1024 * 1024;

/** The document as plain data, from JSON or YAML 1.2. Throws `UnusableDocument` when it is neither, or no object. */
export function parseText(text: string): JsonObject {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const reason = whyNoDocument(source);
  if (reason) throw new UnusableDocument(reason);
  const value = /^\s*[{[]/.test(source) ? parseJson(source) : parseYaml(source);
  if (!isObject(value)) throw new UnusableDocument("It is not an object");
  return value;
}

/** YAML may also begin with a brace: what is not JSON is tried as YAML. */
function parseJson(text: string): unknown {
  if (memoryFor(text) > MAX_PARSED_BYTES) throw new UnusableDocument("It takes too much memory to read");
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
  }
}

/**
 * Less than the memory of the thread that reads documents: V8 does not stop a parser of JSON that asks for too much, it
 * ends the process. What a thread takes otherwise, ends the thread.
 */
const MAX_PARSED_BYTES = 80 * 1024 * 1024;
const BYTES = { object: 56, member: 80, item: 16 };

/** An upper estimate, in bytes, of what the values of a JSON text take once they are parsed. */
function memoryFor(text: string): number {
  let bytes = text.length;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x5c) at += 1;
    else if (sign === 0x22) inString = !inString;
    else if (inString) continue;
    else if (sign === 0x7b || sign === 0x5b) bytes += BYTES.object;
    else if (sign === 0x3a) bytes += BYTES.member;
    else if (sign === 0x2c) bytes += BYTES.item;
  }
  return bytes;
}

function parseYaml(text: string): unknown {
  if (text.length > MAX_YAML) throw new UnusableDocument(`It is YAML of more than ${MAX_YAML} characters`);
  try {
    const events = parseEvents(text, { maxDepth: MAX_YAML_DEPTH });
    const aliases = events.filter(({ type }) => type === EVENT_ALIAS).length;
    if (aliases > MAX_ALIASES) throw new UnusableDocument(`It has more than ${MAX_ALIASES} YAML aliases`);
    return constructFromEvents(events, { source: text, json: true })[0];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new UnusableDocument(`It is neither JSON nor YAML: ${error.reason.slice(0, 200)}`, {
      cause: error,
    });
  }
}

/** The version that the document declares, or the one that its structure indicates. Throws `UnusableDocument` for anything else. */
export function versionOf(root: JsonObject): { version: SpecVersion; note?: string } {
  const named = member(root, "openapi") ?? member(root, "swagger");
  if (named === undefined) return guessed(root);
  // YAML reads an unquoted 2.0 as a number.
  const text =
    typeof named === "number" ? named.toFixed(1) : typeof named === "string" ? named.trim() : "no text";
  const version = VERSIONS.find((known) => text === known || text.startsWith(`${known}.`));
  if (version) return { version };
  if (/^3\.\d/.test(text)) return { version: "3.2", note: `Version ${text.slice(0, 20)} was read as 3.2` };
  throw new UnusableDocument(`Its version, ${text.slice(0, 20)}, is not 2.0, 3.0, 3.1 or 3.2`);
}

const VERSIONS: readonly SpecVersion[] = ["2.0", "3.0", "3.1", "3.2"];

function guessed(root: JsonObject): { version: SpecVersion; note: string } {
  const paths = Object.entries(objectMember(root, "paths")).slice(0, 1_000);
  const looksRight = paths.some(
    ([path, item]) => path.startsWith("/") && METHODS.some((method) => isObject(member(item, method))),
  );
  const kind = kindOf(root);
  if (kind) throw new UnusableDocument(`It is ${kind}, not an OpenAPI document`);
  if (!looksRight)
    throw new UnusableDocument("It is not an OpenAPI document: it has no version and no paths");
  const isOld = ["swagger", "basePath", "host", "definitions"].some((key) => key in root);
  const version = isOld ? "2.0" : "3.0";
  return { version, note: `It names no version and was read as ${version}` };
}

const MAX_VALUES = 2_000_000;
export const MAX_DEPTH = 64;
const MAX_ADDRESSES = 500;

export interface Inspection {
  readonly addresses: ApiDocument["addresses"];
  /** True when the document nests deeper than `MAX_DEPTH`; deeper values are ignored. */
  readonly tooDeep: boolean;
  readonly externalReferences: number;
}

/**
 * Walks the whole document once. What YAML aliases repeat counts each time, so a bomb of aliases meets the cap.
 * Throws `UnusableDocument` beyond `MAX_VALUES` values.
 */
export function inspect(root: unknown): Inspection {
  const addresses: { pointer: string; url: string }[] = [];
  let externalReferences = 0;
  let tooDeep = false;
  let visited = 0;
  for (const node of walk(root, {
    depth: MAX_DEPTH + 1,
    values: MAX_VALUES + 1,
    items: MAX_VALUES + 1,
    order: "document",
  })) {
    const { value, key, depth } = node;
    visited += 1;
    if (depth > MAX_DEPTH) tooDeep = true;
    if (typeof value !== "string") continue;
    if (key === "$ref" && !value.startsWith("#")) externalReferences += 1;
    else if (addresses.length < MAX_ADDRESSES && isAddress(value)) {
      addresses.push({ pointer: pointerOf(node), url: value });
    }
  }
  if (visited > MAX_VALUES) throw new UnusableDocument(`It has more than ${MAX_VALUES} values`);
  return { addresses, tooDeep, externalReferences };
}

const isAddress = (text: string): boolean =>
  text.length <= 2_000 && /^(https?|wss?):\/\/[^\s/]\S*$/i.test(text);
