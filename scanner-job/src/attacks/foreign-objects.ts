import type { Probe } from "../engine/probe.ts";
import type { TargetProfile, Verdict } from "../engine/check.ts";
import { impossibleIdLike } from "../inventory/id-kinds.ts";
import { discoveredOperation, Operation } from "../inventory/operation.ts";
import { isDenied } from "../oracles/classify.ts";
import { nothingOwned, type ComparedCallers } from "./caller-pairs.ts";
import { judgeForeign, type ForeignRequest } from "./foreign-data.ts";
import { rowIn } from "./listed-objects.ts";
import { reads, spread } from "./subjects.ts";

/** Objects of one owner that are asked for. */
const MAX_OBJECTS = 2;

/** Reads below an id in the path: of the object itself, or of what belongs to it. */
export const readsBelowIds = (profile: TargetProfile): readonly Operation[] =>
  spread(
    reads(profile).filter(
      (operation) =>
        operation.parameter("path", parametersIn(operation.facts.path).at(-1) ?? "") !== undefined,
    ),
  );

/** Asks as the attacker for objects that the owner can read and the attacker does not list. */
export async function examineForeignObjects(
  operation: Operation,
  callers: ComparedCallers,
  context: { readonly probe: Probe; readonly kind: "json" | "file" },
): Promise<Verdict> {
  let verdict: Verdict = nothingOwned(callers);
  for (const request of await foreignRequests(operation, callers, context.probe)) {
    const next = await judgeForeign(request, { callers, ...context });
    if (next.outcome === "fail") return next;
    if (verdict.outcome !== "pass") verdict = next;
  }
  return verdict;
}

async function foreignRequests(
  operation: Operation,
  callers: ComparedCallers,
  probe: Probe,
): Promise<ForeignRequest[]> {
  const names = parametersIn(operation.facts.path);
  const last = names.at(-1)!;
  const object = objectOf(operation, probe.profile);
  const requests: ForeignRequest[] = [];
  for (const id of (await unlistedIds(object, callers)).slice(0, MAX_OBJECTS)) {
    const { ofOwner, ofAttacker } = callers;
    const withId = (value: string) => ofOwner.withRealIds(operation, { path: { [last]: value } });
    const request: ForeignRequest = {
      own: await withId(id),
      none: await withId(impossibleIdLike(id, operation.parameter("path", last)!)),
      objects: [{ id, collection: collectionOf(object) }, ...(await objectsAbove(object, callers))],
      remark: await remarkOn(operation, object, { id, callers, probe }),
    };
    requests.push(request);
    if (names.length === 1) continue;
    // Below the attacker's own parents: a guard may look at the parent alone.
    const { path = {} } = await ofAttacker.changesFor(operation);
    const attack = await ofAttacker.withRealIds(operation, { path: { ...path, [last]: id } });
    if (attack.url !== request.own.url)
      requests.push({ ...request, attack, remark: ` below an object of ${callers.attacker.name}` });
  }
  return requests;
}

/** Whether the object itself is refused to the attacker, of an operation for what belongs to it. */
async function remarkOn(
  operation: Operation,
  object: Operation,
  { id, callers, probe }: { id: string; callers: ComparedCallers; probe: Probe },
): Promise<string> {
  const parent = probe.profile.operations.find(
    ({ location }) => location.method === "GET" && location.path === object.location.path,
  );
  if (!parent || parent === operation) return "";
  const request = await callers.ofOwner.withId(parent, id);
  const response = await probe.control({ ...request, as: callers.attacker.name });
  return isDenied(response) || response.status === 404
    ? `, although ${parent.location.path} returns ${response.status}`
    : "";
}

/** Ids that the owner can read and the attacker does not list, below parents that the attacker does not list either. */
async function unlistedIds(object: Operation, { ofOwner, ofAttacker }: ComparedCallers): Promise<string[]> {
  const collection = collectionOf(object);
  const listed = await ofAttacker.ownReads();
  const { ids: own } = await ofOwner.markers();
  const above = await objectsAbove(object, { ofOwner });
  const isBelowShared = above.some(
    (each) => !own.has(each.id) && rowIn(each.collection, each.id, listed) !== undefined,
  );
  if (isBelowShared) return [];
  return (await ofOwner.idsFor(object)).filter(
    (id) => own.has(id) || rowIn(collection, id, listed) === undefined,
  );
}

/** What is above an object of the owner: its parents, the innermost first. */
async function objectsAbove(
  object: Operation,
  { ofOwner }: Pick<ComparedCallers, "ofOwner">,
): Promise<{ id: string; collection: string }[]> {
  const { path = {} } = await ofOwner.changesFor(object);
  return parametersIn(object.location.path)
    .slice(0, -1)
    .toReversed()
    .flatMap((name) => {
      const id = path[name];
      return id === undefined ? [] : [{ id, collection: object.location.path.split(`/{${name}}`)[0]! }];
    });
}

/** The path of the list above an object. */
const collectionOf = ({ location }: Operation): string => location.path.replace(/\/\{[^{}]*\}\/?$/, "");

/** The read of the object whose id is the last one in the path; made up where the API has none. */
function objectOf(operation: Operation, { target }: TargetProfile): Operation {
  if (operation.idParameter) return operation;
  const { path, base, parameters } = operation.facts;
  const end = path.lastIndexOf("}") + 1;
  const facts = discoveredOperation({ method: "GET", base, path: path.slice(0, end), parameters });
  return new Operation(target.origin, facts);
}

const parametersIn = (path: string): string[] =>
  [...path.matchAll(/\{([^{}/]+)\}/g)].map((match) => match[1]!);
