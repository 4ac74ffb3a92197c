const integer = (description: string) => ({ description, schema: { type: "integer" as const } });
const text = (description: string) => ({ description, schema: { type: "string" as const } });

/** The document's header components. */
export const HEADERS = {
  "X-RateLimit-Limit": integer("Requests allowed per minute"),
  "X-RateLimit-Remaining": integer("Requests remaining in the current window"),
  "X-RateLimit-Reset": integer("Unix time in seconds when the window resets"),
  "X-Request-Id": text("Names this request in the service's log"),
  Location: text("Path of the scan"),
  "Retry-After": integer("Seconds until it is worth asking again"),
  "Preference-Applied": text("What was applied of Prefer"),
};

/** On every response (docs/specification.md, "Limits"; docs/decisions.md, "Errors"). */
const STANDARD = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"] as const;

/** References to the standard headers and to those named. */
export function headerReferences(names: readonly (keyof typeof HEADERS)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...STANDARD, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
