import type { Reply } from "../transport/exchange.ts";
import { rowsOf } from "./rows.ts";
import { keysOf } from "./similarity.ts";

/** Characters of a body that are compared. */
const COMPARED = 65_536;

/** What two answers are compared by. */
export interface Features {
  readonly status: string;
  readonly mediaType: string;
  readonly rows: string;
  readonly keys: string;
  readonly words: string;
  readonly text: string;
}

/** A value that was sent where the ordinary request has another: an answer that repeats it is no different for that. */
export interface Echo {
  readonly sent: string;
  readonly ordinary: string;
}

export function featuresOf(reply: Reply, echo?: Echo): Features {
  const text = echo ? withoutEcho(reply.body.slice(0, COMPARED), echo) : reply.body.slice(0, COMPARED);
  return {
    status: String(reply.status),
    mediaType: reply.mediaType,
    rows: String(rowsOf(reply.json)?.length),
    keys: [...keysOf(reply.json)].toSorted().join(),
    words: String(text.split(/\s+/).length),
    text,
  };
}

/**
 * Tells whether an answer is the same as several answers to one request, judged only by what came out the same in
 * all of those: where times or random content vary, the rest must agree.
 */
export function sameAs(replays: readonly [Features, ...Features[]]): (other: Features) => boolean {
  const [first, ...rest] = replays;
  const names = Object.keys(first) as (keyof Features)[];
  const steady = names.filter((name) => rest.every((replay) => replay[name] === first[name]));
  return (other) => steady.every((name) => other[name] === first[name]);
}

/** An answer may repeat the value as it is, or escaped for JSON, HTML or an address. */
function withoutEcho(text: string, { sent, ordinary }: Echo): string {
  const escapes = [
    (value: string) => JSON.stringify(value).slice(1, -1),
    (value: string) => value.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll('"', "&quot;"),
    (value: string) => value.replaceAll("'", "&#x27;"),
    encodeURIComponent,
    (value: string) => new URLSearchParams({ v: value }).toString().slice(2),
    (value: string) => value,
  ];
  return escapes.reduce((rest, escape) => rest.replaceAll(escape(sent), escape(ordinary)), text);
}
