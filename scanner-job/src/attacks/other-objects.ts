import type { Probe } from "../engine/probe.ts";
import { kindOfId, neighbours } from "../inventory/id-kinds.ts";
import type { Operation } from "../inventory/operation.ts";
import { isSuccess } from "../oracles/classify.ts";
import { keysOf } from "../oracles/records.ts";
import { areSimilar, jaccard } from "../oracles/similarity.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/** Ids that are tried. */
const MAX_ALTERED = 5;

/**
 * What ids beside the known ones return that is of the same kind as the known object, and neither it, nor what an id of no
 * object gets, nor each other; at most `enough`.
 */
export async function othersBeside(
  [known, none]: readonly [ProbeResponse, ProbeResponse],
  ids: readonly string[],
  { operation, probe, enough }: { operation: Operation; probe: Probe; enough: number },
): Promise<ProbeResponse[]> {
  const others: ProbeResponse[] = [];
  for (const id of alteredIds(ids)) {
    const response = await probe.attack(await probe.withId(operation, id));
    if (
      isSuccess(response) &&
      !areSimilar(response, none) &&
      [known, ...others].every((seen) => isAnotherOfItsKind(response, seen))
    )
      others.push(response);
    if (others.length === enough) break;
  }
  return others;
}

/** Neighbours of the known ids, alternating between them, so that a gap beside one of them does not end the enumeration. */
function alteredIds(ids: readonly string[]): string[] {
  const near = ids.slice(0, 4).map((id) => {
    const kind = kindOfId(id);
    return kind === undefined ? [] : neighbours(id, kind);
  });
  const turns = [0, 1, 2].flatMap((turn) => near.flatMap((each) => each[turn] ?? []));
  return [...new Set(turns)].filter((id) => id !== ids[0]).slice(0, MAX_ALTERED);
}

const isAnotherOfItsKind = (response: ProbeResponse, seen: ProbeResponse): boolean =>
  jaccard(keysOf(response.json), keysOf(seen.json)) >= 0.9 &&
  keysOf(response.json).size > 0 &&
  valuesOf(response) !== valuesOf(seen);

/** The id that a response is for. */
export const idIn = ({ request }: ProbeResponse): string =>
  decodeURIComponent(new URL(request.url).pathname.split("/").at(-1)!);

/** The body without the id that was asked for: a page that only repeats it shows no other object. */
const valuesOf = (response: ProbeResponse): string => response.body.replaceAll(idIn(response), "¤");
