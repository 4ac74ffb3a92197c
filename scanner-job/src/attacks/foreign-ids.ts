import type { OwnRead } from "../identities/caller-values.ts";
import { idsInList, idsMentioned, singular } from "../inventory/find-ids.ts";
import type { Parameter } from "../inventory/operation.ts";
import { lettersOf, plainName } from "../names.ts";

/** Whether a parameter outside of the path names one object, by its id. */
export const namesObject = (name: string): boolean =>
  /(^|[a-z_-])(id|uuid|guid|ref|reference|number|code)$/i.test(name);

/**
 * Ids of the things that a parameter such as `orderId` names, in what a caller read: of the list of orders, and wherever a response
 * mentions one. Pure.
 */
export function idsSeen(
  { name, ...parameter }: Parameter,
  path: string,
  reads: readonly OwnRead[],
): string[] {
  const thing = thingOf(name, path);
  const wanted = { parameter: { ...parameter, name }, collection: `${thing}s` };
  const found = reads.flatMap(({ operation, json }) => {
    const listed =
      plainName(singular(lastWordOf(operation.facts.path))) === thing ? idsInList(json, wanted)[0] : [];
    return [...(listed ?? []), ...idsMentioned(json, wanted)];
  });
  return [...new Set(found)];
}

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
