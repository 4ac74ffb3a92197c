import { idsInList } from "../inventory/find-ids.ts";
import { isObject, member } from "../json.ts";
import { lettersOf, percentDecoded } from "../names.ts";
import type { Resource } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";

/** An object that a creation made, as far as its response tells. */
export interface CreatedObject {
  readonly id: string;
  readonly path: string;
  /**
   * The response shows the marker beside the id, and no operation reads the object. Where one does, its response has to show the
   * marker before the object counts as the scan's.
   */
  readonly isProven: boolean;
}

/**
 * The object that was created, by the `Location` of the response (RFC 9110, section 10.2.2) or by an id in its body; undefined where
 * neither shows it. Pure.
 */
export function createdObject(
  { read, update, remove, collection }: Resource,
  { request, response, marker }: { request: ProbeRequest; response: ProbeResponse; marker: string },
): CreatedObject | undefined {
  const parameter = (read ?? remove ?? update[0])?.idParameter;
  if (!parameter) return undefined;
  const base = baseOf(collection, request);
  const located = locationIn(response, base);
  const idIn = (holder: object) => idsInList([holder], { parameter, collection: lastOf(base) })[0]?.[0];
  const holder = holdersIn(response.json).find((each) => idIn(each) !== undefined);
  const id = located ?? (holder && idIn(holder));
  if (id === undefined) return undefined;
  const isProven =
    read === undefined &&
    holder !== undefined &&
    JSON.stringify(holder).includes(marker) &&
    hasId(holder, id);
  return { id, path: `${base}/${encodeURIComponent(id)}`, isProven };
}

/** The path of the collection with the parents of the request: a creation may be sent to a path below it. */
function baseOf(collection: string, { url }: ProbeRequest): string {
  const sent = new URL(url).pathname.split("/");
  return collection
    .split("/")
    .map((segment, index) => (segment.includes("{") ? (sent[index] ?? segment) : segment))
    .join("/");
}

function locationIn({ headers, request }: ProbeResponse, base: string): string | undefined {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, request.url)) return undefined;
  const { origin, pathname } = new URL(location, request.url);
  const id = pathname.startsWith(`${base}/`) ? pathname.slice(base.length + 1).replace(/\/$/, "") : "";
  return origin === new URL(request.url).origin && /^[^/]+$/.test(id) ? percentDecoded(id) : undefined;
}

/** The body itself, and what is in its envelope: `{"data": {…}}`, `{"note": {…}}`. */
function holdersIn(json: unknown): readonly object[] {
  const data = member(json, "data");
  const inner = [json, data].flatMap((each) => (isObject(each) ? Object.values(each) : []));
  return [json, data, ...inner].filter(isObject);
}

const hasId = (holder: object, id: string): boolean =>
  Object.entries(holder).some(([key, value]) => lettersOf(key) !== "" && String(value) === id);

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
