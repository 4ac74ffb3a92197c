import { percentDecoded } from "../names.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { keysOf, rowsOf } from "./records.ts";

/** Characters of a body whose words are compared. */
const MAX_COMPARED = 32_768;

/**
 * How similar two responses are, 0 to 1, once what the request put into them (its path, ids, times) is taken out.
 * Different statuses or media types are never similar.
 */
export function similarity(a: ProbeResponse, b: ProbeResponse): number {
  if (a.status !== b.status || a.mediaType !== b.mediaType) return 0;
  const [left, right] = [normalised(a), normalised(b)];
  if (left === right) return 1;
  return jaccard(tokensOf(left), tokensOf(right));
}

/** Similar enough to be the same response. */
export const areSimilar = (a: ProbeResponse, b: ProbeResponse): boolean => similarity(a, b) >= 0.9;

/** Share of common members, 0 to 1; two empty sets are equal. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let common = 0;
  for (const member of a) if (b.has(member)) common++;
  return common / (a.size + b.size - common);
}

function normalised({ body, request }: ProbeResponse): string {
  let text = body.slice(0, MAX_COMPARED);
  const { pathname, search } = new URL(request.url);
  for (const echoed of [request.url, pathname + search, ...segmentsOf(pathname)]) {
    for (const form of new Set([echoed, percentDecoded(echoed)])) text = text.replaceAll(form, "#");
  }
  return text
    .replace(/\b[\da-f-]{8,}\b/gi, (run) => (/\d/.test(run) ? "#" : run))
    .replace(/\d[\d.:TZ-]*/gi, "#");
}

/** Removing short segments would remove common words from the text. */
const segmentsOf = (pathname: string): string[] =>
  pathname.split("/").filter((segment) => segment.length >= 6);

const tokensOf = (text: string): Set<string> => new Set(text.split(/[\s,;:{}[\]"'<>()=/]+/).filter(Boolean));

/** Characters of a body that are compared exactly. */
const MAX_EXACT = 65_536;

/** The parts of a response that are compared. */
export interface Features {
  readonly status: string;
  readonly mediaType: string;
  readonly rows: string;
  readonly keys: string;
  readonly words: string;
  readonly text: string;
}

/** Replaces what a response repeats of its request. */
export type Mask = (text: string) => string;

/** The parts of a response, with what `mask` replaces taken out of its text and its keys. */
export function featuresOf(response: ProbeResponse, mask: Mask = (text) => text): Features {
  const text = mask(response.body.slice(0, MAX_EXACT));
  return {
    status: String(response.status),
    mediaType: response.mediaType,
    rows: String(rowsOf(response.json)?.length),
    keys: [...keysOf(response.json)].map(mask).toSorted().join(),
    words: String(text.split(/\s+/).length),
    text,
  };
}

/**
 * Whether a response is the same as several responses to one request, compared only by what is equal in
 * all of them: where times or random content vary, the rest must agree.
 */
export function sameAs(replays: readonly [Features, ...Features[]]): (other: Features) => boolean {
  const [first, ...rest] = replays;
  const names = Object.keys(first) as (keyof Features)[];
  const steady = names.filter((name) => rest.every((replay) => replay[name] === first[name]));
  return (other) => steady.every((name) => other[name] === first[name]);
}

/** A response may reflect the value unchanged, or escaped for JSON, HTML or a URL. */
export const withoutEcho =
  ({ sent, baseValue }: { readonly sent: string; readonly baseValue: string }): Mask =>
  (text) =>
    ESCAPES.reduce((rest, escape) => rest.replaceAll(escape(sent), escape(baseValue)), text);

const markup = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const ESCAPES: readonly Mask[] = [
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => markup(value).replaceAll("'", "&#39;").replaceAll('"', "&quot;"),
  (value) => markup(value).replaceAll("'", "&#x27;").replaceAll('"', "&quot;"),
  markup,
  (value) => value.replaceAll("'", "&#x27;"),
  encodeURIComponent,
  (value) => new URLSearchParams({ v: value }).toString().slice(2),
  (value) => value,
];
