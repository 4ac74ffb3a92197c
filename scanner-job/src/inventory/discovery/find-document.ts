import { MAX_SPEC_BYTES } from "@glovebox/contract";
import type { Reply } from "../../transport/exchange.ts";
import type { ApiDocument, DocumentSource, ReadResult } from "../api-document.ts";
import { isObject, listMember, textMember } from "../../json.ts";
import type { Explorer } from "./explorer.ts";

export interface DocumentSearch {
  readonly explorer: Explorer;
  readonly target: URL;
  readonly readDocument: (text: string, source: DocumentSource) => Promise<ReadResult>;
}

const MAX_PARSED = 4;
const MAX_HINTED = 10;
const AT_ONCE = 5;

/** The first address of the target that serves a usable API document: hints, then known paths, then documentation pages. */
export async function findDocument(
  search: DocumentSearch,
  { entry, hints }: { entry: Reply | undefined; hints: readonly string[] },
): Promise<ApiDocument | undefined> {
  const attempt = { ...search, left: MAX_PARSED };
  const paths = [...hints.slice(0, MAX_HINTED), ...placed(rankedSpecPaths(entry), search.target)];
  const found = await firstOf(
    paths,
    (path) => tryAddress(attempt, path),
    (path) => search.explorer.ask(path),
  );
  return found ?? throughPages(attempt, entry);
}

interface Attempt extends DocumentSearch {
  /** Texts that may still be given to the reader. */
  left: number;
}

/** Every path at the root; the likeliest ones also below the target's path and its parent. */
function placed(paths: readonly string[], target: URL): string[] {
  const base = target.pathname.replace(/\/+$/, "");
  const bases = [base, base.slice(0, Math.max(base.lastIndexOf("/"), 0))].filter((prefix) => prefix !== "");
  const below = bases.flatMap((prefix) => paths.slice(0, 6).map((path) => prefix + path));
  return [...paths.slice(0, 10), ...below, ...paths.slice(10, 25)];
}

async function throughPages(attempt: Attempt, entry: Reply | undefined): Promise<ApiDocument | undefined> {
  const ofEntry = entry && (await readPage(attempt, entry));
  const { explorer } = attempt;
  if (ofEntry) return ofEntry;
  const look = async (path: string): Promise<ApiDocument | undefined> => {
    const page = await explorer.ask(path);
    return page?.status === 200 ? readPage(attempt, page) : undefined;
  };
  return firstOf(UI_PATHS, look, (path) => explorer.ask(path));
}

async function readPage(attempt: Attempt, page: Reply): Promise<ApiDocument | undefined> {
  const embedded = embeddedDocument(page.body);
  const addresses = documentAddresses(page.body).slice(0, 5);
  return (
    (embedded === undefined ? undefined : await parse(attempt, embedded, page.request.url)) ??
    firstOf(addresses, (address) => {
      const url = attempt.explorer.locate(address, page.request.url);
      return url ? tryAddress(attempt, url.href) : Promise.resolve(undefined);
    })
  );
}

async function tryAddress(attempt: Attempt, address: string): Promise<ApiDocument | undefined> {
  const reply = await attempt.explorer.ask(address);
  if (reply?.status !== 200) return undefined;
  const elsewhere = referredDocuments(reply.json);
  if (elsewhere.length > 0) return firstOf(elsewhere, (path) => tryAddress(attempt, path));
  if (!looksLikeDocument(reply)) return undefined;
  const whole = reply.truncated ? await attempt.explorer.askForMore(reply, MAX_SPEC_BYTES) : reply;
  return whole && !whole.truncated ? parse(attempt, whole.body, reply.request.url) : undefined;
}

/** Springfox's /swagger-resources: a list of where the documents are. */
function referredDocuments(json: unknown): string[] {
  if (!Array.isArray(json)) return [];
  const addresses = json.slice(0, 3).map((item) => textMember(item, "url") ?? textMember(item, "location"));
  return addresses.filter(
    (address) => address !== undefined && !address.includes("swagger-resources"),
  ) as string[];
}

function looksLikeDocument({ json, body, mediaType }: Reply): boolean {
  if (mediaType === "text/html") return false;
  if (isObject(json)) return ["openapi", "swagger", "paths"].some((key) => Object.hasOwn(json, key));
  return /^[\s{]*["']?(openapi|swagger)["']?\s*:/m.test(body.slice(0, 4_096));
}

async function parse(attempt: Attempt, text: string, origin: string): Promise<ApiDocument | undefined> {
  if ((attempt.left -= 1) < 0) return undefined;
  const read = await attempt.readDocument(text, { origin, isPublic: true, targetUrl: attempt.target.href });
  return "document" in read && read.document.operations.length > 0 ? read.document : undefined;
}

/** The first find, in order; `prefetch` asks for a few items at once, so that the way there and back counts less. */
async function firstOf<R>(
  items: readonly string[],
  find: (item: string) => Promise<R | undefined>,
  prefetch: (item: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<R | undefined> {
  for (const [place, item] of items.entries()) {
    if (place % AT_ONCE === 0) await Promise.all(items.slice(place, place + AT_ONCE).map(prefetch));
    const found = await find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Documents that a linkset (RFC 9264), as at /.well-known/api-catalog (RFC 9727), leads to. */
export function catalogLinks(json: unknown): string[] {
  return listMember(json, "linkset", 20)
    .flatMap((context) => [...listMember(context, "service-desc", 10), ...listMember(context, "item", 10)])
    .map((link) => textMember(link, "href", 2_000))
    .filter((href) => href !== undefined);
}

/** Where frameworks serve their API document, the commonest first. */
export const SPEC_PATHS = [
  "/openapi.json",
  "/swagger.json",
  "/v3/api-docs",
  "/swagger/v1/swagger.json",
  "/openapi.yaml",
  "/api-docs",
  "/v2/api-docs",
  "/api-json",
  "/docs-json",
  "/api/openapi.json",
  "/api/swagger.json",
  "/api/schema/",
  "/api-docs.json",
  "/swagger.yaml",
  "/openapi.yml",
  "/docs/openapi.json",
  "/swagger/doc.json",
  "/api/docs.json",
  "/openapi/v1.json",
  "/api/v1/openapi.json",
  "/.well-known/openapi.json",
  "/swagger-resources",
  "/openapi",
  "/api/v3/api-docs",
  "/schema.json",
] as const;

/** Pages that show a document and know where it is. */
export const UI_PATHS = [
  "/docs",
  "/swagger-ui/swagger-initializer.js",
  "/swagger-ui/index.html",
  "/swagger/index.html",
  "/api-docs/",
  "/docs/swagger-ui-init.js",
  "/api-docs/swagger-ui-init.js",
  "/api/docs",
  "/swagger-ui.html",
  "/redoc",
] as const;

/** The paths in the order in which this target is likely to have them, by the software that it shows. */
export function rankedSpecPaths(entry: Reply | undefined): readonly string[] {
  const signs = `${entry?.headers["server"] ?? ""} ${entry?.headers["x-powered-by"] ?? ""} ${entry?.body.slice(0, 2_000) ?? ""}`;
  const likely = LIKELY.filter(([sign]) => sign.test(signs)).flatMap(([, paths]) => paths);
  return [...new Set([...likely, ...SPEC_PATHS])];
}

const LIKELY: readonly (readonly [RegExp, readonly string[]])[] = [
  [/uvicorn|hypercorn|fastapi|\{"detail":"Not Found"\}/i, ["/openapi.json", "/api/openapi.json"]],
  [/kestrel|asp\.net|microsoft-iis/i, ["/swagger/v1/swagger.json", "/openapi/v1.json"]],
  [/whitelabel|tomcat|jetty|undertow|"timestamp":[^}]{1,100}"path":/i, ["/v3/api-docs", "/v2/api-docs"]],
  [/express|"statusCode":404/i, ["/api-json", "/docs-json", "/api-docs", "/swagger.json"]],
  [/gunicorn|wsgi|django/i, ["/api/schema/", "/swagger.json"]],
];

const MAX_PAGE = 64 * 1024;

/** Where a Swagger UI, Redoc, RapiDoc, Scalar or Stoplight page, or its configuration, says that its document is. */
export function documentAddresses(page: string): string[] {
  const text = page.slice(0, MAX_PAGE);
  const patterns = [
    /\b(?:spec-url|data-url|apiDescriptionUrl)\s{0,20}=\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /["']?\b(?:url|specUrl|spec_url|openapi_url|configUrl)["']?\s{0,20}:\s{0,20}["']([^"'<>\s]{1,500})["']/gi,
    /\bRedoc\.init\(\s{0,20}["']([^"'<>\s]{1,500})["']/g,
  ];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!));
  return [...new Set(found)].filter((address) => !address.startsWith("https://petstore.swagger.io"));
}

/** The document that swagger-ui-express writes into its script; undefined when there is none. */
export function embeddedDocument(script: string): string | undefined {
  const start = /"(?:swaggerDoc|spec)"\s{0,20}:\s{0,20}(?=\{)/.exec(script.slice(0, MAX_PAGE));
  return start ? balanced(script.slice(start.index + start[0].length, MAX_SPEC_BYTES)) : undefined;
}

/** From the first brace to the one that closes it, strings respected. */
function balanced(text: string): string | undefined {
  let depth = 0;
  let inString = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (inString && character === "\\") place += 1;
    else if (character === '"') inString = !inString;
    else if (!inString && character === "{") depth += 1;
    else if (!inString && character === "}" && (depth -= 1) === 0) return text.slice(0, place + 1);
  }
  return undefined;
}
