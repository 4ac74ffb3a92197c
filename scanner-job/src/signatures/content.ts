import { isObject } from "../json.ts";
import { keysOf } from "../oracles/records.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/** A kind of content, known by what is in it and never by the type that the response claims. */
export interface Content {
  /** Completes "The response is …". */
  readonly says: string;
  /** HTML is served to browsers alone by some servers. */
  readonly isPage: boolean;
  readonly isIn: (response: ProbeResponse) => boolean;
  /** The kinds that it may be, where there are several. */
  readonly kinds?: readonly Content[];
}

/** What of its kinds is in the response, in words. */
export const kindIn = (content: Content, response: ProbeResponse): string =>
  (content.kinds?.find(({ isIn }) => isIn(response)) ?? content).says;

/** Characters of a body that are searched. */
const SEARCHED = 65_536;

/** True for HTML, regardless of its declared type. */
const isPage = ({ body }: ProbeResponse): boolean =>
  /<(!doctype html|html|head)\b/i.test(body.slice(0, 1024));

const plain = (says: string, isIn: Content["isIn"]): Content => ({
  says,
  isPage: false,
  isIn: (response) => !isPage(response) && isIn(response),
});

/** JSON whose object, or the objects of whose list, have all these keys. */
export const keys = (...names: readonly [string, ...string[]]): Content =>
  plain(`JSON with ${listed(names)}`, ({ json }) => {
    const own = keysOf(json);
    return names.every((name) => own.has(name));
  });

/** JSON of which this is true. */
export const json = (says: string, holds: (value: unknown) => boolean): Content =>
  plain(
    says,
    (response) => typeof response.json === "object" && response.json !== null && holds(response.json),
  );

/** True for a list of which every row has these keys. */
export const rowsWith =
  (...names: readonly [string, ...string[]]) =>
  (value: unknown): boolean =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => isObject(row) && names.every((name) => name in row));

/** Text with all these forms that is not a page. */
export const text = (says: string, ...forms: readonly [RegExp, ...RegExp[]]): Content =>
  plain(says, ({ body }) => forms.every((form) => form.test(body.slice(0, SEARCHED))));

/** Text in which this form, which is global, is found at least this many times. */
export const repeated = (says: string, times: number, form: RegExp): Content =>
  plain(says, ({ body }) => {
    let found = 0;
    for (const _ of body.slice(0, SEARCHED).matchAll(form)) if (++found === times) return true;
    return false;
  });

/** A page with all these forms. */
export const page = (says: string, ...forms: readonly [RegExp, ...RegExp[]]): Content => ({
  says,
  isPage: true,
  isIn: (response) =>
    (isPage(response) || response.mediaType === "text/html") &&
    forms.every((form) => form.test(response.body.slice(0, SEARCHED))),
});

/** The page of a tool, by its title. */
export const titled = (name: string, title: RegExp): Content => ({
  says: `the page of ${name}`,
  isPage: true,
  isIn: ({ body }) => {
    const found = /<title[^<>]{0,100}>([^<]{1,200})<\/title>/i.exec(body.slice(0, SEARCHED))?.[1];
    return found !== undefined && title.test(found) && !isLogIn(body);
  },
});

/** A form that asks for a password: what is behind it is not shown. */
const isLogIn = (body: string): boolean =>
  /<input[^<>]{1,300}type=["']?password/i.test(body.slice(0, SEARCHED));

/** A file that its first bytes give away. */
export const magic = (...kinds: readonly [Kind, ...Kind[]]): Content => ({
  says: kinds.length === 1 ? `a file of type ${kinds[0]}` : `a file of one of the types ${kinds.join(", ")}`,
  isPage: false,
  isIn: ({ body, headers }) =>
    kinds.some((kind) => MAGIC[kind].test(body.slice(0, 512))) &&
    // An empty archive is not a backup.
    (Number(headers["content-length"] ?? Infinity) > 100 || "content-range" in headers),
});

/** Content of one kind or another. */
export const either = (...contents: readonly [Content, Content, ...Content[]]): Content => ({
  says: contents.map(({ says }) => says).join(", or "),
  isPage: contents.some((content) => content.isPage),
  isIn: (response) => contents.some(({ isIn }) => isIn(response)),
  kinds: contents,
});

const listed = (names: readonly string[]): string => {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length === 1 ? quoted[0]! : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
};

type Kind = keyof typeof MAGIC;

/** Bytes that are not UTF-8 arrive as U+FFFD. */
const MAGIC = {
  zip: /^PK\u0003\u0004/,
  gzip: /^\u001f[\u008b\ufffd]\u0008/,
  bzip2: /^BZh[1-9]/,
  xz: /^\ufffd7zXZ\0/,
  "7z": /^7z\ufffd\ufffd'\u001c/,
  rar: /^Rar!\u001a\u0007/,
  zstd: /^\(\ufffd\/\ufffd/,
  tar: /^[\s\S]{257}ustar/,
  "SQLite database": /^SQLite format 3\0/,
  "PostgreSQL dump": /^PGDMP/,
  "Redis dump": /^REDIS00\d\d/,
  "Java heap dump": /^JAVA PROFILE 1\.0\.\d/,
  "Windows memory dump": /^MDMP/,
  "Java key store": /^\ufffd{4}\0\0\0[\u0001\u0002]/,
  "PKCS #12 key store": /^0\ufffd[\s\S]{1,2}\u0002\u0001\u0003/,
  "Git index": /^DIRC\0\0\0[\u0002-\u0004]/,
  "macOS folder index": /^\0\0\0\u0001Bud1/,
  "vim swap": /^b0VIM/,
} as const satisfies Readonly<Record<string, RegExp>>;
