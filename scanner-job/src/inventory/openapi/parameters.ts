import type { Parameter } from "../operation.ts";
import { listMember, member, objectMember, optional, textMember, type JsonObject } from "../../json.ts";
import type { SpecReader } from "./reader.ts";
import { declaredExample, parameterSample, parameterType } from "./samples.ts";
import type { Schema, SchemaExpander } from "./schema.ts";

const MAX_PARAMETERS = 60;
const PLACES = ["path", "query", "header", "cookie"] as const;

/** Headers that OpenAPI 3 says are to be ignored as parameters; the scanner sets them itself. */
const RESERVED_HEADERS = new Set(["accept", "content-type", "authorization"]);

export interface Owners {
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
}

/** The declared parameters, `$ref` followed: those of the operation win over those of its path. */
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
    .filter(({ in: place, name }) => place !== "path" || owners.path.includes(`{${name}}`));
  const named = new Set(declared.filter((parameter) => parameter.in === "path").map(({ name }) => name));
  const missing = [...owners.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return [...declared, ...[...new Set(missing)].filter((name) => !named.has(name)).map(undeclared)];
}

function readParameter(reader: SpecReader, schemas: SchemaExpander, raw: JsonObject): Parameter | undefined {
  const name = textMember(raw, "name");
  const place = PLACES.find((known) => known === member(raw, "in"));
  if (!name || !place || (place === "header" && !isHeader(name))) return undefined;
  const content = Object.values(objectMember(raw, "content"))[0];
  const schema = schemas.expand(member(raw, "schema") ?? member(content, "schema") ?? inlineSchema(raw));
  const example = declaredExample(reader, raw) ?? declaredExample(reader, content);
  return {
    name,
    in: place,
    required: place === "path" || member(raw, "required") === true,
    type: parameterType(schema),
    ...optional("format", schema.format ?? schema.oneOf?.[0]?.format),
    ...limits(schema),
    ...parameterSample(name, schema, example),
  };
}

/** OpenAPI 2.0 writes the schema into the parameter. */
const inlineSchema = ({ name: _name, in: _in, required: _required, ...schema }: JsonObject): JsonObject =>
  schema;

const isHeader = (name: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !RESERVED_HEADERS.has(name.toLowerCase());

function limits({
  enum: choices,
  minimum,
  maximum,
}: Schema): Pick<Parameter, "enum" | "minimum" | "maximum"> {
  const texts = choices
    ?.filter((value) => ["string", "number", "boolean"].includes(typeof value))
    .map(String);
  return {
    ...(texts && texts.length > 0 ? { enum: texts } : {}),
    ...optional("minimum", minimum),
    ...optional("maximum", maximum),
  };
}

function undeclared(name: string): Parameter {
  return { name, in: "path", required: true, type: "string", sample: "1", sampleIsDeclared: false };
}
