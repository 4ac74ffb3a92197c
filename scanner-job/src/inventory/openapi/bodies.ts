import type { BodyShape, ResponseShape } from "../operation.ts";
import type { Schema } from "./schema.ts";
import type { SchemaExpander } from "./schema-expander.ts";
import { boundedCopy, member, objectMember, optional, textsMember, type JsonObject } from "../../json.ts";
import type { FieldReader } from "./fields.ts";
import { declaredParameters, type Owners } from "./parameters.ts";
import type { SpecReader } from "./reader.ts";
import { bodySamples, declaredExamples } from "./samples.ts";

const MAX_RESPONSES = 15;

export interface Readers {
  readonly reader: SpecReader;
  readonly schemas: SchemaExpander;
  readonly fields: FieldReader;
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
  { reader, schemas, fields }: Readers,
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
    fields: fields.of(schemas.expand(schema)),
  };
}

function bodyOf3({ reader, schemas, fields }: Readers, operation: JsonObject): BodyShape | undefined {
  const declared = reader.resolveObject(member(operation, "requestBody"));
  const content = declared && preferredContent(declared);
  if (!content) return undefined;
  const examples = declaredExamples(reader, content.media).map((example) =>
    parsed(example, content.mediaType),
  );
  const declaredSchema = schemas.expand(member(content.media, "schema"));
  const schema = Object.keys(declaredSchema).length > 0 ? declaredSchema : schemaOf(examples[0]);
  return shapeOf(schema, {
    fields: fields.of(schema),
    mediaType: content.mediaType,
    required: member(declared, "required") === true,
    samples: [...examples, ...bodySamples(schema)],
  });
}

function shapeOf(
  schema: Schema,
  {
    samples,
    ...rest
  }: Pick<BodyShape, "mediaType" | "required" | "fields"> & { samples: readonly unknown[] },
): BodyShape {
  const [sample = null, ...others] = samples;
  return {
    ...rest,
    sample,
    otherSamples: others.slice(0, MAX_OTHER_SAMPLES),
    closed: schema.additionalProperties === false,
    ...(/[/+]xml\b/.test(rest.mediaType) ? { xml: xmlNamesOf(schema) } : {}),
  };
}

const MAX_OTHER_SAMPLES = 4;

/** Examples are often given as the text of the body. */
function parsed(example: unknown, mediaType: string): unknown {
  if (typeof example !== "string" || !/json/i.test(mediaType) || !/^\s*[[{]/.test(example)) return example;
  try {
    return boundedCopy(JSON.parse(example));
  } catch {
    return example;
  }
}

/** What an example shows of the schema that the document does not give. */
function schemaOf(example: unknown, levels: number = 5): Schema {
  if (levels === 0 || example === undefined || example === null) return {};
  if (Array.isArray(example)) return { type: "array", items: schemaOf(example[0], levels - 1) };
  if (typeof example === "object") {
    const members = Object.entries(example).map(
      ([name, value]) => [name, schemaOf(value, levels - 1)] as const,
    );
    return { type: "object", properties: Object.fromEntries(members) };
  }
  return {
    type: typeof example === "number" && Number.isInteger(example) ? "integer" : typeof example,
    example,
  };
}

function bodyOf2({ reader, schemas, fields }: Readers, owners: Owners): BodyShape | undefined {
  const declared = declaredParameters(reader, owners);
  const body = declared.find((parameter) => parameter["in"] === "body");
  const form = declared.filter((parameter) => parameter["in"] === "formData");
  if (!body && form.length === 0) return undefined;
  const schema = schemas.expand(body ? body["schema"] : formSchema(form));
  const consumed = preferredType2(reader, owners.operation, "consumes");
  return shapeOf(schema, {
    fields: fields.of(schema),
    mediaType: body ? (consumed ?? "application/json") : formTypeOf(consumed, form),
    required: (body ? [body] : form).some((parameter) => parameter["required"] === true),
    samples: [...(body ? declaredExamples(reader, body) : []), ...bodySamples(schema)],
  });
}

function formSchema(form: readonly JsonObject[]): JsonObject {
  const named = form.filter((parameter) => typeof parameter["name"] === "string");
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ required: _, ...rest }) => [rest["name"], rest])),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

const formTypeOf = (consumed: string | undefined, form: readonly JsonObject[]): string =>
  consumed !== undefined && /form/i.test(consumed) ? consumed : formType(form);

const formType = (form: readonly JsonObject[]): string =>
  form.some(({ type }) => type === "file") ? "multipart/form-data" : "application/x-www-form-urlencoded";

/** JSON before forms before XML before the rest. */
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
  const found = [/^application\/json\b/i, /\+json\b/i, /x-www-form-urlencoded/i, /form-data/i, /[/+]xml\b/i];
  const index = found.findIndex((pattern) => pattern.test(mediaType));
  return index === -1 ? found.length : index;
};

const MAX_XML_DEPTH = 6;

/** How the members are called in XML, by their dotted paths. */
function xmlNamesOf(schema: Schema): NonNullable<BodyShape["xml"]> {
  const members: Record<string, NonNullable<Schema["xml"]>> = {};
  const note = (of: Schema, path: string, levels: number): void => {
    if (levels === 0) return;
    if (of.xml && path !== "") members[path] = of.xml;
    if (of.items) note(of.items, `${path}[]`, levels - 1);
    for (const [name, property] of Object.entries(of.properties ?? {}))
      note(property, path === "" ? name : `${path}.${name}`, levels - 1);
  };
  note(schema, "", MAX_XML_DEPTH);
  return { root: schema.xml?.name ?? "root", members };
}
