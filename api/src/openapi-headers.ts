import type { ZodOpenApiResponseObject } from "zod-openapi";

type Headers = Extract<NonNullable<ZodOpenApiResponseObject["headers"]>, Record<string, unknown>>;

const integer = (description: string) => ({ description, schema: { type: "integer" as const } });
const text = (description: string) => ({ description, schema: { type: "string" as const } });

/** On every response (spec, "Limits"; decisions.md, "Errors"). */
export const RATE_LIMIT_HEADERS = {
  "X-RateLimit-Limit": integer("Requests allowed per minute"),
  "X-RateLimit-Remaining": integer("Requests remaining in the current window"),
  "X-RateLimit-Reset": integer("Unix time in seconds when the window resets"),
  "X-Request-Id": text("Names this request in the service's log"),
} satisfies Headers;

export const REPLY_HEADERS = {
  Location: text("Path of the scan"),
  "Retry-After": integer("Seconds until it is worth asking again"),
  "Preference-Applied": text("What was applied of Prefer"),
} satisfies Headers;
