import type { Operation, Parameter, Route, Schema, Variant } from "./route.ts";

/** First id of the vulnerable variant, whose ids are sequential. The OpenAPI document shows it as an example. */
export const FIRST_ID = 1001;

/** A route with its operation, as the OpenAPI document describes it. */
export type Documented = Pick<Route, "method" | "path" | "access" | "operation">;

/** `tags` and `paths` of an OpenAPI 3.1 document, made of the schemas that the hardened variant enforces. */
export function describedOperations(
  routes: readonly Documented[],
  variant: Variant,
  securityOf: (route: Documented) => object[] | undefined = () => undefined,
): { tags: object[]; paths: object } {
  const documented = routes.filter(({ operation }) => operation);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of documented) {
    const security = route.access === "public" ? [] : securityOf(route);
    (paths[route.path] ??= {})[route.method.toLowerCase()] = {
      ...described(route, variant),
      ...(security && { security }),
    };
  }
  const tags = [...new Set(documented.map(({ operation }) => operation!.tag))].map((name) => ({ name }));
  return { tags, paths };
}

function described({ method, path, access, operation }: Documented, variant: Variant): object {
  const { summary, tag, parameters = [], body, form, deprecated } = operation!;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_match, next = "") => String(next).toUpperCase())}`,
    summary,
    tags: [tag],
    ...(deprecated && { deprecated }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => shownParameter(parameter, variant)),
    }),
    ...(body && { requestBody: bodyOf("application/json", resolved(body, variant)) }),
    ...(form && { requestBody: bodyOf("application/x-www-form-urlencoded", resolved(form, variant)) }),
    responses: responses(access, operation!, variant),
  };
}

const bodyOf = (type: string, schema: Schema): object => ({
  required: true,
  content: { [type]: { schema } },
});

function shownParameter(parameter: Parameter, variant: Variant): object {
  const isId = parameter.schema.type === "id" && variant === "vulnerable";
  return { ...parameter, schema: resolved(parameter.schema, variant), ...(isId && { example: FIRST_ID }) };
}

function responses(access: Route["access"], { responds, limited }: Operation, variant: Variant): object {
  const content = responds && { content: { "application/json": { schema: resolved(responds, variant) } } };
  return {
    "2XX": { description: "Done", ...content },
    ...(access !== "public" && { 401: { description: "No valid token" } }),
    ...(access === "admin" && { 403: { description: "Not an administrator" } }),
    ...(limited && { 429: { description: "Too many requests" } }),
    "4XX": { description: "Refused" },
  };
}

/** The schema with the type `id` replaced by a type of JSON Schema. */
function resolved(schema: Schema, variant: Variant): Schema {
  if (schema.type === "id")
    return variant === "vulnerable" ? { type: "integer" } : { type: "string", format: "uuid" };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      isSchema(value) ? resolved(value, variant) : value,
    ]),
  );
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
