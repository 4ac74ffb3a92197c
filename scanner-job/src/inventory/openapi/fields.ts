import type { Field } from "../operation.ts";
import { optional } from "./json.ts";
import type { Schema } from "./schema.ts";

const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields of a schema, those of every alternative too, the outer ones first. Dotted paths, `[]` for items. */
export function fieldsOf(schema: Schema): Field[] {
  const fields = new Map<string, Field>();
  let level: Place[] = [{ schema, prefix: "" }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    level = level
      .flatMap(({ schema: owner, prefix }) => objectsOf(owner, prefix))
      .flatMap((place) => collect(place, fields));
  }
  return [...fields.values()];
}

interface Place {
  readonly schema: Schema;
  readonly prefix: string;
}

/** The schema itself, its items and its alternatives: whatever can have properties at this place. */
function objectsOf(schema: Schema, prefix: string): Place[] {
  const items = schema.items ? objectsOf(schema.items, `${prefix}[]`) : [];
  const alternatives = (schema.oneOf ?? []).flatMap((alternative) => objectsOf(alternative, prefix));
  return [{ schema, prefix }, ...items, ...alternatives];
}

/** Adds the properties of one object and returns them, to be looked into. */
function collect({ schema, prefix }: Place, fields: Map<string, Field>): Place[] {
  const inner: Place[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (fields.size >= MAX_FIELDS) break;
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (!fields.has(path)) fields.set(path, fieldOf(path, name, { schema, property }));
    inner.push({ schema: property, prefix: path });
  }
  return inner;
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
