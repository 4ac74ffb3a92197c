import { isObject, withMember } from "../json.ts";
import { isBlocked, isDenied, isRejectedInput, isSuccess } from "../oracles/classify.ts";
import { holdsData } from "../oracles/records.ts";
import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import { answerOrNothing } from "../transport/network-error.ts";
import { corrected } from "./corrections.ts";
import type { IdPool } from "./id-pool.ts";
import { linkedValues } from "./linked-values.ts";
import type { Operation, Parameter, RequestChanges } from "./operation.ts";
import { bodyPathOf } from "./serialization.ts";
import { isUserName, signInFields } from "./sign-in.ts";
import { validationErrors } from "./validation-errors.ts";
import { ValuePool } from "./value-pool.ts";

/** How each operation is called so that its handler is reached. */
export interface OrdinaryRequests {
  /**
   * The changes to the document's own request with which the operation answers with success: real ids, values seen in
   * other answers, optional parameters, another example, and what refusals demanded. Where nothing does, the likeliest.
   */
  changesFor(operation: Operation): Promise<RequestChanges>;
  /**
   * The variants of a read that are sent once: with `changesFor`, and with all of its optional parameters where it
   * has such and that is something else.
   */
  readsOf(operation: Operation): Promise<readonly RequestChanges[]>;
  /** Takes the values out of an answer of the operation, for the requests that are made after it. */
  learn(operation: Operation, reply: Reply): void;
}

interface Deps {
  /** Expected to share identical requests. */
  readonly send: (request: ProbeRequest) => Promise<Reply>;
  readonly operations: readonly Operation[];
  readonly idPool: Pick<IdPool, "samplesFor" | "idsFor">;
}

/** Requests that are tried for one operation. */
const MAX_TRIES = 6;
/** Lists that are read for values. */
const MAX_PRODUCERS = 20;

export function createOrdinaryRequests(deps: Deps): OrdinaryRequests {
  const known = new Map<Operation, Promise<RequestChanges>>();
  const values = new ValuePool();
  let filled: Promise<ValuePool> | undefined;
  const pool = (): Promise<ValuePool> => (filled ??= fill(values, deps));
  const learn: OrdinaryRequests["learn"] = (operation, reply) => {
    if (isSuccess(reply)) values.add(operation.facts.path, reply.json);
  };
  const find = async (operation: Operation): Promise<RequestChanges> => {
    const path = await deps.idPool.samplesFor(operation);
    if (!operation.isRead) return { path };
    return firstThatWorks(deps, operation, { path, pool, learn });
  };
  const changesFor: OrdinaryRequests["changesFor"] = (operation) => {
    const changes = known.get(operation) ?? find(operation);
    known.set(operation, changes);
    return changes;
  };
  return {
    changesFor,
    learn,
    async readsOf(operation) {
      const usual = await changesFor(operation);
      if (!hasOptional(operation) || usual.parameters === "all") return [usual];
      const seen = withSeen(operation, await pool(), "all");
      return [usual, { ...seen, ...usual, query: { ...seen.query, ...usual.query }, parameters: "all" }];
    },
  };
}

interface Known {
  readonly path: Readonly<Record<string, string>>;
  readonly pool: () => Promise<ValuePool>;
  readonly learn: OrdinaryRequests["learn"];
}

async function firstThatWorks(deps: Deps, operation: Operation, known: Known): Promise<RequestChanges> {
  let likeliest: RequestChanges | undefined;
  let empty: RequestChanges | undefined;
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
    const reply = await answerOrNothing(deps.send, request);
    if (reply && isSuccess(reply)) {
      known.learn(operation, reply);
      if (!isObject(reply.json) && !Array.isArray(reply.json)) return changes;
      if (holdsData(reply.json)) return changes;
      // An empty list is a success too; another value may find something.
      empty ??= changes;
    }
    // A demand for credentials, a wrong method or a limit is not met by other values.
    if (!reply || !isAboutInput(reply)) break;
    if (isSuccess(reply)) continue;
    // What gets past the validation is closer to the handler than what does not.
    if (!isRejectedInput(reply)) likeliest ??= changes;
    else next = await demanded(operation, changes, { reply, known });
  }
  return empty ?? likeliest ?? { path: known.path };
}

/** The same request as the refusal demands it; undefined where it demands nothing that is understood. */
async function demanded(
  operation: Operation,
  changes: RequestChanges,
  { reply, known }: { reply: Reply; known: Known },
): Promise<RequestChanges | undefined> {
  const errors = validationErrors(reply.json ?? reply.body.slice(0, MAX_TEXT));
  if (errors.length === 0) return undefined;
  const pool = await known.pool();
  return corrected(operation, changes, {
    errors,
    seen: (wanted) => pool.valueFor(wanted, operation.facts.path),
  });
}

/** A refusal in plain text is a line; more is a page. */
const MAX_TEXT = 1_000;

const isAboutInput = (reply: Reply): boolean =>
  [200, 400, 404, 409, 410, 415, 422, 500].includes(reply.status) && !isDenied(reply) && !isBlocked(reply);

const hasOptional = ({ facts }: Operation): boolean =>
  facts.parameters.some(({ in: place, required }) => place !== "path" && place !== "graphql" && !required);

/** The likeliest first; each is only made when those before it were no success. */
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
  const usual = withUsualName(operation);
  if (usual) yield { ...filled, ...usual, path: { ...filled.path, ...usual.path } };
  for (const content of otherBodies(operation)) yield { path, content };
  if (idParameter) {
    const others = (await deps.idPool.idsFor(operation)).filter((id) => id !== path[idParameter.name]);
    for (const id of others.slice(0, 2)) yield { path: { ...path, [idParameter.name]: id } };
  }
  return undefined;
}

/** Values that other answers show, for what the document gives no value itself. */
function withSeen({ facts }: Operation, pool: ValuePool, which: "required" | "all"): RequestChanges {
  const seen = (place: Parameter["in"]): [string, string][] =>
    facts.parameters.flatMap((parameter) => {
      const isWanted = parameter.required || which === "all" || /^(q|query|search)$/i.test(parameter.name);
      if (parameter.in !== place || parameter.sampleIsDeclared || !isWanted) return [];
      const value = pool.valueFor(parameter, facts.path);
      return value === undefined ? [] : [[parameter.name, value]];
    });
  const [path, query, header] = [seen("path"), seen("query"), seen("header")];
  const content = contentWith(facts, pool) ?? variablesWith(facts, seen("graphql"));
  return {
    ...(path.length > 0 ? { path: Object.fromEntries(path) } : {}),
    ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
    ...(header.length > 0
      ? { headers: Object.fromEntries(header.map(([name, value]) => [name.toLowerCase(), value])) }
      : {}),
    ...(content === undefined ? {} : { content }),
  };
}

/** A name that most systems have, where a name of a user is asked for and the document gives none. */
function withUsualName({ facts }: Operation): RequestChanges | undefined {
  // Each attempt to sign in counts towards a lock.
  if (signInFields(facts)) return undefined;
  const named = (place: Parameter["in"]): [string, string][] =>
    facts.parameters
      .filter(
        ({ in: own, name, type, sampleIsDeclared }) =>
          own === place && type === "string" && !sampleIsDeclared && isUserName(name.split(".").at(-1)!),
      )
      .map(({ name }) => [name, "admin"]);
  const [path, query, graphql] = [named("path"), named("query"), named("graphql")];
  if (path.length + query.length + graphql.length === 0) return undefined;
  const content = variablesWith(facts, graphql);
  return {
    path: Object.fromEntries(path),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(content !== undefined && { content }),
  };
}

function contentWith({ body, path: ofOperation }: Operation["facts"], pool: ValuePool): unknown {
  if (!body || !isObject(body.sample)) return undefined;
  const values = body.fields.flatMap(({ path, name, type, format }) => {
    if (path !== name || (type !== "string" && type !== "integer" && type !== "number")) return [];
    const value = pool.valueFor({ name, type, ...(format === undefined ? {} : { format }) }, ofOperation);
    return value === undefined ? [] : [[name, type === "string" ? value : Number(value)] as const];
  });
  return values.length === 0 ? undefined : { ...body.sample, ...Object.fromEntries(values) };
}

function variablesWith({ body }: Operation["facts"], seen: readonly (readonly [string, string])[]): unknown {
  if (seen.length === 0) return undefined;
  return seen.reduce(
    (content, [name, value]) => withMember(content, bodyPathOf({ in: "graphql", name }), value),
    body?.sample,
  );
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

/** Adds the values of lists that anyone may read, those that are read by POST too. */
async function fill(values: ValuePool, deps: Deps): Promise<ValuePool> {
  const rank = ({ facts: { security } }: Operation): number => (security === "required" ? 1 : 0);
  const producers = deps.operations
    .filter(({ facts, isRead }) => isRead && !facts.path.includes("{") && !signInFields(facts))
    .toSorted((a, b) => rank(a) - rank(b));
  for (const producer of producers.slice(0, MAX_PRODUCERS)) {
    const reply = await answerOrNothing(deps.send, producer.request());
    if (reply && isSuccess(reply)) values.add(producer.facts.path, reply.json);
  }
  return values;
}
