import { optional } from "../../json.ts";
import type { Field } from "../operation.ts";
import type { Schema } from "./schema.ts";

const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** Lists the fields of the schemas of one document. Equal fields are one object, of which large documents have few. */
export class FieldReader {
  readonly #ofSchema = new WeakMap<Schema, readonly Field[]>();
  readonly #known = new Map<string, Field>();

  /** The fields of a schema, also those of every alternative, the outer ones first. Dotted paths, `[]` for items. */
  of(schema: Schema): readonly Field[] {
    const known = this.#ofSchema.get(schema);
    if (known) return known;
    const fields = new Map<string, Field>();
    let level: Owner[] = [{ schema, prefix: "" }];
    for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
      level = level
        .flatMap(({ schema: owner, prefix }) => objectsOf(owner, prefix))
        .flatMap((owner) => this.#collect(owner, fields));
    }
    const found = [...fields.values()];
    this.#ofSchema.set(schema, found);
    return found;
  }

  /** Adds the properties of one object and returns them for traversal. */
  #collect({ schema, prefix }: Owner, fields: Map<string, Field>): Owner[] {
    const inner: Owner[] = [];
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (fields.size >= MAX_FIELDS) break;
      const path = prefix === "" ? name : `${prefix}.${name}`;
      if (!fields.has(path)) fields.set(path, this.#one(fieldOf(path, name, { schema, property })));
      inner.push({ schema: property, prefix: path });
    }
    return inner;
  }

  #one(field: Field): Field {
    const key = `${field.path} ${field.type} ${field.format} ${field.readOnly} ${field.required}`;
    const known = this.#known.get(key);
    if (known) return known;
    this.#known.set(key, field);
    return field;
  }
}

interface Owner {
  readonly schema: Schema;
  readonly prefix: string;
}

/** The schema itself, its items and its alternatives: anything that can have properties at this location. */
function objectsOf(schema: Schema, prefix: string): Owner[] {
  const items = schema.items ? objectsOf(schema.items, `${prefix}[]`) : [];
  const alternatives = (schema.oneOf ?? []).flatMap((alternative) => objectsOf(alternative, prefix));
  return [{ schema, prefix }, ...items, ...alternatives];
}

function fieldOf(
  path: string,
  name: string,
  { schema, property }: { schema: Schema; property: Schema },
): Field {
  const alternative = property.oneOf?.[0];
  return {
    path,
    name,
    type: property.type ?? alternative?.type ?? "string",
    ...optional("format", property.format ?? alternative?.format),
    readOnly: property.readOnly === true,
    required: schema.required?.includes(name) === true,
  };
}
