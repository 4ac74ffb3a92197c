import { ANONYMOUS } from "@glovebox/contract";
import { fail, inconclusive, notApplicable, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isDenied, isSuccess, withoutMeaning } from "../oracles/classify.ts";
import { commonPart } from "../oracles/common-part.ts";
import { concerns, describes } from "../identities/markers.ts";
import { privacyOf, saysShared } from "../identities/private-data.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { ComparedCallers } from "./caller-pairs.ts";
import { recordIn, rowIn, rowLike } from "./listed-objects.ts";

/** A request of the owner for its own data, to be sent as somebody else. */
export interface ForeignRequest {
  readonly own: ProbeRequest;
  /** What the attacker sends. Default: the same request. */
  readonly attack?: ProbeRequest;
  /** The same for an object that cannot exist. */
  readonly none: ProbeRequest;
  /** The object and those above it, as far as their ids are known, each with the path of the list that should have it. */
  readonly objects?: readonly { readonly id: string; readonly collection: string }[];
  /** Why the data is the owner's whatever it holds; completes "It". */
  readonly ownership?: string | undefined;
  /** Completes the observation. */
  readonly remark?: string;
}

interface Context {
  readonly callers: ComparedCallers;
  readonly probe: Probe;
  /** What the data must be: another check examines the other. */
  readonly kind: "json" | "file" | "any";
}

/**
 * Sends the request of one user as another. It fails where the other user gets the same data, anonymous callers do not, an id that
 * cannot exist selects nothing, no list shows the object to the other user, and by what it holds the data is its owner's.
 */
export async function judgeForeign(request: ForeignRequest, context: Context): Promise<Verdict> {
  const { own, attack = own, none } = request;
  const { callers, probe, kind } = context;
  const view = await probe.baseline({ ...own, as: callers.owner.name });
  if (!isSuccess(view))
    return inconclusive(`The request of ${callers.owner.name} returned status ${view.status}.`);
  if (kind !== "any" && (view.json === undefined) !== (kind === "file"))
    return notApplicable(OTHER_KIND[kind]);
  const seen = await probe.attack({ ...attack, as: callers.attacker.name });
  const unclear = withoutMeaning(seen);
  if (unclear) return inconclusive(unclear);
  if (isDenied(seen) || !isSuccess(seen)) return pass();
  const data = commonPart(view, seen);
  if (data === undefined) return pass();
  const missing = await probe.control({ ...none, as: callers.attacker.name });
  const anonymous = await probe.control({ ...own, as: ANONYMOUS });
  return (
    unlessControlled({ view, seen, missing, anonymous }) ??
    (await unlessShared(data, callers)) ??
    ownershipOf(data, request, callers)
  );
}

const OTHER_KIND = { json: "The response is not JSON.", file: "The response is not a file." };

/** What anonymous callers and ids of no object get, where it shows that the data is public, or that the id selects nothing. */
function unlessControlled(
  responses: Record<"view" | "seen" | "missing" | "anonymous", ProbeResponse>,
): Verdict | undefined {
  const { view, seen, missing, anonymous } = responses;
  if (isSuccess(missing) && commonPart(missing, seen) !== undefined)
    return commonPart(missing, view) === undefined
      ? pass() // the attacker got as little as for no object
      : notApplicable("A nonexistent ID gets the same response.");
  const unclear = withoutMeaning(anonymous);
  if (unclear) return inconclusive(unclear);
  return isSuccess(anonymous) && commonPart(view, anonymous) !== undefined
    ? notApplicable("Anonymous callers get the same data.")
    : undefined;
}

/**
 * A pass where the object is also the attacker's: it names the attacker, or one of the attacker's lists has it. A directory of
 * users with less of each than the object has does not share what it leaves out.
 */
async function unlessShared(
  data: unknown,
  { ofOwner, ofAttacker }: ComparedCallers,
): Promise<Verdict | undefined> {
  const row = rowLike(data, await ofAttacker.ownReads());
  const markers = await ofOwner.markers();
  const isListed =
    row !== undefined && (!describes(recordIn(data), markers) || privacyOf(row, markers) !== undefined);
  return isListed || concerns(data, await ofAttacker.markers()) ? pass() : undefined;
}

async function ownershipOf(
  data: unknown,
  { objects = [], ownership, remark = "" }: ForeignRequest,
  { owner, attacker, ofOwner }: ComparedCallers,
): Promise<Verdict> {
  const [markers, lists] = [await ofOwner.markers(), await ofOwner.ownReads()];
  if (saysShared(data)) return inconclusive("The data says that it is shared.");
  const rows = [rowLike(data, lists), ...objects.map(({ id, collection }) => rowIn(collection, id, lists))];
  const [privacy] = [data, ...rows].flatMap((each) =>
    each === undefined ? [] : (privacyOf(each, markers) ?? []),
  );
  const reason = ownership ?? privacy?.reason;
  if (reason === undefined) return inconclusive("Nothing in the data shows that it belongs to one user.");
  const named = objects[0] ? `Object ${objects[0].id} of ${owner.name}` : `The data of ${owner.name}`;
  const isProven = ownership !== undefined || privacy?.isProven === true;
  return fail(`${named} was returned to ${attacker.name}${remark}. It ${reason}.`, {
    ...(!isProven && { confidence: "firm" as const }),
  });
}
