import {
  boundedCopy,
  listMember,
  member,
  objectMember,
  optional,
  textMember,
  textsMember,
  type JsonObject,
} from "../../json.ts";

export const MAX_PROPERTIES = 200;

/** A schema with its references followed and `allOf` merged; small, without circles. */
export interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  /** Never run, only read: see `textMatching`. */
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: true;
  readOnly?: boolean;
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: false;
  items?: Schema;
  oneOf?: Schema[];
  xml?: { name?: string; attribute?: true; wrapped?: true };
  /** The schema was truncated here: it is recursive, or too large. */
  isCut?: true;
}

/** The constraints of one schema on its values, without its subschemas' constraints. */
export function keywordsOf(schema: JsonObject): Schema {
  const required = textsMember(schema, "required", MAX_PROPERTIES);
  return {
    ...optional("type", typeOf(schema)),
    ...optional("format", textMember(schema, "format", 50) ?? encodingOf(schema)),
    ...optional("pattern", textMember(schema, "pattern", 501)),
    ...values(schema),
    ...limits(schema),
    ...(schema["readOnly"] === true ? { readOnly: true } : {}),
    ...(schema["writeOnly"] === true ? { writeOnly: true } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(schema["additionalProperties"] === false || schema["unevaluatedProperties"] === false
      ? { additionalProperties: false }
      : {}),
    ...(schema["uniqueItems"] === true ? { uniqueItems: true } : {}),
    ...optional("xml", xmlOf(schema)),
  };
}

/** OpenAPI 3.1 declares binary data by encoding or media type, 3.0 by a format; 2.0 has a type for files. */
function encodingOf(schema: JsonObject): string | undefined {
  if (schema["contentEncoding"] === "base64") return "byte";
  return schema["type"] === "file" || schema["contentMediaType"] === "application/octet-stream"
    ? "binary"
    : undefined;
}

function xmlOf(schema: JsonObject): Schema["xml"] {
  const declared = objectMember(schema, "xml");
  const name = textMember(declared, "name", 100);
  const prefix = textMember(declared, "prefix", 50);
  const written = {
    ...(name === undefined ? {} : { name: prefix === undefined ? name : `${prefix}:${name}` }),
    ...(declared["attribute"] === true ? { attribute: true as const } : {}),
    ...(declared["wrapped"] === true ? { wrapped: true as const } : {}),
  };
  return Object.keys(written).length > 0 ? written : undefined;
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
  const bound = (key: string, max: number): number | undefined => {
    const value = member(schema, key);
    return typeof value === "number" && Number.isFinite(value) ? Math.min(value, max) : undefined;
  };
  // In OpenAPI 3.0, `true` makes the bound beside it exclusive.
  const [openBelow, openAbove] = [schema["exclusiveMinimum"] === true, schema["exclusiveMaximum"] === true];
  const [minimum, maximum] = [bound("minimum", 1e15), bound("maximum", 1e15)];
  const step = bound("multipleOf", 1e15);
  return {
    ...optional("minimum", openBelow ? undefined : minimum),
    ...optional("maximum", openAbove ? undefined : maximum),
    ...optional("exclusiveMinimum", openBelow ? minimum : bound("exclusiveMinimum", 1e15)),
    ...optional("exclusiveMaximum", openAbove ? maximum : bound("exclusiveMaximum", 1e15)),
    ...optional("multipleOf", step !== undefined && step > 0 ? step : undefined),
    ...optional("minLength", bound("minLength", 100)),
    ...optional("maxLength", bound("maxLength", 1e6)),
    ...optional("minItems", bound("minItems", 3)),
    ...optional("maxItems", bound("maxItems", 1e6)),
  };
}

/** The first type that is not `null`; guessed from the keywords when the schema names none. */
export function typeOf(schema: JsonObject): string | undefined {
  const type = member(schema, "type");
  const named = Array.isArray(type) ? type.find((item) => item !== "null") : type;
  if (typeof named === "string") return named.slice(0, 20);
  if (Array.isArray(type)) return "null";
  if (member(schema, "properties") !== undefined) return "object";
  return member(schema, "items") === undefined ? undefined : "array";
}
