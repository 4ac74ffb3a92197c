import type { OwnRead } from "../identities/caller-values.ts";
import { idsInList, idsMentioned, singular } from "../inventory/find-ids.ts";
import type { Parameter } from "../inventory/operation.ts";
import { member } from "../json.ts";
import { lettersOf, plainName } from "../names.ts";

/** Whether a parameter outside of the path names one object, by its id. */
export const namesObject = (name: string): boolean =>
  /(^|[a-z_-])(id|uuid|guid|ref|reference|number|code)$/i.test(name);

/** An id, and the path of the read that has shown it. */
export interface SeenId {
  readonly id: string;
  readonly collection: string;
}

/**
 * Ids of the things that a parameter such as `orderId` names, in what a caller read: of the list of orders, of the caller's only
 * one, and wherever a response mentions one. Pure.
 */
export function idsSeen(parameter: Parameter, path: string, reads: readonly OwnRead[]): SeenId[] {
  const thing = thingOf(parameter.name, path);
  const wanted = { parameter, collection: `${thing}s` };
  const found = reads.flatMap(({ operation, json }): SeenId[] => {
    const isOfThing = plainName(singular(lastWordOf(operation.facts.path))) === thing;
    const own = isOfThing ? [...(idsInList(json, wanted)[0] ?? []), ...idOf(json)] : [];
    const collection = operation.location.path.replace(/\/$/, "");
    return [...own, ...idsMentioned(json, wanted)].map((id) => ({ id, collection }));
  });
  return [...new Map(found.toReversed().map((each) => [each.id, each])).values()].toReversed();
}

const idOf = (json: unknown): string[] => {
  const id = member(json, "id");
  return typeof id === "string" || typeof id === "number" ? [String(id)] : [];
};

/** `order` for `orderId` and `X-Order-Id`; for a plain `id` what the path names. */
function thingOf(name: string, path: string): string {
  const own = lettersOf(name.replace(/^x-/i, "")).replace(/(id|uuid|guid|ref|reference|number|code)$/, "");
  return own === "" ? plainName(singular(lastWordOf(path))) : own;
}

const lastWordOf = (path: string): string =>
  path
    .split("/")
    .filter((segment) => segment !== "" && !segment.startsWith("{"))
    .at(-1) ?? "";
