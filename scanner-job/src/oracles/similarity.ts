import type { Reply } from "../transport/exchange.ts";

/** Characters of a body that are compared. */
const COMPARED = 32_768;

/**
 * How alike two answers are, 0 to 1, once what the request put into them (its path, ids, times) is taken out.
 * Different statuses or media types are never alike.
 */
export function similarity(a: Reply, b: Reply): number {
  if (a.status !== b.status || a.mediaType !== b.mediaType) return 0;
  const [left, right] = [normalised(a), normalised(b)];
  if (left === right) return 1;
  return jaccard(wordsOf(left), wordsOf(right));
}

/** Alike enough to be the same answer. */
export const alike = (a: Reply, b: Reply): boolean => similarity(a, b) >= 0.9;

/** Top-level keys of an object, or of the first items of a list; what a record is made of. */
export function keysOf(json: unknown): Set<string> {
  if (Array.isArray(json)) return new Set(json.slice(0, 5).flatMap((item) => [...keysOf(item)]));
  return new Set(typeof json === "object" && json !== null ? Object.keys(json).slice(0, 200) : []);
}

/** Share of common members, 0 to 1; two empty sets are alike. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const member of a) if (b.has(member)) common++;
  return common / (a.size + b.size - common);
}

function normalised({ body, request }: Reply): string {
  let text = body.slice(0, COMPARED);
  const { pathname, search } = new URL(request.url);
  for (const echoed of [request.url, pathname + search, ...segmentsOf(pathname)]) {
    for (const form of new Set([echoed, decodeLeniently(echoed)])) text = text.replaceAll(form, "#");
  }
  return text
    .replace(/\b[\da-f-]{8,}\b/gi, (run) => (/\d/.test(run) ? "#" : run))
    .replace(/\d[\d.:TZ-]*/gi, "#");
}

/** Short segments would take ordinary words out of the text. */
const segmentsOf = (pathname: string): string[] =>
  pathname.split("/").filter((segment) => segment.length >= 6);

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const wordsOf = (text: string): Set<string> => new Set(text.split(/[\s,;:{}[\]"'<>()=/]+/).filter(Boolean));
