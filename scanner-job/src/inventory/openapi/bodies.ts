import type { BodyShape, Field, ResponseShape } from "../operation.ts";
import type { Schema, SchemaExpander } from "./schema.ts";
import { member, objectMember, optional, textsMember, type JsonObject } from "../../json.ts";
import { declaredParameters, type Owners } from "./parameters.ts";
import type { SpecReader } from "./reader.ts";
import { bodySample, declaredExample } from "./samples.ts";

const MAX_RESPONSES = 15;

export interface Readers {
  readonly reader: SpecReader;
  readonly schemas: SchemaExpander;
}

export function readBody(readers: Readers, owners: Owners): BodyShape | undefined {
  return readers.reader.version === "2.0" ? bodyOf2(readers, owners) : bodyOf3(readers, owners.operation);
}

export function readResponses(readers: Readers, operation: JsonObject): ResponseShape[] {
  const responses = Object.entries(objectMember(operation, "responses"));
  return responses
    .filter(([status]) => /^([1-5](\d\d|XX)|default)$/i.test(status))
    .slice(0, MAX_RESPONSES)
    .map(([status, raw]) => readResponse(readers, operation, { status, raw }));
}

function readResponse(
  { reader, schemas }: Readers,
  operation: JsonObject,
  { status, raw }: { status: string; raw: unknown },
): ResponseShape {
  const response = reader.resolveObject(raw) ?? {};
  const content = preferredContent(response);
  const schema = content ? member(content.media, "schema") : member(response, "schema");
  const produced =
    reader.version === "2.0" && schema !== undefined
      ? preferredType2(reader, operation, "produces")
      : undefined;
  return {
    status,
    ...optional("mediaType", content?.mediaType ?? produced),
    fields: fieldsOf(schemas.expand(schema)),
  };
}

function bodyOf3({ reader, schemas }: Readers, operation: JsonObject): BodyShape | undefined {
  const declared = reader.resolveObject(member(operation, "requestBody"));
  const content = declared && preferredContent(declared);
  if (!content) return undefined;
  const schema = schemas.expand(member(content.media, "schema"));
  return {
    mediaType: content.mediaType,
    required: member(declared, "required") === true,
    sample: declaredExample(reader, content.media) ?? bodySample(schema) ?? null,
    fields: fieldsOf(schema),
    closed: schema.additionalProperties === false,
  };
}

function bodyOf2({ reader, schemas }: Readers, owners: Owners): BodyShape | undefined {
  const declared = declaredParameters(reader, owners);
  const body = declared.find((parameter) => parameter["in"] === "body");
  const form = declared.filter((parameter) => parameter["in"] === "formData");
  if (!body && form.length === 0) return undefined;
  const schema = schemas.expand(body ? body["schema"] : formSchema(form));
  const consumed = preferredType2(reader, owners.operation, "consumes");
  return {
    mediaType: body ? (consumed ?? "application/json") : (consumed ?? formType(form)),
    required: (body ? [body] : form).some((parameter) => parameter["required"] === true),
    sample: bodySample(schema) ?? null,
    fields: fieldsOf(schema),
    closed: schema.additionalProperties === false,
  };
}

function formSchema(form: readonly JsonObject[]): JsonObject {
  const named = form.filter((parameter) => typeof parameter["name"] === "string");
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ required: _, ...rest }) => [rest["name"], rest])),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

const formType = (form: readonly JsonObject[]): string =>
  form.some(({ type }) => type === "file") ? "multipart/form-data" : "application/x-www-form-urlencoded";

/** JSON before forms before the rest. */
function preferredContent(owner: JsonObject): { mediaType: string; media: unknown } | undefined {
  const content = Object.entries(objectMember(owner, "content")).slice(0, 30);
  const [mediaType, media] = content.toSorted(([a], [b]) => rank(a) - rank(b))[0] ?? [];
  return mediaType === undefined ? undefined : { mediaType: bareType(mediaType), media };
}

function preferredType2(
  reader: SpecReader,
  operation: JsonObject,
  key: "consumes" | "produces",
): string | undefined {
  const owner = member(operation, key) === undefined ? reader.root : operation;
  const first = textsMember(owner, key).toSorted((a, b) => rank(a) - rank(b))[0];
  return first === undefined ? undefined : bareType(first);
}

const bareType = (mediaType: string): string => mediaType.split(";")[0]!.trim().toLowerCase().slice(0, 100);

const rank = (mediaType: string): number => {
  const found = [/^application\/json\b/i, /\+json\b/i, /x-www-form-urlencoded/i, /form-data/i];
  const place = found.findIndex((pattern) => pattern.test(mediaType));
  return place === -1 ? found.length : place;
};

const MAX_FIELD_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields of a schema, those of every alternative too, the outer ones first. Dotted paths, `[]` for items. */
function fieldsOf(schema: Schema): Field[] {
  const fields = new Map<string, Field>();
  let level: Owner[] = [{ schema, prefix: "" }];
  for (let depth = 0; depth < MAX_FIELD_DEPTH && level.length > 0; depth += 1) {
    level = level
      .flatMap(({ schema: owner, prefix }) => objectsOf(owner, prefix))
      .flatMap((place) => collect(place, fields));
  }
  return [...fields.values()];
}

interface Owner {
  readonly schema: Schema;
  readonly prefix: string;
}

/** The schema itself, its items and its alternatives: whatever can have properties at this place. */
function objectsOf(schema: Schema, prefix: string): Owner[] {
  const items = schema.items ? objectsOf(schema.items, `${prefix}[]`) : [];
  const alternatives = (schema.oneOf ?? []).flatMap((alternative) => objectsOf(alternative, prefix));
  return [{ schema, prefix }, ...items, ...alternatives];
}

/** Adds the properties of one object and returns them, to be looked into. */
function collect({ schema, prefix }: Owner, fields: Map<string, Field>): Owner[] {
  const inner: Owner[] = [];
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
