import type { ProbeResponse } from "../../transport/exchange.ts";
import type { ApiDocument, DocumentSource, ReadResult } from "../api-document.ts";
import type { AppliedFilters } from "../../transport/request-filter.ts";
import { Explorer, type Send } from "./explorer.ts";
import { catalogLinks, findDocument } from "./find-document.ts";
import { linkTargets, robotsLinks, sitemapLinks } from "./links.ts";
import { Crawler } from "./crawler.ts";
import { parentOfCollection, parentOf, shapeOf } from "./path-template.ts";
import { isPage, readSite } from "./site.ts";
import type { OperationFacts } from "../operation.ts";

export interface DiscoverDeps {
  readonly send: Send;
  readonly targetUrl: URL;
  /** True for the response of this host to paths that cannot exist. */
  readonly isMissing: (response: ProbeResponse) => Promise<boolean> | boolean;
  readonly readDocument: (text: string, source: DocumentSource) => Promise<ReadResult>;
  /** The document of the order: no other is searched for, and declared paths are not requested again. */
  readonly document?: ApiDocument;
  /** Of the whole scan. */
  readonly maxRequests: number;
}

export interface Discovery {
  /** A document that the target serves to anyone. */
  readonly document?: ApiDocument;
  /** What exists beside it; `source` is "discovered". */
  readonly operations: readonly OperationFacts[];
  /** Reads that were not asked for, because by their names they destroy something. */
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
}

/** Requests of a discovery at most, and the share of the scan's that it may use. */
const MAX_REQUESTS = 300;
const SHARE = 0.4;
const MAX_FOLLOWED = 60;
const MAX_SIBLINGS = 8;

/** Finds the operations of a target by reads alone, stopping early; all of them are sent to the target's origin. */
export async function discover(deps: DiscoverDeps): Promise<Discovery> {
  const { send, targetUrl: target, readDocument } = deps;
  // The document is no operation, and may be anywhere.
  let filters: AppliedFilters = deps.document ? "all" : "exclude";
  const explorer = new Explorer(
    (request, options) => send(request, { ...options, filters }),
    target,
    Math.min(MAX_REQUESTS, Math.ceil(deps.maxRequests * SHARE)),
  );
  const entry = await explorer.open(target);
  const hints = await hintsOf(explorer, entry);
  const found = deps.document
    ? undefined
    : await findDocument({ explorer, target, readDocument }, { entry, hints: hints.documents });

  filters = "all";
  const document = deps.document ?? found;
  const declared = document?.operations ?? [];
  const crawler = new Crawler({ explorer, isMissing: deps.isMissing, declared });
  const site = await readSite(explorer, entry);
  await crawler.follow([target.href, ...site.addresses, ...hints.paths, ...METADATA], MAX_FOLLOWED);
  await crawler.followDeclared(MAX_FOLLOWED);
  const siblings = (): string[] => versionSiblings([...declared, ...crawler.operations], MAX_SIBLINGS);
  await crawler.follow(siblings(), 2 * MAX_SIBLINGS);
  if (!document) await guess(crawler, target);
  await crawler.follow(siblings(), MAX_SIBLINGS);
  return {
    ...(found ? { document: found } : {}),
    operations: distinct([...site.forms, ...crawler.operations]),
    leftOut: crawler.leftOut,
    notes: explorer.endedBy ? [ENDED_EARLY[explorer.endedBy]] : [],
  };
}

const ENDED_EARLY = {
  "own limit": "Discovery ended early: it reached its request limit or the time limit of the scan.",
  target: "Discovery ended early: the target stopped responding or began to block the scan.",
} as const;

/** A form describes more of an operation than the response to a read of its URL. */
const distinct = (operations: readonly OperationFacts[]): OperationFacts[] => {
  const byName = new Map<string, OperationFacts>();
  for (const facts of operations) {
    const name = `${facts.method} ${shapeOf(facts.path)}`;
    if (!byName.has(name)) byName.set(name, facts);
  }
  return [...byName.values()];
};

/** Where servers describe themselves (RFC 8414, OpenID Connect Discovery); their endpoints are operations. */
const METADATA = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/** Locations of the API and its document as published by the target. */
async function hintsOf(
  explorer: Explorer,
  entry: ProbeResponse | undefined,
): Promise<{ readonly documents: readonly string[]; readonly paths: readonly string[] }> {
  const [robots, catalog] = await Promise.all(
    ["/robots.txt", "/.well-known/api-catalog"].map((path) => explorer.ask(path)),
  );
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

const isText = (response: ProbeResponse): boolean =>
  response.status === 200 && response.mediaType === "text/plain";

/** Resources that APIs have in common; the first four decide whether the others are requested below a base path. */
const NOUNS = (
  "users products orders health " +
  "items status accounts customers admin posts comments categories search me profile auth/login login config settings info version " +
  "files documents messages notifications events tasks projects teams groups roles permissions invoices payments " +
  "transactions subscriptions plans carts reviews articles pages tags media images books pets " +
  "organizations companies employees tickets reports stats metrics logs sessions tokens keys webhooks jobs ping graphql"
).split(" ");

const FIRST = 4;

const firstNouns = (base: string): string[] => NOUNS.slice(0, FIRST).map((noun) => `${base}/${noun}`);
const otherNouns = (base: string): string[] => NOUNS.slice(FIRST).map((noun) => `${base}/${noun}`);

/**
 * Base paths below which resources may be, the likeliest first: around what was found, the target's path, the common ones.
 * @internal
 */
export function basesToTry(target: URL, found: readonly OperationFacts[]): string[] {
  const around = found.map(({ base, path }) => parentOfCollection(base + path));
  const own = target.pathname.replace(/\/+$/, "");
  return [...new Set([...commonest(around), own, parentOf(own), "/api", "/api/v1", "/v1", "/v2", ""])].slice(
    0,
    7,
  );
}

/**
 * The same paths in the versions beside theirs: `/v2/users` gives `/v1/users` and `/v3/users`. Two paths of each
 * version, so that few requests decide.
 * @internal
 */
export function versionSiblings(operations: readonly OperationFacts[], max: number): string[] {
  const paths = operations
    .filter(({ method, path }) => method === "GET" && !path.includes("{"))
    .map(({ base, path }) => base + path);
  const known = new Set(paths);
  const perVersion = new Map<string, number>();
  const siblings = paths.flatMap((path) => {
    const [, before, number, after] = /^(.*?\/v)(\d{1,2})(\/.*)$/.exec(path) ?? [];
    if (before === undefined || after === undefined) return [];
    const seen = perVersion.get(before + number) ?? 0;
    perVersion.set(before + number, seen + 1);
    return seen < 2 ? siblingNumbers(Number(number)).map((other) => before + other + after) : [];
  });
  return [...new Set(siblings)].filter((path) => !known.has(path)).slice(0, max);
}

const siblingNumbers = (number: number): number[] =>
  [number - 1, number + 1, number - 2].filter((other) => other >= 0);

/** The two values that occur most. */
function commonest(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 2)
    .map(([value]) => value);
}
