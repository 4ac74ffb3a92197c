import { isObject } from "../json.ts";
import { isBlocked, isDenied, isRejectedInput, isSuccess } from "../oracles/classify.ts";
import { holdsData } from "../oracles/records.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { responseOrNothing } from "../transport/network-error.ts";
import { corrected } from "./corrections.ts";
import type { IdPool } from "./id-pool.ts";
import { linkedValues } from "./linked-values.ts";
import type { Operation, RequestChanges } from "./operation.ts";
import { signInFields } from "./sign-in.ts";
import { validationErrors } from "./validation-errors.ts";
import { ValuePool } from "./value-pool.ts";
import { withSeen, withCommonName } from "./values-for-requests.ts";

/** How each operation is called so that its handler is reached. */
export interface BaselineRequests {
  /**
   * The changes to the document's own request with which the operation succeeds: real ids, values seen in
   * other responses, optional parameters, another example, and what refusals demanded. Where nothing does, the likeliest.
   */
  changesFor(operation: Operation): Promise<RequestChanges>;
  /**
   * The variants of a read that are sent once: with `changesFor`, and with all of its optional parameters where it
   * has such and that is something else.
   */
  readsOf(operation: Operation): Promise<readonly RequestChanges[]>;
  /** Takes the values out of a response of the operation, for the requests that are made after it. */
  learn(operation: Operation, response: ProbeResponse): void;
}

interface Deps {
  /** Expected to share identical requests. */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
  readonly operations: readonly Operation[];
  readonly idPool: Pick<IdPool, "samplesFor" | "idsFor">;
}

/** Requests that are tried for one operation. */
const MAX_TRIES = 6;
/** Lists that are read for values. */
const MAX_PRODUCERS = 20;

export function createBaselineRequests(deps: Deps): BaselineRequests {
  const known = new Map<Operation, Promise<RequestChanges>>();
  const values = new ValuePool();
  let filled: Promise<ValuePool> | undefined;
  const pool = (): Promise<ValuePool> => (filled ??= fill(values, deps));
  const learn: BaselineRequests["learn"] = (operation, response) => {
    if (isSuccess(response)) values.add(operation.facts.path, response.json);
  };
  const find = async (operation: Operation): Promise<RequestChanges> => {
    const path = await deps.idPool.samplesFor(operation);
    if (!operation.isRead) return { path };
    return firstThatWorks(deps, operation, { path, pool, learn });
  };
  const changesFor: BaselineRequests["changesFor"] = (operation) => {
    const changes = known.get(operation) ?? find(operation);
    known.set(operation, changes);
    return changes;
  };
  return {
    changesFor,
    learn,
    async readsOf(operation) {
      const changes = await changesFor(operation);
      if (!hasOptional(operation) || changes.parameters === "all") return [changes];
      const seen = withSeen(operation, await pool(), "all");
      return [
        changes,
        { ...seen, ...changes, query: { ...seen.query, ...changes.query }, parameters: "all" },
      ];
    },
  };
}

interface Known {
  readonly path: Readonly<Record<string, string>>;
  readonly pool: () => Promise<ValuePool>;
  readonly learn: BaselineRequests["learn"];
}

async function firstThatWorks(deps: Deps, operation: Operation, known: Known): Promise<RequestChanges> {
  const found: Partial<Record<Kept, RequestChanges>> = {};
  const tried = new Set<string>();
  const prepared = variants(deps, operation, known);
  let next: RequestChanges | undefined;
  while (tried.size < MAX_TRIES) {
    const changes = next ?? (await prepared.next()).value;
    if (!changes) break;
    next = undefined;
    const request = operation.request(changes);
    const key = JSON.stringify([request.url, request.headers, request.body]);
    if (tried.has(key)) continue;
    tried.add(key);
    const response = await responseOrNothing(deps.send, request);
    const judged = judge(response);
    if (!response || judged === "final") break;
    known.learn(operation, response);
    if (judged === "works") return changes;
    if (judged === "rejected") next = await demanded(operation, changes, { response, known });
    else found[judged] ??= changes;
  }
  return found.empty ?? found.past ?? { path: { ...known.path, ...commonNamesIn(operation, known.path) } };
}

/** The common names instead of path values that nothing has shown. */
const commonNamesIn = (operation: Operation, path: Known["path"]): Known["path"] =>
  Object.fromEntries(
    Object.entries(withCommonName(operation)?.path ?? {}).filter(
      ([name]) => path[name] === undefined || path[name] === operation.parameter("path", name)?.sample,
    ),
  );

/** An empty list is also a success, but another value may find something; what gets past the validation is close to the handler. */
type Kept = "empty" | "past";

/** A demand for credentials, a wrong method or a limit is final: it is not met by other values. */
function judge(response: ProbeResponse | undefined): "works" | "rejected" | "final" | Kept {
  if (response && isSuccess(response)) return isEmpty(response) ? "empty" : "works";
  if (!response || !isAboutInput(response)) return "final";
  return isRejectedInput(response) ? "rejected" : "past";
}

const isEmpty = ({ json }: ProbeResponse): boolean =>
  typeof json === "object" && json !== null && !holdsData(json);

/** The same request as the refusal demands it; undefined where it demands nothing that is understood. */
async function demanded(
  operation: Operation,
  changes: RequestChanges,
  { response, known }: { response: ProbeResponse; known: Known },
): Promise<RequestChanges | undefined> {
  const errors = validationErrors(response.json ?? response.body.slice(0, MAX_TEXT));
  if (errors.length === 0) return undefined;
  const pool = await known.pool();
  return corrected(operation, changes, {
    errors,
    seen: (wanted) => pool.valueFor(wanted, operation.facts.path),
  });
}

/** A refusal in plain text is a line; more is a page. */
const MAX_TEXT = 1_000;

const isAboutInput = (response: ProbeResponse): boolean =>
  [200, 400, 404, 409, 410, 415, 422, 500].includes(response.status) &&
  !isDenied(response) &&
  !isBlocked(response);

const hasOptional = ({ facts }: Operation): boolean =>
  facts.parameters.some(
    ({ in: location, required }) => location !== "path" && location !== "graphql" && !required,
  );

/** The likeliest first; each is only made when those before it did not succeed. */
async function* variants(
  deps: Deps,
  operation: Operation,
  { path, pool }: Known,
): AsyncGenerator<RequestChanges, undefined> {
  const { facts, idParameter } = operation;
  yield { path };
  const linked = await linkedValues(deps, operation);
  if (linked) yield { ...linked, path: { ...path, ...linked.path } };
  const isOpen = facts.parameters.length > 0 || facts.body !== undefined;
  const seen = isOpen ? withSeen(operation, await pool(), "required") : {};
  const isMadeUp = ([name]: [string, string]): boolean =>
    path[name] === operation.parameter("path", name)?.sample;
  const ids = Object.fromEntries(Object.entries(seen.path ?? {}).filter(isMadeUp));
  const filled = { ...seen, path: { ...path, ...ids } };
  if (Object.keys(seen).length > 0) yield filled;
  if (hasOptional(operation))
    yield { ...filled, ...withSeen(operation, await pool(), "all"), path: filled.path, parameters: "all" };
  const named = withCommonName(operation);
  if (named) yield { ...filled, ...named, path: { ...filled.path, ...named.path } };
  for (const content of otherBodies(operation)) yield { path, content };
  if (idParameter) {
    const others = (await deps.idPool.idsFor(operation)).filter((id) => id !== path[idParameter.name]);
    for (const id of others.slice(0, 2)) yield { path: { ...path, [idParameter.name]: id } };
  }
  return undefined;
}

/** Other examples and alternatives, and the body with the required members alone. */
function otherBodies({ facts: { body } }: Operation): unknown[] {
  if (!body) return [];
  const required = new Set(body.fields.filter((field) => field.required).map(({ path }) => path));
  const all = isObject(body.sample) ? Object.entries(body.sample) : [];
  const needed = all.filter(([name]) => required.has(name));
  const fewer = needed.length < all.length ? [Object.fromEntries(needed)] : [];
  return [...(body.otherSamples ?? []), ...fewer];
}

/** Adds the values of lists that anyone may read, also those that are read by POST. */
async function fill(values: ValuePool, deps: Deps): Promise<ValuePool> {
  const rank = ({ facts: { security } }: Operation): number => (security === "required" ? 1 : 0);
  const producers = deps.operations
    .filter(({ facts, isRead }) => isRead && !facts.path.includes("{") && !signInFields(facts))
    .toSorted((a, b) => rank(a) - rank(b));
  const read = producers.slice(0, MAX_PRODUCERS);
  const responses = await Promise.all(
    read.map((producer) => responseOrNothing(deps.send, producer.request())),
  );
  for (const [index, producer] of read.entries()) {
    const response = responses[index];
    if (response && isSuccess(response)) values.add(producer.facts.path, response.json);
  }
  return values;
}
