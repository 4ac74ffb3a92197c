import { walk } from "../json.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/** The rows of a response: the list itself, or the longest list of objects inside; undefined when it has none. */
export function rowsOf(json: unknown): readonly unknown[] | undefined {
  const lists = [...walk(json, { depth: 3, items: 200 })].filter(({ value }) => Array.isArray(value));
  const outermost = lists
    .filter(({ depth }) => depth === lists[0]?.depth)
    .map(({ value }) => value as unknown[]);
  return outermost.toSorted((a, b) => b.length - a.length)[0];
}

/** What identifies a row: its id if it has one, otherwise its whole content. */
export function identityOf(row: unknown): string {
  const fields = typeof row === "object" && row !== null ? (row as Record<string, unknown>) : {};
  const id = ["id", "_id", "uuid", "slug", "key", "code"]
    .map((name) => fields[name])
    .find((value) => value !== undefined);
  return JSON.stringify(id ?? row).slice(0, 2000);
}

/** Top-level keys of an object, or of the first items of a list; what a record is made of. */
export function keysOf(json: unknown): Set<string> {
  if (Array.isArray(json)) return new Set(json.slice(0, 5).flatMap((item) => [...keysOf(item)]));
  return new Set(typeof json === "object" && json !== null ? Object.keys(json).slice(0, 200) : []);
}

/**
 * Whether a response has the fields that the document declares for a success of the operation; undefined when it
 * declares none. Half of the smaller side is enough: documents are seldom complete.
 */
export function fitsDeclaration(
  responses: readonly { readonly status: string; readonly fields: readonly { readonly path: string }[] }[],
  response: ProbeResponse,
): boolean | undefined {
  const declared = new Set(
    responses
      .filter(({ status }) => status.startsWith("2"))
      .flatMap(({ fields }) => fields.map(({ path }) => topLevelName(path))),
  );
  if (declared.size === 0) return undefined;
  const seen = keysOf(response.json);
  const common = [...seen].filter((name) => declared.has(name)).length;
  return common > 0 && common >= Math.min(seen.size, declared.size) / 2;
}

const topLevelName = (path: string): string => path.replace(/^(\[\]\.?)+/, "").split(/[.[]/)[0]!;

/** False for responses without data: `[]`, `{"user": null}`, `{"items": [], "total": 0}`. */
export const holdsData = (json: unknown): boolean =>
  [...walk(json, { depth: 4, values: 2_000 })].some(
    ({ value }) => (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 0),
  );
