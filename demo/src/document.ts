import type { Operation, Parameter, Route, Schema, Variant } from "./route.ts";

/** First id of the vulnerable variant, whose ids are sequential. The OpenAPI document shows it as an example. */
export const FIRST_ID = 1001;

/** The OpenAPI 3.1 document of a variant, made of the schemas that the hardened variant enforces. */
export function openApiDocument(
  routes: readonly Route[],
  { variant, origin }: { variant: Variant; origin: string },
): object {
  const documented = routes.filter(
    (route) => route.operation && (variant === "vulnerable" || route.hardened),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const route of documented) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = described(route, variant);
  }
  const tags = [...new Set(documented.map(({ operation }) => operation!.tag))].map((name) => ({ name }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Larkfield Clinic",
      version: "2.3.0",
      description:
        "Patients, appointments, invoices and an assistant. A demonstration: there is no such clinic.",
    },
    servers: servers(variant, origin),
    tags,
    paths,
    components: { securitySchemes: securitySchemes(variant, origin) },
    security: [{ bearerAuth: [] }],
  };
}

function servers(variant: Variant, origin: string): object[] {
  const own = { url: origin, description: "This demo" };
  if (variant === "hardened") return [own];
  return [own, { url: "http://staging.larkfield.test" }, { url: "https://dev.internal.larkfield.test" }];
}

function securitySchemes(variant: Variant, origin: string): object {
  const bearerAuth = { type: "http", scheme: "bearer" };
  if (variant === "hardened") return { bearerAuth };
  return {
    bearerAuth: { ...bearerAuth, bearerFormat: "JWT" },
    queryToken: { type: "apiKey", in: "query", name: "access_token" },
    signIn: {
      type: "oauth2",
      flows: {
        clientCredentials: { tokenUrl: "http://login.larkfield.test/token", scopes: {} },
        implicit: { authorizationUrl: `${origin}/authorize`, scopes: {} },
      },
    },
  };
}

function described({ method, path, access, operation }: Route, variant: Variant): object {
  const { summary, tag, parameters = [], body, deprecated } = operation!;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_match, next = "") => String(next).toUpperCase())}`,
    summary,
    tags: [tag],
    ...(deprecated && { deprecated }),
    ...(access === "public" && { security: [] }),
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => shownParameter(parameter, variant)),
    }),
    ...(body && {
      requestBody: { required: true, content: { "application/json": { schema: resolved(body, variant) } } },
    }),
    responses: responses(access, operation!, variant),
  };
}

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
