import {
  isObject,
  listMember,
  member,
  objectMember,
  optional,
  textMember,
  type JsonObject,
} from "../../json.ts";
import { keywordsOf, MAX_PROPERTIES, typeOf, type Schema } from "./schema.ts";
import type { SpecReader } from "./reader.ts";

const MAX_LEVELS = 9;
const MAX_NODES_PER_SCHEMA = 1_500;
/** Of all schemas together; regardless of what was spent before, the next one may still have a few. */
const MAX_NODES_PER_DOCUMENT = 400_000;
const FEWEST_NODES = 60;
/** Maximum number of cached nodes of expanded schemas, which operations share. */
const MAX_KEPT = 40_000;

/** Expands schemas of one document; the work is bounded per schema and in all. */
export class SchemaExpander {
  readonly #reader: SpecReader;
  readonly #known = new Map<object, Schema>();
  #cachedNodes = 0;
  #leftInDocument = MAX_NODES_PER_DOCUMENT;
  #left = 0;
  #wasCut = false;

  constructor(reader: SpecReader) {
    this.#reader = reader;
  }

  expand(raw: unknown): Schema {
    if (!isObject(raw)) return {};
    // Operations share schemas by reference: what a bare reference leads to is expanded once.
    const shared = Object.keys(raw).length === 1 ? this.#reader.resolveObject(raw) : undefined;
    const known = shared && this.#known.get(shared);
    if (known) return known;
    this.#left = Math.min(MAX_NODES_PER_SCHEMA, Math.max(this.#leftInDocument, FEWEST_NODES));
    const before = this.#left;
    const schema = this.#expand(raw, []);
    const spent = before - this.#left;
    this.#leftInDocument -= spent;
    if (this.#wasCut) this.#reader.note("Large schemas were read in part");
    if (shared) this.#keep(shared, schema, spent);
    return schema;
  }

  #keep(raw: object, schema: Schema, nodes: number): void {
    if (this.#cachedNodes + nodes > MAX_KEPT) {
      this.#known.clear();
      this.#cachedNodes = 0;
    }
    this.#known.set(raw, schema);
    this.#cachedNodes += nodes;
  }

  #expand(raw: unknown, ancestors: readonly object[]): Schema {
    const target = this.#reader.resolve(raw);
    if (!isObject(target) || !isObject(raw)) return {};
    if (this.#left <= 0) return this.#cut(target);
    this.#left -= 1;
    if (ancestors.includes(target) || ancestors.length >= MAX_LEVELS)
      return { ...optional("type", typeOf(target)), isCut: true };
    const inner = [...ancestors, target];
    const own = this.#own(target === raw ? target : withSiblings(target, raw), inner);
    const parts = this.#expandAll(listMember(target, "allOf", 20), inner);
    return parts.reduce<Schema>((merged, part) => merge(part, merged), own);
  }

  #own(schema: JsonObject, ancestors: readonly object[]): Schema {
    const alternatives = [...listMember(schema, "oneOf", 10), ...listMember(schema, "anyOf", 10)];
    const oneOf = this.#expandAll(alternatives, ancestors)
      .map((branch, index) => withDiscriminator(schema, alternatives[index], branch))
      .filter(({ type }) => type !== "null");
    return {
      ...keywordsOf(schema),
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
    return Object.fromEntries(entries.map(([name], index) => [name, expanded[index]!]));
  }

  /** Each gets its share of what is left, so that a large first one leaves something for the others. */
  #expandAll(values: readonly unknown[], ancestors: readonly object[]): Schema[] {
    let pool = this.#left;
    const expanded = values.map((value, index) => {
      const share = Math.ceil(pool / (values.length - index));
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
    return { ...optional("type", typeOf(target)), isCut: true };
  }
}

/** OpenAPI 3.1 lets keywords stand beside `$ref`; in 3.0 they are in common use although they mean nothing. */
function withSiblings(target: JsonObject, raw: JsonObject): JsonObject {
  const siblings = Object.entries(raw).filter(([key]) => key !== "$ref" && key !== "__proto__");
  return { ...target, ...Object.fromEntries(siblings.slice(0, 30)) };
}

/** The discriminator names the branch: by its name in the mapping, or the schema's. */
function withDiscriminator(schema: JsonObject, rawBranch: unknown, branch: Schema): Schema {
  const name = textMember(member(schema, "discriminator"), "propertyName");
  const reference = textMember(rawBranch, "$ref", 1_000);
  if (name === undefined || name === "__proto__" || reference === undefined || branch.type === "null")
    return branch;
  const own = reference.slice(reference.lastIndexOf("/") + 1);
  const mapped = Object.entries(objectMember(member(schema, "discriminator"), "mapping")).find(
    ([, to]) => to === reference || to === own,
  );
  const value = mapped?.[0] ?? own;
  return {
    ...branch,
    properties: {
      ...branch.properties,
      [name]: { ...branch.properties?.[name], type: "string", const: value, example: value },
    },
    required: [...new Set([...(branch.required ?? []), name])],
  };
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
