import { isObject } from "../../json.ts";
import { WELL_FORMED, type ProbeRequest } from "../../transport/exchange.ts";

/** A GraphQL request with one operation, or several in one batch. Queries only. */
export const graphqlRequest = (url: string, queries: string | readonly string[]): ProbeRequest => ({
  method: "POST",
  url,
  headers: { accept: "application/json", "content-type": "application/json" },
  body: JSON.stringify(
    typeof queries === "string" ? { query: queries } : queries.map((query) => ({ query })),
  ),
  form: WELL_FORMED,
});

/** The `data` of each operation of a response; nothing where it was refused. */
export function graphqlData(json: unknown): Record<string, unknown>[] {
  const results = Array.isArray(json) ? json.slice(0, 100) : [json];
  return results.flatMap((result) => {
    const data: unknown = isObject(result) ? result["data"] : undefined;
    return isObject(data) ? [data] : [];
  });
}
