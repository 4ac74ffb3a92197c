/** A schema of Kubernetes' dialect: OpenAPI 3.0 without references, and extensions. */
export interface StructuralSchema {
  type: "object" | "array" | "string" | "integer" | "number" | "boolean";
  description?: string;
  format?: string;
  nullable?: boolean;
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema;
  items?: StructuralSchema;
  required?: string[];
  "x-kubernetes-validations"?: { rule: string; message: string }[];
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  [keyword: string]: unknown;
}

type Json = Record<string, unknown>;

/** Formats of strings that the API server checks; it ignores others, so they would promise what is not checked. */
const STRING_FORMATS: ReadonlySet<unknown> = new Set([
  "uri",
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "cidr",
  "byte",
  "uuid",
]);
const INT32_MAX = 2 ** 31 - 1;

/**
 * The structural schema for an OpenAPI 3.0 schema as zod writes it: references inlined, no
 * `additionalProperties: false`, integers with their format, without formats that the API server does not support.
 */
export function toStructural(schema: object): StructuralSchema {
  const root = schema as Json;
  const definitions = (root["definitions"] ?? root["$defs"] ?? {}) as Record<string, Json>;
  return convert(root, definitions) as unknown as StructuralSchema;
}

const NOT_STRUCTURAL = new Set(["$schema", "definitions", "$defs", "id", "$id", "examples", "example"]);

function convert(schema: Json, definitions: Record<string, Json>): Json {
  const { $ref, allOf, ...own } = schema;
  // Keywords next to a reference are written next to an allOf with that one reference.
  const referred = $ref ?? (allOf as Json[] | undefined)?.[0]?.["$ref"];
  if (typeof referred === "string") {
    return convert({ ...definitions[referred.split("/").at(-1)!], ...own }, definitions);
  }
  const kept = Object.entries(own).filter(([key, value]) => !isDropped(key, value));
  const result: Json = Object.fromEntries(
    kept.map(([key, value]) => [key, convertKeyword(key, value, definitions)]),
  );
  return result["type"] === "integer" ? integer(result) : text(result);
}

const isDropped = (key: string, value: unknown): boolean =>
  NOT_STRUCTURAL.has(key) || (key === "additionalProperties" && value === false);

function convertKeyword(key: string, value: unknown, definitions: Record<string, Json>): unknown {
  if (key === "properties") {
    const properties = Object.entries(value as Record<string, Json>);
    return Object.fromEntries(properties.map(([name, schema]) => [name, convert(schema, definitions)]));
  }
  if (key === "items" || key === "additionalProperties") return convert(value as Json, definitions);
  return value;
}

/** Drops bounds that are only the limits of JavaScript numbers. */
function integer({ minimum, maximum, ...schema }: Json): Json {
  const bounds = {
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
  return { ...schema, format: Number(maximum ?? Infinity) <= INT32_MAX ? "int32" : "int64", ...bounds };
}

/** A format that the API server checks needs no pattern beside it, whose syntax differs from Go's. */
function text({ format, pattern, ...schema }: Json): Json {
  const isKnown = STRING_FORMATS.has(format);
  return { ...schema, ...(isKnown && { format }), ...(pattern !== undefined && !isKnown && { pattern }) };
}
