import { MAX_SPEC_BYTES } from "@glovebox/contract";
import type { ProbeResponse } from "../../transport/exchange.ts";
import type { ApiDocument, DocumentSource, ReadResult } from "../api-document.ts";
import { listMember, textMember } from "../../json.ts";
import {
  configurationScripts,
  documentAddresses,
  embeddedDocument,
  looksLikeDocument,
  referredDocuments,
} from "./console-page.ts";
import { CONSOLE_PATHS, documentLocations } from "./document-locations.ts";
import type { Explorer } from "./explorer.ts";

export interface DocumentSearch {
  readonly explorer: Explorer;
  readonly target: URL;
  readonly readDocument: (text: string, source: DocumentSource) => Promise<ReadResult>;
}

const MAX_PARSED = 5;
const MAX_HINTED = 10;
const AT_ONCE = 5;

/**
 * The first address of the target that serves a usable API document: hints, the entry where it is a console, known
 * paths, then the paths of consoles.
 */
export async function findDocument(
  search: DocumentSearch,
  { entry, hints }: { entry: ProbeResponse | undefined; hints: readonly string[] },
): Promise<ApiDocument | undefined> {
  const attempt = { ...search, left: MAX_PARSED };
  const { explorer } = search;
  const at = (path: string) => tryAddress(attempt, path);
  const ask = (path: string) => explorer.ask(path);
  return (
    (await firstOf(hints.slice(0, MAX_HINTED), at, ask)) ??
    (entry && (await readPage(attempt, entry))) ??
    (await firstOf(affordable(documentLocations(search.target, entry), explorer), at, ask)) ??
    firstOf(affordable(CONSOLE_PATHS, explorer), (path) => throughConsole(attempt, path), ask)
  );
}

/** The likeliest, so that most of a small budget is left for what there is beside a document. */
const affordable = (paths: readonly string[], { left }: Explorer): readonly string[] =>
  paths.slice(0, Math.ceil(left / 3));

interface Attempt extends DocumentSearch {
  /** Texts that may still be given to the reader. */
  left: number;
}

async function throughConsole(attempt: Attempt, path: string): Promise<ApiDocument | undefined> {
  const page = await attempt.explorer.open(path);
  if (page?.status !== 200) return undefined;
  return page.mediaType === "application/json" ? tryAddress(attempt, path) : readPage(attempt, page);
}

/** The document inside the page, the document URLs in it, and the same for the scripts that configure it. */
async function readPage(attempt: Attempt, page: ProbeResponse): Promise<ApiDocument | undefined> {
  const own = await throughText(attempt, page);
  if (own || page.mediaType !== "text/html") return own;
  return firstOf(configurationScripts(page.body).slice(0, 3), async (address) => {
    const url = attempt.explorer.locate(address, page.request.url);
    const script = url && (await attempt.explorer.ask(url));
    return script?.status === 200 ? throughText(attempt, script) : undefined;
  });
}

async function throughText(
  attempt: Attempt,
  { body, request }: ProbeResponse,
): Promise<ApiDocument | undefined> {
  const embedded = embeddedDocument(body);
  const addresses = documentAddresses(body).slice(0, 5);
  return (
    (embedded === undefined ? undefined : await parse(attempt, embedded, request.url)) ??
    firstOf(addresses, (address) => {
      const url = attempt.explorer.locate(address, request.url);
      return url ? tryAddress(attempt, url.href) : Promise.resolve(undefined);
    })
  );
}

/** `levels` of configurations that name others. */
async function tryAddress(
  attempt: Attempt,
  address: string,
  levels: number = 2,
): Promise<ApiDocument | undefined> {
  const response = await attempt.explorer.ask(address);
  if (response?.status !== 200 || response.mediaType === "text/html") return undefined;
  const elsewhere = levels > 0 ? referredDocuments(response.json) : [];
  if (elsewhere.length > 0) return firstOf(elsewhere, (path) => tryAddress(attempt, path, levels - 1));
  if (!looksLikeDocument(response.json, response.body)) return undefined;
  const whole = response.truncated ? await attempt.explorer.askForMore(response, MAX_SPEC_BYTES) : response;
  return whole && !whole.truncated ? parse(attempt, whole.body, response.request.url) : undefined;
}

async function parse(attempt: Attempt, text: string, origin: string): Promise<ApiDocument | undefined> {
  if ((attempt.left -= 1) < 0) return undefined;
  const read = await attempt.readDocument(text, { origin, isPublic: true, targetUrl: attempt.target.href });
  return "document" in read && read.document.operations.length > 0 ? read.document : undefined;
}

/** The first find, in order; `prefetch` asks for a few items together, so that the way there and back counts less. */
async function firstOf<R>(
  items: readonly string[],
  find: (item: string) => Promise<R | undefined>,
  prefetch: (item: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<R | undefined> {
  for (const [index, item] of items.entries()) {
    if (index % AT_ONCE === 0) await Promise.all(items.slice(index, index + AT_ONCE).map(prefetch));
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
