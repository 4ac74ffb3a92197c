type Json = Record<string, unknown>;

const ALLOWED = new Set([
  ..."type description format nullable properties additionalProperties items required enum default title".split(
    " ",
  ),
  ..."minimum maximum minLength maxLength pattern minItems maxItems maxProperties multipleOf".split(" "),
  ..."x-kubernetes-validations x-kubernetes-list-type x-kubernetes-list-map-keys".split(" "),
]);
const TYPES = new Set(["object", "array", "string", "integer", "number", "boolean"]);
const FORMATS: Record<string, readonly string[]> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
  string: [
    "uri",
    "date",
    "date-time",
    "duration",
    "ipv4",
    "ipv6",
    "byte",
    "uuid",
    "cidr",
    "hostname",
    "email",
  ],
};

/** Where a schema breaks the rules for structural schemas, or leaves a field without a description. */
export function structuralErrors(schema: Json, path = "."): string[] {
  // The API server describes metadata itself, and refuses a schema that says anything of it.
  if (path === ".metadata.")
    return Object.keys(schema).length === 1 ? [] : [`${path} says more than its type`];
  const errors = [...keywordErrors(schema), ...shapeErrors(schema)].map((error) => `${path} ${error}`);
  return [
    ...errors,
    ...children(schema).flatMap(([name, child]) => structuralErrors(child, `${path}${name}.`)),
  ];
}

function* keywordErrors(schema: Json): Generator<string> {
  for (const key of Object.keys(schema)) if (!ALLOWED.has(key)) yield `has ${key}`;
  if (!TYPES.has(schema["type"] as string)) yield `has no single type: ${JSON.stringify(schema["type"])}`;
  const { format } = schema as { format?: string };
  if (format !== undefined && !FORMATS[schema["type"] as string]?.includes(format))
    yield `has format ${format}`;
  if (schema["type"] === "integer" && format === undefined) yield "is an integer without a format";
  if (schema["nullable"] === true && Array.isArray(schema["enum"]) && !schema["enum"].includes(null))
    yield "is nullable and its enum lacks null";
}

function* shapeErrors(schema: Json): Generator<string> {
  const { properties, additionalProperties, items, required = [] } = schema as { required?: string[] } & Json;
  if (properties && additionalProperties !== undefined) yield "has properties and additionalProperties";
  if (additionalProperties === false) yield "has additionalProperties: false";
  if (schema["type"] === "array" && !items) yield "has no items";
  for (const name of required) if (!(name in ((properties as Json) ?? {}))) yield `requires unknown ${name}`;
  if (typeof schema["description"] !== "string" || schema["description"].length < 5)
    yield "has no description";
}

const children = (schema: Json): [string, Json][] => [
  ...Object.entries((schema["properties"] as Record<string, Json>) ?? {}),
  ...(typeof schema["items"] === "object" ? [["items", schema["items"] as Json] as [string, Json]] : []),
];
