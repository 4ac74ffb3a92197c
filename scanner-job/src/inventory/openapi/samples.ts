import sampler from "openapi-sampler";
import type { Parameter } from "../operation.ts";
import { boundedCopy, listMember, member, objectMember } from "../../json.ts";
import type { SpecReader } from "./reader.ts";
import type { Schema } from "./schema.ts";

export interface Sample {
  readonly sample: string;
  readonly sampleIsDeclared: boolean;
}

/** The value of `example`, or the first of `examples`, of a parameter, header or media type. */
export function declaredExample(reader: SpecReader, owner: unknown): unknown {
  const example = member(owner, "example") ?? member(owner, "x-example");
  if (example !== undefined) return boundedCopy(example);
  const listed = listMember(owner, "examples")[0] ?? Object.values(objectMember(owner, "examples"))[0];
  const resolved = reader.resolve(listed);
  return boundedCopy(member(resolved, "value") ?? member(resolved, "dataValue"));
}

/** A value for a parameter: what the document declares, or else one that its type and format allow. */
export function parameterSample(name: string, schema: Schema, example: unknown): Sample {
  const declared = example ?? declaredInSchema(schema) ?? declaredInSchema(schema.items ?? {});
  if (declared !== undefined && declared !== null)
    return { sample: asText(declared), sampleIsDeclared: true };
  return { sample: invented(name, schema), sampleIsDeclared: false };
}

/** A body for a schema; undefined when none can be made. */
export function bodySample(schema: Schema): unknown {
  try {
    const options = { skipReadOnly: true, quiet: true, maxSampleDepth: 8 };
    return boundedCopy(sampler.sample(schema as Parameters<typeof sampler.sample>[0], options));
  } catch {
    return undefined;
  }
}

function declaredInSchema(schema: Schema): unknown {
  const alternative = schema.oneOf?.[0];
  return (
    schema.example ??
    schema.examples?.[0] ??
    schema.const ??
    schema.default ??
    schema.enum?.find((value) => value !== null) ??
    (alternative === undefined ? undefined : declaredInSchema(alternative))
  );
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(",").slice(0, 500);
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 500);
}

function invented(name: string, schema: Schema): string {
  const type = schema.type ?? schema.oneOf?.[0]?.type;
  if (type === "array") return invented(name, schema.items ?? {});
  if (type === "integer" || type === "number") return String(within(1, schema));
  return SAMPLE_OF_TYPE[type ?? ""] ?? SAMPLE_OF_FORMAT[schema.format ?? ""] ?? word(name, schema);
}

const word = (name: string, schema: Schema): string => sized(idLike(name) ? "1" : "test", schema);

const SAMPLE_OF_TYPE: Record<string, string> = { boolean: "true", object: "{}" };

const SAMPLE_OF_FORMAT: Record<string, string> = {
  uuid: "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b",
  date: "2024-01-15",
  "date-time": "2024-01-15T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "user@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "dGVzdA==",
  int32: "1",
  int64: "1",
};

const idLike = (name: string): boolean => /(^|[_-])(id|no|number|num)$|[a-z]Id$/i.test(name);

function within(value: number, { minimum = -Infinity, maximum = Infinity }: Schema): number {
  return Math.min(Math.max(value, minimum), maximum);
}

function sized(text: string, { minLength = 0, maxLength = Infinity }: Schema): string {
  return text.padEnd(minLength, text).slice(0, Math.max(maxLength, 1));
}

const TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;

/** The type as OpenAPI names it; `string` for none, or for one that it does not know. */
export function parameterType(schema: Schema): Parameter["type"] {
  const type = schema.type ?? schema.oneOf?.[0]?.type;
  return TYPES.find((known) => known === type) ?? "string";
}
