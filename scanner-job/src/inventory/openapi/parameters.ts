import type { Parameter } from "../operation.ts";
import {
  isObject,
  listMember,
  member,
  objectMember,
  optional,
  textMember,
  type JsonObject,
} from "../../json.ts";
import { STYLES, type Serialization } from "../serialization.ts";
import type { SpecReader } from "./reader.ts";
import { declaredExample, parameterSample, parameterType } from "./samples.ts";
import type { Schema } from "./schema.ts";
import type { SchemaExpander } from "./schema-expander.ts";

const MAX_PARAMETERS = 60;
const LOCATIONS = ["path", "query", "header", "cookie"] as const;

/** Header parameters that OpenAPI 3 requires tools to ignore; the scanner sets them itself. */
const RESERVED_HEADERS = new Set(["accept", "content-type", "authorization"]);

export interface Owners {
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
}

/** The declared parameters, `$ref` followed: the operation's win over its path's. */
export function declaredParameters(reader: SpecReader, { pathItem, operation }: Owners): JsonObject[] {
  const merged = new Map<string, JsonObject>();
  const listed = [...listMember(pathItem, "parameters"), ...listMember(operation, "parameters")];
  for (const raw of listed) {
    const parameter = reader.resolveObject(raw);
    if (parameter === undefined) continue;
    merged.set(`${textMember(parameter, "in")} ${textMember(parameter, "name")}`, parameter);
  }
  return [...merged.values()].slice(0, MAX_PARAMETERS);
}

/** What is sent outside the body, with a parameter for every `{name}` of the path, declared or not. */
export function readParameters(
  { reader, schemas }: { reader: SpecReader; schemas: SchemaExpander },
  owners: Owners,
): Parameter[] {
  const declared = declaredParameters(reader, owners)
    .map((raw) => readParameter(reader, schemas, raw))
    .filter((parameter) => parameter !== undefined)
    .filter(({ in: location, name }) => location !== "path" || owners.path.includes(`{${name}}`));
  const named = new Set(declared.filter((parameter) => parameter.in === "path").map(({ name }) => name));
  const missing = [...owners.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return [...declared, ...[...new Set(missing)].filter((name) => !named.has(name)).map(undeclared)];
}

function readParameter(reader: SpecReader, schemas: SchemaExpander, raw: JsonObject): Parameter | undefined {
  const name = textMember(raw, "name");
  const location = LOCATIONS.find((known) => known === member(raw, "in"));
  if (!name || !location || (location === "header" && !isHeader(name))) return undefined;
  const content = Object.values(objectMember(raw, "content"))[0];
  const schema = schemas.expand(member(raw, "schema") ?? member(content, "schema") ?? inlineSchema(raw));
  const example = declaredExample(reader, raw) ?? declaredExample(reader, content);
  return {
    name,
    in: location,
    required: location === "path" || member(raw, "required") === true,
    type: parameterType(schema),
    ...optional("format", schema.format ?? formatOfAll(schema)),
    ...limits(schema),
    ...parameterSample(name, schema, example),
    ...serializationOf(reader, raw, location),
  };
}

/** The format that all alternatives have. */
const formatOfAll = ({ oneOf: [first, ...others] = [] }: Schema): string | undefined =>
  others.every(({ format }) => format === first?.format) ? first?.format : undefined;

/** How lists and objects are written there; nothing where it is written as JSON. */
function serializationOf(
  { version }: SpecReader,
  raw: JsonObject,
  location: Parameter["in"],
): Pick<Parameter, "style" | "explode"> {
  if (isObject(raw["content"])) return {};
  if (version === "2.0")
    return COLLECTION_FORMATS[textMember(raw, "collectionFormat") ?? "csv"] ?? COLLECTION_FORMATS["csv"]!;
  const defaultStyle = location === "query" || location === "cookie" ? "form" : "simple";
  const style = STYLES.find((known) => known === member(raw, "style")) ?? defaultStyle;
  const explode = member(raw, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
  };
}

const COLLECTION_FORMATS: Readonly<Record<string, Serialization>> = {
  csv: { style: "simple", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
};

/** OpenAPI 2.0 writes the schema into the parameter. */
const inlineSchema = ({ name: _name, in: _in, required: _required, ...schema }: JsonObject): JsonObject =>
  schema;

const isHeader = (name: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !RESERVED_HEADERS.has(name.toLowerCase());

function limits({
  enum: choices,
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
}: Schema): Pick<Parameter, "enum" | "minimum" | "maximum"> {
  const texts = choices
    ?.filter((value) => ["string", "number", "boolean"].includes(typeof value))
    .map(String);
  return {
    ...(texts && texts.length > 0 ? { enum: texts } : {}),
    ...optional("minimum", minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)),
    ...optional("maximum", maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - 1)),
  };
}

function undeclared(name: string): Parameter {
  return { name, in: "path", required: true, type: "string", sample: "1", sampleIsDeclared: false };
}
