import { member, objectMember } from "../json.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/**
 * True for a response that describes the API: its OpenAPI document, a collection of requests, a console or a manual page. What
 * stands in it is there to be shown.
 */
export function describesApi(response: ProbeResponse): boolean {
  const start = response.body.slice(0, 65_536);
  if (response.mediaType === "text/html") return CONSOLE.test(start);
  if (/^\s*\{/.test(start)) return isDescription(response.json);
  return /^(openapi|swagger|asyncapi):\s*["']?\d/m.test(start.slice(0, 4096));
}

const isDescription = (json: unknown): boolean =>
  ["openapi", "swagger", "asyncapi"].some((name) => member(json, name) !== undefined) ||
  objectMember(json, "info")["schema"] !== undefined ||
  member(member(json, "data"), "__schema") !== undefined;

const CONSOLE = /swagger-ui|SwaggerUIBundle|<redoc|<rapi-doc|api-reference|GraphiQL|graphql-playground/i;
