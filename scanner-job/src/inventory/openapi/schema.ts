import {
  boundedCopy,
  isObject,
  listMember,
  member,
  objectMember,
  optional,
  textMember,
  textsMember,
  type JsonObject,
} from "../../json.ts";
import type { SpecReader } from "./reader.ts";

const MAX_LEVELS = 9;
const MAX_PROPERTIES = 200;
const MAX_NODES_PER_SCHEMA = 1_500;
const MAX_NODES_PER_DOCUMENT = 120_000;

/** A schema with its references followed and `allOf` merged; small, without circles. */
export interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  readOnly?: boolean;
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: false;
  items?: Schema;
  oneOf?: Schema[];
}

/** Expands schemas of one document; the work is bounded per schema and in all. */
export class SchemaExpander {
  readonly #reader: SpecReader;
  readonly #known = new WeakMap<object, Schema>();
  #leftInDocument = MAX_NODES_PER_DOCUMENT;
  #left = 0;
  #wasCut = false;

  constructor(reader: SpecReader) {
    this.#reader = reader;
  }

  expand(raw: unknown): Schema {
    if (!isObject(raw)) return {};
    // Operations share schemas by reference: what a bare reference leads to is expanded once.
    const key = Object.keys(raw).length === 1 ? (this.#reader.resolveObject(raw) ?? raw) : raw;
    const known = this.#known.get(key);
    if (known) return known;
    this.#left = Math.min(MAX_NODES_PER_SCHEMA, this.#leftInDocument);
    const before = this.#left;
    const schema = this.#expand(raw, []);
    this.#leftInDocument -= before - this.#left;
    if (this.#wasCut) this.#reader.note("Large schemas were read in part");
    this.#known.set(key, schema);
    return schema;
  }

  #expand(raw: unknown, ancestors: readonly object[]): Schema {
    const target = this.#reader.resolve(raw);
    if (!isObject(target) || !isObject(raw)) return {};
    if (this.#left <= 0) return this.#cut(target);
    this.#left -= 1;
    if (ancestors.includes(target) || ancestors.length >= MAX_LEVELS) return optional("type", typeOf(target));
    const inner = [...ancestors, target];
    const own = this.#own(target === raw ? target : withSiblings(target, raw), inner);
    const parts = this.#expandAll(listMember(target, "allOf", 20), inner);
    return parts.reduce<Schema>((merged, part) => merge(part, merged), own);
  }

  #own(schema: JsonObject, ancestors: readonly object[]): Schema {
    const alternatives = [...listMember(schema, "oneOf", 10), ...listMember(schema, "anyOf", 10)];
    const oneOf = this.#expandAll(alternatives, ancestors).filter(({ type }) => type !== "null");
    return {
      ...scalars(schema),
      ...optional("properties", this.#properties(schema, ancestors)),
      ...(isObject(schema["items"]) ? { items: this.#expand(schema["items"], ancestors) } : {}),
      ...(oneOf.length > 0 ? { oneOf } : {}),
    };
  }

  #properties(schema: JsonObject, ancestors: readonly object[]): Record<string, Schema> | undefined {
    const entries = Object.entries(objectMember(schema, "properties"))
      .filter(([name]) => name !== "__proto__" && name.length <= 200)
      .slice(0, MAX_PROPERTIES);
    if (entries.length === 0) return undefined;
    const values = entries.map(([, value]) => value);
    const expanded = this.#expandAll(values, ancestors);
    return Object.fromEntries(entries.map(([name], place) => [name, expanded[place]!]));
  }

  /** Each gets its share of what is left, so that a large first one leaves something for the others. */
  #expandAll(values: readonly unknown[], ancestors: readonly object[]): Schema[] {
    let pool = this.#left;
    const expanded = values.map((value, place) => {
      const share = Math.ceil(pool / (values.length - place));
      this.#left = share;
      const schema = this.#expand(value, ancestors);
      pool -= share - this.#left;
      return schema;
    });
    this.#left = pool;
    return expanded;
  }

  #cut(target: JsonObject): Schema {
    this.#wasCut = true;
    return optional("type", typeOf(target));
  }
}

/** OpenAPI 3.1 lets keywords stand beside `$ref`; in 3.0 they are in common use although they mean nothing. */
function withSiblings(target: JsonObject, raw: JsonObject): JsonObject {
  const siblings = Object.entries(raw).filter(([key]) => key !== "$ref" && key !== "__proto__");
  return { ...target, ...Object.fromEntries(siblings.slice(0, 30)) };
}

/** `pattern` is left out: no regular expression of a document is ever run. */
function scalars(schema: JsonObject): Schema {
  const required = textsMember(schema, "required", MAX_PROPERTIES);
  return {
    ...optional("type", typeOf(schema)),
    ...optional("format", textMember(schema, "format", 50)),
    ...values(schema),
    ...limits(schema),
    ...(schema["readOnly"] === true ? { readOnly: true } : {}),
    ...(schema["writeOnly"] === true ? { writeOnly: true } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false
      ? { additionalProperties: false }
      : {}),
  };
}

function values(schema: JsonObject): Schema {
  const list = (key: string): unknown[] => listMember(schema, key, 50).map((value) => boundedCopy(value));
  const [choices, examples] = [list("enum"), list("examples")];
  const single = ["const", "default", "example"].filter((key) => member(schema, key) !== undefined);
  return {
    ...Object.fromEntries(single.map((key) => [key, boundedCopy(schema[key])])),
    ...(choices.length > 0 ? { enum: choices } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  };
}

/** Lengths are clamped: a sample as long as the document asks for could fill the memory. */
function limits(schema: JsonObject): Schema {
  const bound = (key: string, most: number): number | undefined => {
    const value = member(schema, key);
    return typeof value === "number" && Number.isFinite(value) ? Math.min(value, most) : undefined;
  };
  const minimum = bound("minimum", 1e15) ?? (bound("exclusiveMinimum", 1e15) ?? Number.NaN) + 1;
  const maximum = bound("maximum", 1e15) ?? (bound("exclusiveMaximum", 1e15) ?? Number.NaN) - 1;
  return {
    ...(Number.isNaN(minimum) ? {} : { minimum }),
    ...(Number.isNaN(maximum) ? {} : { maximum }),
    ...optional("minLength", bound("minLength", 100)),
    ...optional("maxLength", bound("maxLength", 1e6)),
    ...optional("minItems", bound("minItems", 3)),
  };
}

/** The first type that is not `null`; guessed from the keywords when the schema names none. */
function typeOf(schema: JsonObject): string | undefined {
  const type = member(schema, "type");
  const named = Array.isArray(type) ? type.find((item) => item !== "null") : type;
  if (typeof named === "string") return named.slice(0, 20);
  if (Array.isArray(type)) return "null";
  if (member(schema, "properties") !== undefined) return "object";
  return member(schema, "items") === undefined ? undefined : "array";
}

function merge(part: Schema, over: Schema): Schema {
  const properties = { ...part.properties, ...over.properties };
  const required = [...new Set([...(part.required ?? []), ...(over.required ?? [])])];
  return {
    ...part,
    ...over,
    ...optional("type", over.type ?? part.type),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}
