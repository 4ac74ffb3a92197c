import type { Call, Operation, Parameter, Schema } from "./route.ts";

/** Why a request is invalid for its operation, with the name of the field; undefined if it is valid. */
export function requestError(call: Call, operation: Operation): string | undefined {
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  for (const name of new Set(call.query.keys())) {
    const declared = query.find((parameter) => parameter.name === name);
    if (!declared) return `${name.slice(0, 40)}: is not a parameter of this operation`;
    if (call.query.getAll(name).length > 1) return `${name}: is given twice`;
    const reason = parameterError(call.query.get(name)!, declared);
    if (reason) return `${name}: ${reason}`;
  }
  const missing = query.find(({ name, required }) => required && !call.query.has(name));
  if (missing) return `${missing.name}: is required`;
  return operation.body ? bodyError(call.body, operation.body) : undefined;
}

/** Why the text of a parameter is invalid; undefined if it is valid. */
export const parameterError = (text: string, { schema }: Parameter): string | undefined =>
  schemaError(fromText(text, schema), schema);

/**
 * Why a value is invalid for a schema: `type`, `enum`, bounds, `pattern`, `required`, unknown properties unless `additionalProperties`
 * is true. Undefined if it is valid. @internal
 */
export function schemaError(value: unknown, schema: Schema): string | undefined {
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `must be one of ${schema.enum.join(", ")}`;
  return CHECKS[schema.type as keyof typeof CHECKS]?.(value, schema);
}

function bodyError(body: string, schema: Schema): string | undefined {
  try {
    const reason = schemaError(JSON.parse(body), schema);
    return reason && `body: ${reason}`;
  } catch {
    return "body: is not JSON";
  }
}

function fromText(text: string, schema: Schema): unknown {
  return schema.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CHECKS = {
  integer(value: unknown, { minimum = -Infinity, maximum = Infinity }: Schema) {
    if (!Number.isSafeInteger(value)) return "must be a whole number";
    const within = (value as number) >= Number(minimum) && (value as number) <= Number(maximum);
    return within ? undefined : `must be from ${String(minimum)} to ${String(maximum)}`;
  },
  boolean: (value: unknown) => (typeof value === "boolean" ? undefined : "must be true or false"),
  id: (value: unknown) => (UUID.test(String(value)) ? undefined : "must be a UUID"),
  string(value: unknown, { maxLength = 200, pattern = "" }: Schema) {
    if (typeof value !== "string") return "must be a string";
    if (value.length > Number(maxLength)) return `must be ${String(maxLength)} characters at most`;
    return new RegExp(String(pattern)).test(value) ? undefined : "must match its pattern";
  },
  array(value: unknown, { items = {}, maxItems = 50 }: Schema): string | undefined {
    if (!Array.isArray(value)) return "must be a list";
    if (value.length > Number(maxItems)) return `must have ${String(maxItems)} items at most`;
    return value.map((item) => schemaError(item, items as Schema)).find((reason) => reason !== undefined);
  },
  object(value: unknown, schema: Schema): string | undefined {
    const { properties = {}, required = [], additionalProperties = false } = schema;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be an object";
    const missing = (required as string[]).find((name) => !Object.hasOwn(value, name));
    if (missing) return `${missing} is required`;
    const known = properties as Record<string, Schema>;
    return Object.entries(value)
      .map(([name, item]) =>
        Object.hasOwn(known, name)
          ? memberError(name, item, known[name]!)
          : additionalProperties !== true && `${name.slice(0, 40)} is not a known field`,
      )
      .find((reason): reason is string => typeof reason === "string");
  },
};

function memberError(name: string, value: unknown, schema: Schema): string | undefined {
  const reason = schemaError(value, schema);
  return reason && `${name} ${reason}`;
}
