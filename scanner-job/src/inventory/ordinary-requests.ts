import { isBlocked, isDenied, isSuccess } from "../oracles/classify.ts";
import { answerOrNothing } from "../transport/network-error.ts";
import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import { isObject } from "../json.ts";
import { Harvest } from "./harvest.ts";
import type { IdPool } from "./id-pool.ts";
import { linkedValues } from "./linked-values.ts";
import type { Operation, Parameter, RequestChanges } from "./operation.ts";

/** How each operation is called so that its handler is reached. */
export interface OrdinaryRequests {
  /**
   * The changes to the document's own request with which the operation answers with success: real ids, values seen in
   * other answers, optional parameters, another example. Where nothing does, the likeliest.
   */
  changesFor(operation: Operation): Promise<RequestChanges>;
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
  let harvest: Promise<Harvest> | undefined;
  const find = async (operation: Operation): Promise<RequestChanges> => {
    const path = await deps.idPool.samplesFor(operation);
    if (!operation.isRead) return { path };
    return firstThatWorks(deps, operation, { path, harvest: () => (harvest ??= harvestOf(deps)) });
  };
  return {
    changesFor(operation) {
      const changes = known.get(operation) ?? find(operation);
      known.set(operation, changes);
      return changes;
    },
  };
}

interface Known {
  readonly path: Readonly<Record<string, string>>;
  readonly harvest: () => Promise<Harvest>;
}

async function firstThatWorks(deps: Deps, operation: Operation, known: Known): Promise<RequestChanges> {
  const likeliest: RequestChanges = { path: known.path };
  let tries = 0;
  for await (const changes of variants(deps, operation, known)) {
    const reply = await answerOrNothing(deps.send, operation.request(changes));
    if (reply && isSuccess(reply)) return changes;
    // A demand for credentials, a wrong method or a limit is not met by other values.
    if (!reply || !isAboutInput(reply) || (tries += 1) >= MAX_TRIES) break;
  }
  return likeliest;
}

const isAboutInput = (reply: Reply): boolean =>
  [200, 400, 404, 409, 410, 415, 422, 500].includes(reply.status) && !isDenied(reply) && !isBlocked(reply);

/** The likeliest first; each is only made when those before it were no success. */
async function* variants(
  deps: Deps,
  operation: Operation,
  { path, harvest }: Known,
): AsyncGenerator<RequestChanges> {
  const { facts, idParameter } = operation;
  yield { path };
  const linked = await linkedValues(deps, operation);
  if (linked) yield { ...linked, path: { ...path, ...linked.path } };
  const isOpen = facts.parameters.some(({ in: place }) => place !== "path") || facts.body !== undefined;
  const seen = isOpen ? await harvest() : new Harvest();
  const filled = isOpen ? withHarvested(operation, seen) : {};
  if (Object.keys(filled).length > 0) yield { path, ...filled };
  if (facts.parameters.some(({ in: place, required }) => place !== "path" && !required))
    yield { path, ...filled, parameters: "all" };
  for (const content of otherBodies(operation)) yield { path, content };
  if (idParameter) {
    const others = (await deps.idPool.idsFor(operation)).filter((id) => id !== path[idParameter.name]);
    for (const id of others.slice(0, 2)) yield { path: { ...path, [idParameter.name]: id } };
  }
}

/** Values that other answers show, for what the document gives no value itself. */
function withHarvested({ facts }: Operation, harvest: Harvest): RequestChanges {
  const found = (wanted: readonly Parameter[]): [string, string][] =>
    wanted.flatMap((parameter) => {
      const value = parameter.sampleIsDeclared ? undefined : harvest.valueFor(parameter);
      return value === undefined ? [] : [[parameter.name, value]];
    });
  const of = (place: Parameter["in"]) => facts.parameters.filter((parameter) => parameter.in === place);
  const query = Object.fromEntries(
    found(of("query").filter(({ required, name }) => required || /^(q|query|search)$/i.test(name))),
  );
  const headers = Object.fromEntries(
    found(of("header").filter(({ required }) => required)).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const content = contentWith(facts.body, harvest);
  return {
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(content === undefined ? {} : { content }),
  };
}

function contentWith(body: Operation["facts"]["body"], harvest: Harvest): unknown {
  if (!body || !isObject(body.sample)) return undefined;
  const values = body.fields.flatMap(({ path, name, type, format }) => {
    if (path !== name || (type !== "string" && type !== "integer" && type !== "number")) return [];
    const value = harvest.valueFor({ name, type, ...(format === undefined ? {} : { format }) });
    return value === undefined ? [] : [[name, type === "string" ? value : Number(value)] as const];
  });
  return values.length === 0 ? undefined : { ...body.sample, ...Object.fromEntries(values) };
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

/** The values of lists that anyone may read. */
async function harvestOf(deps: Deps): Promise<Harvest> {
  const harvest = new Harvest();
  const rank = ({ facts: { security } }: Operation): number => (security === "required" ? 1 : 0);
  const producers = deps.operations
    .filter(({ facts }) => facts.method === "GET" && !facts.path.includes("{"))
    .toSorted((a, b) => rank(a) - rank(b));
  for (const producer of producers.slice(0, MAX_PRODUCERS)) {
    const reply = await answerOrNothing(deps.send, producer.request());
    if (reply && isSuccess(reply)) harvest.add(producer.facts.path, reply.json);
  }
  return harvest;
}
