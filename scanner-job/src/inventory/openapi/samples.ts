import { asText } from "../serialization.ts";
import type { Parameter } from "../operation.ts";
import { boundedCopy, listMember, member, objectMember } from "../../json.ts";
import type { SpecReader } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { declaredValue, valueFor } from "./values.ts";

/** The value of `example`, or the first of `examples`, of a parameter, header or media type. */
export const declaredExample = (reader: SpecReader, owner: unknown): unknown =>
  declaredExamples(reader, owner)[0];

const MAX_EXAMPLES = 5;

/** What `example` and `examples` give, in order. */
export function declaredExamples(reader: SpecReader, owner: unknown): unknown[] {
  const listed = [...listMember(owner, "examples"), ...Object.values(objectMember(owner, "examples"))];
  const values = listed.slice(0, MAX_EXAMPLES).map((raw) => {
    const example = reader.resolve(raw);
    return member(example, "value") ?? member(example, "dataValue");
  });
  return [member(owner, "example") ?? member(owner, "x-example"), ...values]
    .filter((value) => value !== undefined)
    .map((value) => boundedCopy(value));
}

/** A value for a parameter: what the document declares, or else one that its type and format allow. */
export function parameterSample(
  name: string,
  schema: Schema,
  example: unknown,
): Pick<Parameter, "sample" | "sampleIsDeclared" | "value"> {
  const declared = example ?? declaredInSchema(schema);
  const items = declaredInSchema(schema.items ?? {});
  const value =
    declared ?? (items === undefined || items === null ? boundedCopy(valueFor(schema, name)) : [items]);
  return {
    sample: sampleText(value),
    sampleIsDeclared: (declared ?? items ?? null) !== null,
    ...(typeof value === "object" && value !== null ? { value } : {}),
  };
}

const declaredInSchema = (schema: Schema): unknown =>
  declaredValue(schema) ?? (schema.oneOf?.[0] ? declaredInSchema(schema.oneOf[0]) : undefined);

function sampleText(value: unknown): string {
  if (Array.isArray(value)) return value.map(sampleText).join(",").slice(0, 500);
  return asText(value).slice(0, 1_000);
}

/** Bodies for a schema, the most likely valid first: one for each of its alternatives; none for an empty schema. */
export function bodySamples(schema: Schema): unknown[] {
  if (Object.keys(schema).length === 0) return [];
  const { oneOf = [], ...rest } = schema;
  const branches = oneOf.slice(0, MAX_EXAMPLES).map((branch) => ({ ...rest, oneOf: [branch] }));
  return (branches.length > 0 ? branches : [schema]).map((each) => boundedCopy(valueFor(each)));
}

const TYPES = ["string", "integer", "number", "boolean", "array", "object"] as const;

/** The type as OpenAPI names it; `string` for none, for one that it does not know, and for alternatives that include it. */
export function parameterType(schema: Schema): Parameter["type"] {
  const types = schema.type === undefined ? (schema.oneOf ?? []).map(({ type }) => type) : [schema.type];
  return types.includes("string") ? "string" : (TYPES.find((known) => known === types[0]) ?? "string");
}
