import { walk } from "../../json.ts";

/** What is read of a page, and of a script, in characters; and links taken from either. */
export const MAX_PAGE = 64 * 1024;
const MAX_SCRIPT = 1024 * 1024;
const MAX_LINKS = 200;

/** Same-origin or not: the addresses of a page's scripts. */
export function scriptsOf(html: string): string[] {
  return matches(
    html.slice(0, MAX_PAGE),
    /<script\b[^>]{0,500}?\bsrc\s{0,9}=\s{0,9}["']?([^"'\s>]{1,500})/gi,
    50,
  );
}

/** Paths in the text of a page or script that have the form of API paths, with their placeholders: `/users/${id}`. */
export function apiPathsIn(text: string, max: number = MAX_SCRIPT): string[] {
  const quoted = /["'`]((?:https?:\/\/[\w.:-]{1,200})?\/[\w\-.~/${}:]{2,200})(?=["'`?\\])/g;
  const called =
    /\b(?:fetch|get|post|put|patch|request|ajax)\(\s{0,9}\\?["'`](\/[\w\-.~/${}:]{2,200})(?=["'`?\\])/g;
  const found = [
    ...matches(text.slice(0, max), called, 500).filter((path) => !isFile(path)),
    ...matches(text.slice(0, max), quoted, 2_000).filter(looksLikeApi),
  ];
  return [...new Set(found)].slice(0, MAX_LINKS);
}

/** Links of a JSON response: members that are addresses or absolute paths. Bounded in depth and number. */
export function linksInJson(json: unknown): string[] {
  const links = [...walk(json, { depth: 6, items: 200 })]
    .map(({ value }) => value)
    .filter((value) => typeof value === "string" && isLink(value));
  return [...new Set(links as string[])].slice(0, MAX_LINKS);
}

/** The targets of a `Link` header (RFC 8288) with one of the relations. */
export function linkTargets(header: string, relations: readonly string[]): string[] {
  return [...header.slice(0, 8_192).matchAll(/<([^<>]{1,2000})>([^<]{0,500})/g)]
    .filter(([, , attributes]) => {
      const relation = /\brel\s*=\s*"?([^";]{1,100})/i.exec(attributes ?? "")?.[1] ?? "";
      return relation.split(/\s+/).some((name) => relations.includes(name.toLowerCase()));
    })
    .map(([, target]) => target!);
}

/** Paths that a robots.txt names, without patterns; and the addresses of its site maps. */
export function robotsLinks(text: string): { paths: string[]; sitemaps: string[] } {
  const lines = text.slice(0, MAX_PAGE);
  return {
    paths: matches(
      lines,
      /^[ \t]{0,9}(?:dis)?allow[ \t]{0,9}:[ \t]{0,9}(\/[^\s*$#]{1,200})[ \t\r]{0,9}$/gim,
      MAX_LINKS,
    ).filter((path) => !isFile(path)),
    sitemaps: matches(lines, /^[ \t]{0,9}sitemap[ \t]{0,9}:[ \t]{0,9}(\S{1,500})[ \t\r]{0,9}$/gim, 3),
  };
}

export function sitemapLinks(xml: string): string[] {
  return matches(xml.slice(0, MAX_PAGE), /<loc>\s{0,50}([^<\s]{1,500})\s{0,50}<\/loc>/gi, MAX_LINKS).filter(
    looksLikeApi,
  );
}

/** `/api/…`, `/v1/…`, `/rest/…` somewhere in the path, and no file that a browser loads. @internal */
export function looksLikeApi(address: string): boolean {
  const path = address.replace(/^https?:\/\/[^/]+/i, "");
  return (
    !isFile(path) &&
    /\/(api|apis|rest|v\d{1,2}|graphql|gql|rpc|services?|odata|public-api|internal)(\/|$)/i.test(path)
  );
}

const isFile = (path: string): boolean =>
  /\.(js|mjs|css|map|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|html?|txt|pdf|md|xml)$/i.test(path);

/** The source map URL of a script; undefined without one, and for an inline source map. */
export function sourceMapOf(script: string): string | undefined {
  const [, address] =
    /\/\/[#@] ?sourceMappingURL=([^\s'"]{1,500})\s{0,100}$/.exec(script.slice(-1_000)) ?? [];
  return address?.startsWith("data:") ? undefined : address;
}

const isLink = (text: string): boolean =>
  text.length <= 2_000 && /^(https?:\/)?\/[^\s<>"]+$/i.test(text) && !text.startsWith("//");

/** The distinct first groups of at most `max` matches. */
function matches(text: string, pattern: RegExp, max: number): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(pattern)) {
    found.add(match[1]!);
    if (found.size >= max) break;
  }
  return [...found];
}
