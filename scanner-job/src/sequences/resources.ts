import { parentOf, shapeOf } from "../inventory/discovery/path-template.ts";
import { singular } from "../inventory/find-ids.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { lettersOf } from "../names.ts";

/** Objects of one kind, and the operations on them. */
export interface Resource {
  /** Path template of the collection: `/projects/{projectId}/notes`. */
  readonly collection: string;
  /** In the singular, letters only: `note`. */
  readonly name: string;
  /** Creates an object: the producer of ids. */
  readonly create: Operation | undefined;
  readonly list: Operation | undefined;
  /** Consumers: each takes the id of one object. */
  readonly read: Operation | undefined;
  readonly update: readonly Operation[];
  readonly remove: Operation | undefined;
}

/**
 * The resources of an API: operations whose path ends in an id consume the ids of the collection above it; a POST to the collection,
 * to `create` below it, or one whose OpenAPI link leads to such a consumer, produces them. Parents come before their children. Pure.
 */
export function resourcesOf(operations: readonly Operation[]): Resource[] {
  const rest = operations.filter(({ facts }) => !facts.graphqlField && !facts.soapOperation);
  const items = Map.groupBy(
    rest.filter(({ idParameter }) => idParameter !== undefined),
    ({ location }) => shapeOf(parentOf(trimmed(location.path))),
  );
  return [...items]
    .map(([shape, consumers]) => resourceOf(shape, consumers, rest))
    .toSorted((one, other) => depthOf(one) - depthOf(other));
}

function resourceOf(shape: string, consumers: readonly Operation[], all: readonly Operation[]): Resource {
  const collection = parentOf(trimmed(consumers[0]!.location.path));
  const by = (...methods: string[]) => consumers.filter(({ facts }) => methods.includes(facts.method));
  const at = (method: string, path: string) =>
    all.find(({ facts, location }) => facts.method === method && shapeOf(location.path) === path);
  const create =
    at("POST", shape) ??
    ["create", "new", "add"].map((verb) => at("POST", `${shape}/${verb}`)).find((each) => each) ??
    all.find((each) => leadsTo(each, consumers));
  return {
    collection,
    name: nameOf(collection),
    create: create && reachesOthers(create.facts) ? undefined : create,
    list: at("GET", shape),
    read: by("GET")[0],
    update: by("PATCH", "PUT"),
    remove: by("DELETE")[0],
  };
}

/** A POST whose response has the id of an object, by a link of its document. */
const leadsTo = ({ facts: { method, links = [] } }: Operation, consumers: readonly Operation[]): boolean =>
  method === "POST" &&
  links.some(({ to }) =>
    consumers.some(({ facts }) => to === facts.operationId || to === `${facts.method} ${facts.path}`),
  );

/**
 * What is created here reaches somebody else, or moves money: a message, an invitation, a payment. Nothing that the scan could delete
 * would undo it.
 */
export const reachesOthers = ({
  path,
  operationId = "",
}: Pick<OperationFacts, "path" | "operationId">): boolean =>
  REACHES_OTHERS.test(lettersOf(lastFixed(path))) || REACHES_OTHERS.test(lettersOf(operationId));

const REACHES_OTHERS =
  /transfer|payment|payout|withdraw|deposit|refund|charge|checkout|purchase|invit|messages?$|mails?$|sms|notif|broadcast|webhook|deploy|execut|migrat|backup|import/;

/** The resource that an operation creates or whose objects it consumes. Pure. */
export const resourceWith = (resources: readonly Resource[], operation: Operation): Resource | undefined =>
  resources.find(({ create, read, update, remove }) =>
    [create, read, remove, ...update].some((each) => each === operation),
  );

const trimmed = (path: string): string => path.replace(/(?<=.)\/+$/, "");

const lastFixed = (path: string): string =>
  path.split("/").findLast((segment) => segment !== "" && !segment.includes("{")) ?? "";

/** Of `/api/notes`, and of `/notes/v1`, whose last segment is a version: `note`. */
const nameOf = (collection: string): string => {
  const segments = collection.split("/").filter((each) => each !== "" && !/\{|^v\d+$/i.test(each));
  return lettersOf(singular(segments.at(-1) ?? ""));
};

const depthOf = ({ collection }: Resource): number => collection.split("{").length;
