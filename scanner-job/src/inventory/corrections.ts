import { isObject, withMember, withoutMember } from "../json.ts";
import { plainName } from "../names.ts";
import type { Operation, Parameter, RequestChanges } from "./operation.ts";
import type { Schema } from "./openapi/schema.ts";
import { valueFor } from "./openapi/values.ts";
import { asText } from "./serialization.ts";
import type { ValidationError } from "./validation-errors.ts";

/** A value that other responses showed for a field of this name and type; undefined where none did. */
export type SeenValue = (wanted: Pick<Parameter, "name" | "type" | "format">) => string | undefined;

/**
 * The request as a refusal of it demands: what is missing is added, what is not allowed is left out, and what is
 * invalid has another value. Undefined where that changes nothing.
 */
export function corrected(
  operation: Operation,
  sent: RequestChanges,
  { errors, seen }: { errors: readonly ValidationError[]; seen: SeenValue },
): RequestChanges | undefined {
  const next = errors.reduce((changes, error) => withCorrection(operation, changes, { error, seen }), sent);
  return JSON.stringify(next) === JSON.stringify(sent) ? undefined : next;
}

function withCorrection(
  operation: Operation,
  changes: RequestChanges,
  { error, seen }: { error: ValidationError; seen: SeenValue },
): RequestChanges {
  const { location, name, type, format } = targetOf(operation, error);
  if (location === "header" && !mayBeSent(operation, name)) return changes;
  if (error.problem === "unknown") return without(operation, changes, { location, name });
  const schema: Schema = { ...optionalSchema(typeFor(type, error), format), ...error.schema };
  const known = seen({
    name: lastOf(name),
    type: typeOfParameter(schema),
    ...(schema.format === undefined ? {} : { format: schema.format }),
  });
  const value =
    isFree(error.schema) && known !== undefined ? typed(known, schema) : valueFor(schema, lastOf(name));
  return withValue(operation, changes, { location, name, value });
}

interface Target extends At {
  readonly type: string | undefined;
  readonly format: string | undefined;
}

/** Where the field is: a declared parameter, a member of the body, or what the method normally takes. */
function targetOf({ facts }: Operation, { field, location }: ValidationError): Target {
  const name = lastOf(field);
  const parameter = facts.parameters.find(
    (each) => isSameName(each.name, name) && (location ?? each.in) === each.in,
  );
  const declared = facts.body?.fields.find(
    (each) => isSameName(each.path, field) || isSameName(each.name, name),
  );
  if (parameter && (location !== undefined || !declared)) return at(parameter.in, parameter.name, parameter);
  if (facts.body && (location ?? "body") === "body") return at("body", declared?.path ?? field, declared);
  return at(location === undefined || location === "body" ? "query" : location, name);
}

const at = (
  location: Parameter["in"],
  name: string,
  { type, format }: { readonly type?: string; readonly format?: string } = {},
): Target => ({ location, name, type, format });

const isSameName = (one: string, other: string): boolean => plainName(one) === plainName(other);

interface At {
  readonly location: Parameter["in"];
  readonly name: string;
}

function withValue(
  operation: Operation,
  changes: RequestChanges,
  { location, name, value }: At & { value: unknown },
): RequestChanges {
  switch (location) {
    case "path":
      return { ...changes, path: { ...changes.path, [name]: asText(value) } };
    case "query":
      return { ...changes, query: { ...changes.query, [name]: asText(value) } };
    case "header":
      return {
        ...changes,
        headers: { ...changes.headers, [name.toLowerCase()]: asText(value).replace(/[^\t\x20-\x7e]/g, "") },
      };
    case "body":
      return { ...changes, content: withMember(contentOf(operation, changes), name, value) };
    default:
      return changes;
  }
}

/**
 * The target names what it wants: no header of the connection or of credentials may be among it that the document does not name.
 */
const mayBeSent = (operation: Operation, name: string): boolean =>
  operation.parameter("header", name) !== undefined || /^(x|api)-[\w-]{1,60}$/i.test(name);

function without(operation: Operation, changes: RequestChanges, { location, name }: At): RequestChanges {
  if (location === "query") return { ...changes, query: { ...changes.query, [name]: null } };
  if (location !== "body") return changes;
  const content = contentOf(operation, changes);
  return isObject(content) ? { ...changes, content: withoutMember(content, name) } : changes;
}

const contentOf = ({ facts }: Operation, { content }: RequestChanges): unknown =>
  content ?? facts.body?.sample;

/** A demand that any value of the type meets: one that the target has shown is then better than one that is made up. */
const isFree = (schema: ValidationError["schema"]): boolean =>
  Object.keys(schema).every((key) => key === "type" || key === "format");

const lastOf = (field: string): string => field.replaceAll("[]", "").split(".").at(-1) ?? field;

/** A value with a minimum or maximum is a number, where the document declares no type. */
const typeFor = (declared: string | undefined, { schema }: ValidationError): string | undefined =>
  (declared === undefined || declared === "string") &&
  Object.keys(schema).some((key) => /minimum|maximum/i.test(key))
    ? "integer"
    : declared;

const optionalSchema = (type: string | undefined, format: string | undefined): Schema => ({
  ...(type === undefined ? {} : { type }),
  ...(format === undefined ? {} : { format }),
});

const typeOfParameter = ({ type }: Schema): Parameter["type"] =>
  (["integer", "number", "boolean", "array", "object"] as const).find((known) => known === type) ?? "string";

const typed = (text: string, { type }: Schema): unknown =>
  type === "integer" || type === "number" ? Number(text) : text;
