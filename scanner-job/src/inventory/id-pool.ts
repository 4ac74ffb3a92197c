import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { responseOrNothing } from "../transport/network-error.ts";
import { isBlocked, isDenied, isSuccess } from "../oracles/classify.ts";
import { holdsData } from "../oracles/records.ts";
import { areSimilar } from "../oracles/similarity.ts";
import { impossibleIdLike } from "./id-kinds.ts";
import { fits, idsInLinks, idsInList, idsMentioned, namesUser, type Wanted } from "./find-ids.ts";
import { impossibleId, type Operation } from "./operation.ts";
import { signInFields } from "./sign-in.ts";

export interface IdPool {
  /** Ids of existing objects for the operation's id parameter, best first; at most 10. */
  idsFor(operation: Operation): Promise<string[]>;
  /** A value for every path parameter: found ones that belong together where there are such, else the document's. */
  samplesFor(operation: Operation): Promise<Record<string, string>>;
  /** An id of the form of existing ones that no object has: the `same` for each path, or `another` each time. */
  impossibleIdFor(operation: Operation, which: "same" | "another"): Promise<string | undefined>;
}

export interface IdPoolDeps {
  /** Expected to share identical reads: the same list is asked for again. */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
  readonly operations: readonly Operation[];
  /** The ids of the caller, which come first where a parameter names a user. Default: none are known. */
  readonly ownIds?: () => Promise<Iterable<string>>;
}

const MAX_IDS = 10;
/** Parents whose lists are requested at most: the first may own no objects. */
const MAX_PARENTS = 3;
/** Responses that are searched for mentions of a thing that has no list. */
const MAX_SEARCHED = 15;

/** Finds real ids in what the target's reads return, parents first: `/users/{uid}` before `/users/{uid}/orders/{oid}`. */
export function createIdPool(deps: IdPoolDeps): IdPool {
  const known = new Map<string, Promise<Values[]>>();
  const impossible = new Map<string, string>();
  const find: Find = (operation, depth) => {
    const prefix = prefixOf(operation, depth);
    const values = known.get(prefix) ?? findValues({ ...deps, find }, operation, depth);
    known.set(prefix, values);
    return values;
  };
  const idsFor: IdPool["idsFor"] = async (operation) => {
    const name = operation.idParameter?.name;
    const locations = parameterLocations(operation);
    // No ids are searched for a parameter that is only part of its segment (`{name}.json`).
    if (name === undefined || locations.at(-1)?.name !== name) return [];
    const found = await find(operation, locations.length);
    return [...new Set(found.map((values) => values[name]!))];
  };
  return {
    idsFor,
    async impossibleIdFor(operation, which) {
      const { idParameter, location } = operation;
      if (!idParameter) return undefined;
      const [example] = await idsFor(operation);
      const known = which === "same" ? impossible.get(location.path) : undefined;
      const id = known ?? impossibleIdLike(example, idParameter);
      if (which === "same") impossible.set(location.path, id);
      return id;
    },
    async samplesFor(operation) {
      const found = await find(operation, parameterLocations(operation).length);
      return { ...declaredSamples(operation), ...found[0] };
    },
  };
}

/** One value for each of the first parameters of a path; they belong together. */
type Values = Record<string, string>;

/** Values for the first `depth` path parameters of an operation. */
type Find = (operation: Operation, depth: number) => Promise<Values[]>;

interface Search extends IdPoolDeps {
  readonly find: Find;
}

async function findValues(search: Search, operation: Operation, depth: number): Promise<Values[]> {
  if (depth === 0) return [{}];
  const wanted = wantedAt(operation, depth);
  const found = await search.find(operation, depth - 1);
  const parents = found.length > 0 ? found.slice(0, MAX_PARENTS) : [{}];
  const own = await ownIdsFor(search, wanted);
  for (const parent of parents) {
    const ids = await idsBelow(search, operation, { depth, parent, wanted });
    if (ids.length > 0)
      return valuesOf(parent, wanted, [...own, ...ids, ...declaredSample(operation, wanted)]);
  }
  const elsewhere = await idsElsewhere(search, operation, { depth, wanted });
  const ids = [...own, ...declaredSample(operation, wanted), ...elsewhere];
  const [parent] = parents as [Values];
  return valuesOf(
    parent,
    wanted,
    ids.length > 0 ? ids : await firstNumbers(search, operation, { depth, parent, wanted }),
  );
}

/** Numbers that the first objects have where they are counted: those of 1 to 3 that the read finds, unlike an id of no object. */
async function firstNumbers(
  { send, operations }: Search,
  operation: Operation,
  { depth, parent, wanted: { parameter } }: { depth: number; parent: Values; wanted: Wanted },
): Promise<readonly string[]> {
  const read = readOf(operations, prefixOf(operation, depth));
  if (!read || (parameter.type !== "integer" && parameter.type !== "number")) return [];
  const responseWith = (id: string) => responseOrNothing(send, requestFor(read, parent, id));
  const first = await responseWith("1");
  if (first && !isSuccess(first) && first.status !== 404) return [];
  const none = await responseWith(impossibleId(parameter));
  const isObject = (response: ProbeResponse | undefined): boolean =>
    response !== undefined &&
    isSuccess(response) &&
    holdsData(response.json) &&
    none !== undefined &&
    !areSimilar(response, none);
  const others = [await responseWith("2"), await responseWith("3")];
  return ["1", "2", "3"].filter((_, index) => isObject([first, ...others][index]));
}

const ownIdsFor = async ({ ownIds }: Search, wanted: Wanted): Promise<string[]> =>
  ownIds && namesUser(wanted) ? [...(await ownIds())].filter((id) => fits(id, wanted.parameter)) : [];

function valuesOf(parent: Values, { parameter }: Wanted, ids: readonly string[]): Values[] {
  return [...new Set(ids)].slice(0, MAX_IDS).map((id) => ({ ...parent, [parameter.name]: id }));
}

/** What the list operation just above the parameter returns, for one parent. */
async function idsBelow(
  { send, operations }: Search,
  operation: Operation,
  { depth, parent, wanted }: { depth: number; parent: Values; wanted: Wanted },
): Promise<string[]> {
  const path = prefixOf(operation, depth);
  const above = shape(path.slice(0, path.lastIndexOf("/")));
  const list = operations.find(
    ({ facts }) => facts.method === "GET" && shape(facts.base + facts.path) === above,
  );
  if (!list) return [];
  const locations = parameterLocations(list);
  const values = Object.fromEntries(
    Object.values(parent).map((value, index) => [locations[index]?.name ?? "", value]),
  );
  const json = await jsonOf(send, list.request({ path: values }));
  const members = idsInList(json, wanted);
  const read = readOf(operations, path);
  const ids = members.length > 1 && read ? await idsThatRead(send, members, { read, parent }) : members[0];
  return [...new Set([...(ids ?? []), ...idsInLinks(json, filled(path, parent), wanted)])];
}

/**
 * The values of the member that the read takes for ids: the first with which it succeeds or demands credentials; where all
 * are refused, the likeliest member's.
 */
async function idsThatRead(
  send: IdPoolDeps["send"],
  members: readonly (readonly string[])[],
  { read, parent }: { read: Operation; parent: Values },
): Promise<readonly string[]> {
  for (const ids of members) {
    const response = await responseOrNothing(send, requestFor(read, parent, ids[0]!));
    if (!response || isSuccess(response) || isDenied(response) || isBlocked(response)) return ids;
  }
  return members[0]!;
}

/** The read of the objects at a path. */
const readOf = (operations: readonly Operation[], path: string): Operation | undefined =>
  operations.find(({ facts, location }) => facts.method === "GET" && shape(location.path) === shape(path));

/** Asks for the object of this id below its parents, regardless of how the read calls their parameters. */
function requestFor(read: Operation, parent: Values, id: string): ProbeRequest {
  const names = parameterLocations(read).map(({ name }) => name);
  const above = Object.values(parent).map((value, index) => [names[index]!, value]);
  return read.request({ path: { ...Object.fromEntries(above), [names.at(-1)!]: id } });
}

/** Mentions and links in the responses of reads that need no id. */
async function idsElsewhere(
  { send, operations }: Search,
  operation: Operation,
  { depth, wanted }: { depth: number; wanted: Wanted },
): Promise<string[]> {
  const path = prefixOf(operation, depth);
  const reads = operations.filter(
    ({ facts, isRead }) => isRead && !facts.path.includes("{") && !signInFields(facts),
  );
  const found: string[] = [];
  for (const read of reads.slice(0, MAX_SEARCHED)) {
    const json = await jsonOf(send, read.request());
    found.push(...idsInLinks(json, path, wanted), ...idsMentioned(json, wanted));
    if (found.length >= MAX_IDS) break;
  }
  return found;
}

async function jsonOf(send: IdPoolDeps["send"], request: ProbeRequest): Promise<unknown> {
  const response = await responseOrNothing(send, request);
  return response && response.status >= 200 && response.status < 300 ? response.json : undefined;
}

interface PathParameter {
  readonly name: string;
  /** Where the segment ends in the full path. */
  readonly end: number;
}

/** The path parameters that fill a whole segment, in order. */
function parameterLocations({ location }: Operation): PathParameter[] {
  return [...location.path.matchAll(/\/\{([^{}/]+)\}(?=\/|$)/g)].map((match) => ({
    name: match[1]!,
    end: match.index + match[0].length,
  }));
}

const prefixOf = (operation: Operation, depth: number): string =>
  operation.location.path.slice(0, parameterLocations(operation)[depth - 1]?.end ?? 0);

function wantedAt(operation: Operation, depth: number): Wanted {
  const { name } = parameterLocations(operation)[depth - 1]!;
  const fixed = prefixOf(operation, depth)
    .split("/")
    .filter((segment) => !segment.startsWith("{"));
  return {
    parameter: operation.parameter("path", name) ?? { name, type: "string" },
    collection: fixed.at(-1) ?? "",
  };
}

/** Names of parameters do not distinguish paths, nor does a trailing slash. */
const shape = (path: string): string => path.replace(/\{[^{}]*\}/g, "{}").replace(/\/+$/, "");

const filled = (path: string, values: Values): string =>
  path.replace(/\{([^{}]+)\}/g, (whole, name: string) => values[name] ?? whole);

function declaredSample(operation: Operation, { parameter: { name } }: Wanted): string[] {
  const parameter = operation.parameter("path", name);
  if (!parameter?.sampleIsDeclared) return [];
  return [...new Set([parameter.sample, ...(parameter.enum ?? [])])].slice(0, MAX_IDS);
}

function declaredSamples({ facts }: Operation): Values {
  const inPath = facts.parameters.filter((parameter) => parameter.in === "path");
  return Object.fromEntries(inPath.map((parameter) => [parameter.name, parameter.sample]));
}
