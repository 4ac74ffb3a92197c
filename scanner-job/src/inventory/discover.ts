import type { Reply } from "../transport/exchange.ts";
import type { ApiDocument } from "./api-document.ts";
import { Explorer, type Send } from "./discovery/explorer.ts";
import { catalogLinks, findDocument } from "./discovery/find-document.ts";
import { basesToTry, firstNouns, otherNouns, versionSiblings } from "./discovery/guesses.ts";
import {
  apiPathsIn,
  linkTargets,
  MAX_PAGE,
  robotsLinks,
  scriptsOf,
  sitemapLinks,
} from "./discovery/links.ts";
import { Crawler } from "./discovery/crawler.ts";
import type { OperationFacts } from "./operation.ts";
import type { DocumentSource, ReadResult } from "./read-document.ts";

export interface DiscoverDeps {
  readonly send: Send;
  readonly targetUrl: URL;
  /** True for an answer that this host gives to paths that cannot exist. */
  readonly isMissing: (reply: Reply) => Promise<boolean> | boolean;
  readonly readDocument: (text: string, source: DocumentSource) => Promise<ReadResult>;
  /** The document of the order: none is looked for, and what it declares is not asked for again. */
  readonly document?: ApiDocument;
}

export interface Discovery {
  /** A document that the target serves to anyone. */
  readonly document?: ApiDocument;
  /** What exists beside it; `source` is "discovered". */
  readonly operations: readonly OperationFacts[];
  readonly notes: readonly string[];
}

const MAX_REQUESTS = 120;
const MAX_FOLLOWED = 30;
const MAX_SIBLINGS = 8;
const MAX_SCRIPTS = 5;

/** Finds the operations of a target by reads alone, stopping early; at most 120 requests, all to the target's origin. */
export async function discover(deps: DiscoverDeps): Promise<Discovery> {
  const { send, targetUrl: target, readDocument } = deps;
  const explorer = new Explorer(send, target, MAX_REQUESTS);
  const entry = await explorer.ask(target);
  const hints = await hintsOf(explorer, entry);
  const found = deps.document
    ? undefined
    : await findDocument({ explorer, target, readDocument }, { entry, hints: hints.documents });

  const document = deps.document ?? found;
  const declared = document?.operations ?? [];
  const crawler = new Crawler({ explorer, isMissing: deps.isMissing, declared });
  const pages = entry && isPage(entry) ? await pathsOfPage(explorer, entry) : [];
  await crawler.follow([target.href, ...pages, ...hints.paths], MAX_FOLLOWED);
  const siblings = (): string[] => versionSiblings([...declared, ...crawler.operations], MAX_SIBLINGS);
  await crawler.follow(siblings(), 2 * MAX_SIBLINGS);
  if (!document) await guess(crawler, target);
  await crawler.follow(siblings(), MAX_SIBLINGS);
  return {
    ...(found ? { document: found } : {}),
    operations: crawler.operations,
    notes:
      explorer.left > 0
        ? []
        : [
            "Discovery ended early: its requests were used up, or the target stopped answering or began to block.",
          ],
  };
}

interface Hints {
  readonly documents: readonly string[];
  readonly paths: readonly string[];
}

/** What the target itself says of where its API and its document are. */
async function hintsOf(explorer: Explorer, entry: Reply | undefined): Promise<Hints> {
  const [robots, catalog] = [
    await explorer.ask("/robots.txt"),
    await explorer.ask("/.well-known/api-catalog"),
  ];
  const named = robots && isText(robots) ? robotsLinks(robots.body) : { paths: [], sitemaps: [] };
  const sitemap = await explorer.ask(named.sitemaps[0] ?? "/sitemap.xml");
  const listed = sitemap?.status === 200 && !isPage(sitemap) ? sitemapLinks(sitemap.body) : [];
  const header = entry?.headers["link"] ?? "";
  return {
    documents: [...linkTargets(header, ["service-desc", "describedby"]), ...catalogLinks(catalog?.json)],
    paths: [
      ...named.paths,
      ...listed,
      ...linkTargets(header, ["next", "last", "item", "collection", "self"]),
    ],
  };
}

/** Paths that look like those of an API, in a page and in its first few scripts. */
async function pathsOfPage(explorer: Explorer, page: Reply): Promise<string[]> {
  const paths = apiPathsIn(page.body, MAX_PAGE);
  const scripts = scriptsOf(page.body)
    .map((address) => explorer.locate(address, page.request.url))
    .filter((url) => url !== undefined);
  for (const url of scripts.slice(0, MAX_SCRIPTS)) {
    const script = await explorer.ask(url);
    if (script?.status === 200 && !isPage(script)) paths.push(...apiPathsIn(script.body));
  }
  return [...new Set(paths)];
}

/** Common names of resources: the first few below every likely base path, all of them below the best one. */
async function guess(crawler: Crawler, target: URL): Promise<void> {
  let best: { readonly base: string; readonly existing: number } | undefined;
  for (const base of basesToTry(target, crawler.operations)) {
    const known = crawler.operations.filter(({ path }) => base !== "" && path.startsWith(`${base}/`)).length;
    const existing = known + (await crawler.follow(firstNouns(base), 6));
    if (existing > (best?.existing ?? 0)) best = { base, existing };
  }
  if (best) await crawler.follow(otherNouns(best.base), 60);
}

const isPage = (reply: Reply): boolean => reply.mediaType === "text/html";

const isText = (reply: Reply): boolean => reply.status === 200 && reply.mediaType === "text/plain";
