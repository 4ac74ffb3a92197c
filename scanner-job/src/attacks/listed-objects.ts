import type { OwnRead } from "../identities/caller-values.ts";
import { isObject, type JsonObject } from "../json.ts";
import { lettersOf } from "../names.ts";
import { keysOf, rowsOf } from "../oracles/records.ts";
import { jaccard } from "../oracles/similarity.ts";

/** The row with this id in the lists of a collection, such as `/orders` for orders. Pure. */
export const rowIn = (collection: string, id: string, reads: readonly OwnRead[]): unknown =>
  reads
    .filter(({ operation }) => operation.location.path.replace(/\/$/, "") === collection)
    .flatMap(({ json }) => rowsOf(json) ?? [])
    .find((row) => idsOf(row).includes(id));

/** The row of any list that has the id of the object and is of its kind. Pure. */
export function rowLike(object: unknown, reads: readonly OwnRead[]): unknown {
  const record = recordIn(object);
  if (!isObject(record)) return undefined;
  const [id] = idsOf(record);
  return reads
    .flatMap(({ json }) => rowsOf(json) ?? [])
    .find(
      (row) =>
        id !== undefined && idsOf(row).includes(id) && isOfOneKind(row, record) && isOneObject(row, record),
    );
}

/** The object inside an envelope, such as `{"success": true, "order": {…}}`; of a list the first row. */
export function recordIn(json: unknown): unknown {
  if (Array.isArray(json)) return json[0];
  if (!isObject(json) || idsOf(json).length > 0) return json;
  const inner = Object.values(json).filter((value) => typeof value === "object" && value !== null);
  return inner.length === 1 && Object.keys(json).length <= 3 ? recordIn(inner[0]) : json;
}

/** The values of a row that are its id: of members that are called so, else of those whose name ends in it. */
function idsOf(row: unknown): string[] {
  if (!isObject(row)) return typeof row === "string" || typeof row === "number" ? [String(row)] : [];
  const named = valuesOf(row, /^(id|uuid|guid|slug|key|code|number)$/);
  return named.length > 0 ? named : valuesOf(row, /(id|uuid|guid|slug|key|code|number|name)$/);
}

const valuesOf = (row: JsonObject, name: RegExp): string[] =>
  Object.entries(row).flatMap(([key, value]) =>
    name.test(lettersOf(key)) && (typeof value === "string" || typeof value === "number")
      ? [String(value)]
      : [],
  );

/** Ids that are counted are also those of other things. */
function isOfOneKind(row: unknown, record: JsonObject): boolean {
  const [ofRow, ofRecord] = [keysOf(row), keysOf(record)];
  return jaccard(ofRow, ofRecord) >= 0.4 || [...ofRow].every((key) => ofRecord.has(key));
}

/** Things of several kinds may be counted from 1 and have the same members: one object also has the same values, or most of them. */
function isOneObject(row: unknown, record: JsonObject): boolean {
  const shared = Object.entries(isObject(row) ? row : {}).filter(
    ([key, value]) => isText(value) && isText(record[key]) && !idsOf(record).includes(String(value)),
  );
  return shared.filter(([key, value]) => value === record[key]).length >= shared.length / 2;
}

const isText = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
