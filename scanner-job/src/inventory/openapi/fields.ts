import type { Field } from "../operation.ts";
import { optional } from "./json.ts";
import type { Schema } from "./schema.ts";

const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields of a schema in document order: dotted paths, `[]` for items; those of every alternative. */
export function fieldsOf(schema: Schema): Field[] {
  const fields = new Map<string, Field>();
  collect(schema, { prefix: "", depth: 0, fields });
  return [...fields.values()];
}

interface Walk {
  readonly prefix: string;
  readonly depth: number;
  readonly fields: Map<string, Field>;
}

function collect(schema: Schema, walk: Walk): void {
  if (schema.items) collect(schema.items, { ...walk, prefix: `${walk.prefix}[]` });
  for (const alternative of schema.oneOf ?? []) collect(alternative, walk);
  if (walk.depth === MAX_DEPTH) return;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (walk.fields.size >= MAX_FIELDS) return;
    const path = walk.prefix === "" ? name : `${walk.prefix}.${name}`;
    if (!walk.fields.has(path)) walk.fields.set(path, fieldOf(path, name, { schema, property }));
    collect(property, { ...walk, prefix: path, depth: walk.depth + 1 });
  }
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
