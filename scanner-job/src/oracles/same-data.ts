import { pathOf, walk } from "../json.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { jaccard } from "./similarity.ts";

/** Share of common values from which two responses hold the same data: a list may have grown between them. */
const SAME = 0.9;

/**
 * Whether two callers got the same data, with its values and not only its members: `again` is another response to the request of
 * `other`, and shows what varies each time. The order of lists does not count. Pure.
 */
export function holdSameData(
  one: ProbeResponse,
  other: ProbeResponse,
  again: ProbeResponse = other,
): boolean {
  if (one.status !== other.status || one.mediaType !== other.mediaType) return false;
  if (one.body === other.body) return true;
  const [left, right, replayed] = [valuesOf(one), valuesOf(other), valuesOf(again)];
  const steady = new Set([...right.keys()].filter((path) => isEqual(right.get(path), replayed.get(path))));
  return steady.size > 0 && jaccard(textsOf(left, right, steady), textsOf(right, left, steady)) >= SAME;
}

type Values = ReadonlyMap<string, ReadonlySet<string>>;

/** The values at each path of a JSON body; the lines of any other. */
function valuesOf({ json, body }: ProbeResponse): Values {
  if (typeof json !== "object" || json === null) return new Map([["", new Set(body.split("\n"))]]);
  const values = new Map<string, Set<string>>();
  for (const node of walk(json, { depth: 7, items: 200 })) {
    if (typeof node.value === "object" && node.value !== null) continue;
    const path = pathOf(node);
    values.set(path, (values.get(path) ?? new Set()).add(JSON.stringify(node.value)));
  }
  return values;
}

const isEqual = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean =>
  one !== undefined && other !== undefined && jaccard(one, other) === 1;

/** What is at the paths that do not vary, and at those that the other response does not have. */
const textsOf = (values: Values, other: Values, steady: ReadonlySet<string>): Set<string> =>
  new Set(
    [...values]
      .filter(([path]) => steady.has(path) || !other.has(path))
      .flatMap(([path, texts]) => [...texts].map((text) => `${path}=${text}`)),
  );
