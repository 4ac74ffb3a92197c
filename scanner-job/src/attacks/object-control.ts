import { inconclusive, notApplicable, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { impossibleId, type Operation } from "../inventory/operation.ts";
import { BLOCKED, isBlocked, isDenied, isSuccess, withoutMeaning } from "../oracles/classify.ts";
import { holdsData, keysOf } from "../oracles/records.ts";
import { areSimilar, jaccard } from "../oracles/similarity.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/**
 * The response to an id that cannot exist, as a control. Where it is a fault, which may be one of the id's form, the response to an
 * id of another kind; where that is also a fault, faults are how this operation responds to ids of no object.
 */
export async function responseToNoObject(operation: Operation, probe: Probe): Promise<ProbeResponse> {
  const baseline = await probe.control(await probe.withNoObject(operation));
  if (baseline.status < 500 || !operation.idParameter) return baseline;
  const other = await probe.control(await probe.withId(operation, idOfAnotherKind(baseline)));
  return other.status < 500 ? other : baseline;
}

const idOfAnotherKind = ({ request }: ProbeResponse): string =>
  impossibleId({ type: /\/\d+$/.test(new URL(request.url).pathname) ? "string" : "integer" });

/**
 * The verdict on an object that was asked for by a known id, where it was refused or is not shown to be one; undefined where
 * it was returned, and nothing like it for an id that cannot exist: an error, a fault, or a success without an object.
 */
export function unlessReturned(
  object: ProbeResponse,
  none: ProbeResponse,
  { profile }: Pick<Probe, "profile">,
): Verdict | undefined {
  if (isDenied(object)) return pass();
  const unclear = withoutMeaning(object) ?? (isBlocked(none) ? BLOCKED : undefined);
  if (unclear) return inconclusive(unclear);
  if (!isSuccess(object))
    return inconclusive(
      `The object of a known ID returned status ${object.status}: it may have been deleted.`,
    );
  if (!isSuccess(none) || isOfAnotherKind(object, none)) return undefined;
  return areSimilar(object, none) && !profile.calibration.acceptsEverything
    ? notApplicable("The ID selects no object: a nonexistent ID gets the same response.")
    : inconclusive("A nonexistent ID gets the same response as an existing one.");
}

/** A success that says that there is no object: `null`, `{"user": null}`, `{"message": "No such user"}`, a page. */
const isOfAnotherKind = (object: ProbeResponse, none: ProbeResponse): boolean =>
  none.mediaType !== object.mediaType ||
  (holdsData(object.json) && !holdsData(none.json)) ||
  (keysOf(object.json).size > 0 && jaccard(keysOf(object.json), keysOf(none.json)) < 0.5);
