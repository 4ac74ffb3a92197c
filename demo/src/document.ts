import { describedOperations } from "./operations.ts";
import type { Route, Variant } from "./route.ts";

/** The OpenAPI 3.1 document of a variant, made of the schemas that the hardened variant enforces. */
export function openApiDocument(
  routes: readonly Route[],
  { variant, origin }: { variant: Variant; origin: string },
): object {
  const documented = routes.filter((route) => variant === "vulnerable" || route.hardened);
  return {
    openapi: "3.1.0",
    info: {
      title: "Larkfield Clinic",
      version: "2.3.0",
      description:
        "Patients, appointments, invoices and an assistant. A demonstration: there is no such clinic.",
    },
    servers: servers(variant, origin),
    ...describedOperations(documented, variant),
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
