import type { Subject, TargetProfile } from "../engine/check.ts";
import { calls } from "../engine/reach.ts";
import { isDestructive } from "../inventory/effects.ts";
import { parentOfCollection, shapeOf } from "../inventory/discovery/path-template.ts";
import type { Operation } from "../inventory/operation.ts";
import { ROUTE_NAMES } from "./route-names.ts";

/** Paths below one prefix that may exist, to be asked for together. */
export interface RouteGuesses extends Subject {
  readonly prefix: string;
  readonly paths: readonly string[];
  readonly prior: number;
}

const BATCH = 10;
const MAX_PREFIXES = 5;

/** What may exist beside the known operations, the likeliest first; nothing that destroys by its name. */
export function routeGuesses({ operations, target }: TargetProfile): readonly RouteGuesses[] {
  const known = new Set(
    operations.filter(({ facts }) => facts.method === "GET").map(({ location }) => shapeOf(location.path)),
  );
  const taken = operations.filter(takesAnyName);
  const isNew = (path: string): boolean =>
    !known.has(shapeOf(path)) &&
    !isDestructive({ method: "GET", path }) &&
    !taken.some((operation) => calls({ method: "GET", url: target.origin + path }, operation));
  const prefixes = prefixesOf(operations, target);
  const gaps = batchesOf({ prefix: "", kind: "gaps", prior: 0.8 }, gapsIn(operations).filter(isNew));
  const named = prefixes.flatMap((prefix, index) =>
    ROUTE_NAMES.flatMap(({ kind, prior, names }) => {
      const paths = names.split(" ").map((name) => `${prefix}/${name}`);
      return batchesOf({ prefix, kind, prior: prior / (1 + index / 2) }, paths.filter(isNew));
    }),
  );
  const audiences = forOthers(operations).flatMap(({ prefix, paths }) =>
    batchesOf({ prefix, kind: "audiences", prior: 0.5 }, paths.filter(isNew)),
  );
  return [...gaps, ...audiences, ...named.toSorted((a, b) => b.prior - a.prior)];
}

/**
 * The same resources for other callers: `/api/internal/users` and `/api/v1/admin/users` beside `/api/v1/users`. Only for
 * paths with a version, which show that resources have prefixes.
 */
function forOthers(operations: readonly Operation[]): { prefix: string; paths: string[] }[] {
  const versioned = operations.flatMap(({ location }) => {
    const [, before, version, resource] = /^(.*)\/(v\d{1,2})\/([^/{}]+)/i.exec(location.path) ?? [];
    return before === undefined || before.includes("{") ? [] : [{ before, version, resource }];
  });
  const found = new Map<string, Set<string>>();
  for (const { before, version, resource } of versioned) {
    for (const audience of AUDIENCES)
      for (const prefix of [`${before}/${audience}`, `${before}/${version}/${audience}`])
        found.set(prefix, (found.get(prefix) ?? new Set()).add(`${prefix}/${resource}`));
  }
  return [...found]
    .slice(0, MAX_AUDIENCES)
    .map(([prefix, paths]) => ({ prefix, paths: [...paths].slice(0, BATCH) }));
}

const AUDIENCES = ["internal", "admin", "private"];
const MAX_AUDIENCES = 2 * AUDIENCES.length;

/** A read whose parameters take a guessed name for the id of an object: `admin` is a user of `/users/{name}`. */
const takesAnyName = ({ facts }: Operation): boolean =>
  facts.method === "GET" &&
  facts.parameters.some(
    ({ in: location, type, format }) => location === "path" && type === "string" && format !== "uuid",
  );

function batchesOf(
  { prefix, kind, prior }: { prefix: string; kind: string; prior: number },
  paths: readonly string[],
): RouteGuesses[] {
  return Array.from({ length: Math.ceil(paths.length / BATCH) }, (_, index) => ({
    prefix,
    prior: prior / (1 + index),
    paths: paths.slice(index * BATCH, (index + 1) * BATCH),
    location: { method: "GET", path: `${prefix}/{name}`, parameter: `${kind} ${index + 1}` },
  }));
}

/** Below which names are tried: where most operations are, the target's path, the bases of servers, and the root. @internal */
export function prefixesOf(operations: readonly Operation[], target: URL): string[] {
  const parents = operations.map(({ location }) => parentOfCollection(location.path));
  const counts = new Map<string, number>();
  for (const parent of parents) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  const busy = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
  const own = target.pathname.replace(/\/+$/, "");
  const bases = [...new Set(operations.map(({ facts }) => facts.base))];
  const all = [...busy.slice(0, 3).map(([prefix]) => prefix), own, ...bases, "", "/api"];
  return [...new Set(all)].slice(0, MAX_PREFIXES);
}

/**
 * What the vocabulary of the API leaves out: the collection of a known object, and for collections what their neighbours
 * have (`/orders/search`, `/orders/export`, `/orders/count`, `/orders/all`).
 */
function gapsIn(operations: readonly Operation[]): string[] {
  const collections = new Set<string>();
  for (const { location } of operations) {
    const before = /^(.*\/[^/{}]+)\/\{[^{}]+\}/.exec(location.path)?.[1];
    if (before !== undefined && !before.includes("{")) collections.add(before);
    else if (/s$/.test(location.path) && !location.path.includes("{")) collections.add(location.path);
  }
  const bare = [...collections];
  const beside = bare.slice(0, 12).flatMap((path) => SUBROUTES.map((name) => `${path}/${name}`));
  return [...bare, ...beside];
}

const SUBROUTES = ["all", "export", "search", "count", "me", "admin", "debug", "_debug"];
