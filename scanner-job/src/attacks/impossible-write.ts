import { mayBeProbedByInvalidBody } from "../inventory/effects.ts";
import { impossibleId, type Operation } from "../inventory/operation.ts";
import { MALFORMED, NO_OBJECT, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { isBlocked, isDenied, isSuccess, rejectsInput } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import { areSimilar } from "../oracles/similarity.ts";

/** A precondition that never holds (RFC 9110, section 13.1.1). */
const NEVER_MATCHES = { "if-match": '"glovebox-no-such-version"' };

/** How far a request got: refused, past the access control, perhaps past it (404), or unknown. */
export type Reach = "denied" | "handler" | "weakly" | "unknown";

/**
 * A write of nothing to nothing: an id that cannot exist, a precondition that never holds, and a body that is JSON
 * but not what the operation takes. It is JSON because many frameworks read the body before they ask who sends it.
 * Undefined where that is not enough: collections, and PUT (which may create) unless an object is declared.
 */
export function writeToNothing(operation: Operation, method: string): ProbeRequest | undefined {
  const { body } = operation.facts;
  const declaresObject = operation.facts.method === method && body !== undefined && body.fields.length > 0;
  const takesList = Array.isArray(body?.sample);
  if (!operation.idParameter || takesList || (method === "PUT" && !declaresObject)) return undefined;
  return operation.requestForNoObject({
    method,
    ...(method === "DELETE" ? {} : { body: "[]" }),
    headers: NEVER_MATCHES,
    form: NO_OBJECT,
  });
}

/** The same to a part of an object that cannot exist, such as `PUT /users/{id}/role`; undefined where no parameter names an object. */
export function writeBelowNothing(operation: Operation, method: string): ProbeRequest | undefined {
  const { body, parameters } = operation.facts;
  const parent = parameters.findLast((parameter) => parameter.in === "path");
  if (operation.idParameter || !parent || Array.isArray(body?.sample)) return undefined;
  return operation.request({
    method,
    path: { [parent.name]: impossibleId(parent) },
    ...(method === "DELETE" ? {} : { body: "[]" }),
    headers: NEVER_MATCHES,
    form: NO_OBJECT,
  });
}

/**
 * A POST of something that is not JSON, where that is all that may be sent (`mayBeProbedByInvalidBody`); undefined
 * elsewhere. An operation that accepts it does not read its body, and is sent nothing more.
 */
export const postOfNoJson = (operation: Operation, all: readonly Operation[]): ProbeRequest | undefined =>
  mayBeProbedByInvalidBody(operation.facts, all)
    ? operation.request({ body: "{", form: MALFORMED })
    : undefined;

/** Past the access control, or perhaps past it. */
export const isPast = (reach: Reach): boolean => reach === "handler" || reach === "weakly";

/** How far a response shows that its request got; `missing` is the response to the same request for no path at all. */
export function reachOf(response: ProbeResponse, missing: ProbeResponse): Reach {
  if (isDenied(response)) return "denied";
  if (response.status >= 500 || isBlocked(response) || areSimilar(response, missing)) return "unknown";
  if (rejectsInput(response) || response.status === 412 || response.status === 428 || isSuccess(response))
    return "handler";
  return response.status === 404 || response.status === 410 ? "weakly" : "unknown";
}

/** How far a write got, and the response by which it did; without one where it must not be sent. */
export type WriteReach =
  | { readonly reach: Reach; readonly response: ProbeResponse }
  | { readonly reach: "unknown"; readonly response?: undefined };

/** Sends the request as the attack, and once more; returns how far it got if both got equally far. */
export async function stableReach(probe: Probe, request: ProbeRequest): Promise<WriteReach> {
  try {
    const missing = await probe.missing(request);
    const response = await probe.attack(request);
    const reach = reachOf(response, missing);
    const isUnsteady = isPast(reach) && reachOf(await probe.again(request), missing) !== reach;
    return { reach: isUnsteady ? "unknown" : reach, response };
  } catch (error) {
    // Other methods of the path may still be sent.
    if (error instanceof NetworkError && error.kind === "write_refused") return { reach: "unknown" };
    throw error;
  }
}
