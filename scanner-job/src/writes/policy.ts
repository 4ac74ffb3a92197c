import { declaredEffect, isPostedRead } from "../inventory/effects.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { promptShape } from "../inventory/prompt-shape.ts";
import { attemptKind } from "../inventory/credential-attempts.ts";
import { lettersOf } from "../names.ts";
import {
  isActiveWrite,
  type ProbeRequest,
  type ProbeResponse,
  type WriteForm,
} from "../transport/exchange.ts";
import { outcomeOf, showsCreation } from "./outcome.ts";
import { protocolEffect } from "./protocol.ts";

/** What the writes to one operation have come to. */
export interface WriteState {
  /**
   * `reads`: its document or a response shows that it only reads. `closed`: it may have stored something and is sent no write more.
   */
  readonly phase: "untried" | "refused" | "reads" | "closed";
  /** The beginning of the response that refused the careful write. */
  readonly refusal: string;
  /** Credentials that cannot be right were refused. */
  readonly judgesAttempts: boolean;
  /** Bodies of likely credentials that were refused. */
  readonly refusedAttempts: readonly string[];
  /** The sign-in that succeeded, and how often it was repeated. */
  readonly signIn?: { readonly body: string | undefined; readonly repeats: number };
  /** Writes that may have been stored, and got no response, as none has since. */
  readonly withoutResponse: number;
}

export const UNTRIED: WriteState = {
  phase: "untried",
  refusal: "",
  judgesAttempts: false,
  refusedAttempts: [],
  withoutResponse: 0,
};

/** Send the request; send a careful write, or an attempt that cannot be right, before; or do not send it, for this reason. */
export type Decision = "send" | "careful write first" | "wrong attempt first" | { readonly refused: string };

/** A write to be decided about; `facts` are the operation's, where it is known. */
export interface Write {
  readonly request: ProbeRequest;
  readonly facts: OperationFacts | undefined;
}

/** Sign-ins with the same credentials after the first: the examination that confirms it. */
const MAX_REPEATS = 3;
/** Writes whose connection is lost: whether they were stored is not known. */
export const MAX_WITHOUT_RESPONSE = 3;
const REFUSAL_LENGTH = 4_096;

/** Decides about a write by what the operation is and by what came before (docs/adr/0028). Pure. */
export function decide(state: WriteState, { request, facts }: Write): Decision {
  const { form } = request;
  if (form === undefined) throw new TypeError(`${request.method} needs a form`);
  const barred = barredBy(state, request);
  if (barred !== undefined) return refused(barred);
  const protocol = form.kind === "well-formed" ? protocolEffect(request) : undefined;
  if (protocol === "writes") return refused(MAY_STORE);
  if (state.phase === "reads" || isCareful(form) || protocol === "reads") return "send";
  const reason = reasonAgainst(form, facts);
  if (reason !== undefined) return refused(reason);
  if (form.kind === "well-formed" && effectOf(facts) === "reads") return "send";
  return state.phase === "untried" ? "careful write first" : afterRefusal(state, form, { request, facts });
}

function barredBy({ phase }: WriteState, request: ProbeRequest): string | undefined {
  if (isActiveWrite(request)) return SAFE_MODE;
  return phase === "closed" ? CLOSED : undefined;
}

/** What follows the careful write that was refused. */
function afterRefusal(state: WriteState, form: WriteForm, { request, facts }: Write): Decision {
  switch (form.kind) {
    case "well-formed":
      return effectOf(facts) === "looks" ? "send" : refused(UNPROVEN);
    case "malformed":
      return form.without?.some((name) => isNamed(name, state.refusal)) ? "send" : refused(OTHER_CAUSE);
    case "attempt":
      return form.credentials === "wrong" ? "send" : decideLikely(state, request);
    default:
      return "send";
  }
}

/** Credentials that may be right are sent to what refuses wrong ones, until some are; then only those that were sent before. */
function decideLikely(
  { judgesAttempts, signIn, refusedAttempts }: WriteState,
  { body }: ProbeRequest,
): Decision {
  if (!judgesAttempts) return "wrong attempt first";
  if (signIn === undefined || refusedAttempts.includes(body ?? "")) return "send";
  return signIn.body === body && signIn.repeats < MAX_REPEATS ? "send" : refused(SIGNED_IN);
}

const effectOf = (facts: OperationFacts | undefined): ReturnType<typeof declaredEffect> =>
  facts ? declaredEffect(facts) : "unknown";

/** Nothing in it is what the operation takes. */
const isCareful = (form: WriteForm): boolean =>
  form.kind === "no-object" || (form.kind === "malformed" && form.without === undefined);

/** Why a request of this form is never sent to the operation, regardless of its responses; undefined where it may be. */
function reasonAgainst(form: WriteForm, facts: OperationFacts | undefined): string | undefined {
  switch (form.kind) {
    case "well-formed":
      return facts && (isPostedRead(facts) || effectOf(facts) !== "unknown") ? undefined : MAY_STORE;
    case "attempt":
      return facts && attemptKind(facts) ? undefined : NO_SIGN_IN;
    case "prompt":
      return facts && promptShape({ facts }) ? undefined : MAY_STORE;
    default:
      return undefined;
  }
}

const isNamed = (name: string, refusal: string): boolean =>
  lettersOf(name) !== "" && lettersOf(refusal).includes(lettersOf(name));

const refused = (reason: string): Decision => ({ refused: reason });

/** Why an operation is sent no write more. */
export const CLOSED = "Not sent: the operation accepted a write, so it is sent no other";
/** Why a write of an active scan is not sent in safe mode. */
const SAFE_MODE = "Not sent: the scan runs in safe mode";
const MAY_STORE = "Not sent: the operation may store what it is sent";
const UNPROVEN = "Not sent: neither a document nor a response shows that the operation only reads";
const OTHER_CAUSE =
  "Not sent: the first write was refused for another reason than the member that is missing";
const NO_SIGN_IN = "Not sent: the operation is not known to sign in";
const SIGNED_IN = "Not sent: a sign-in succeeded, so no other is tried";

/** How a write got no response. */
export type NoResponse = "lost" | "timed out";

/** The state after a response, and what the write came to. Pure. */
export function afterWrite(
  before: WriteState,
  { request, facts }: Write,
  response: ProbeResponse,
): { readonly state: WriteState; readonly mayBeStored: boolean } {
  const state = { ...before, withoutResponse: 0 };
  const outcome = outcomeOf(request, response, facts);
  if (state.phase === "reads" && (outcome === "refused" || !showsCreation(request, response)))
    return { state, mayBeStored: false };
  switch (outcome) {
    case "refused":
      return { state: afterRefused(state, request, response), mayBeStored: false };
    case "read":
      return { state: { ...state, phase: "reads" }, mayBeStored: false };
    case "signed in": {
      const repeats = state.signIn === undefined ? 0 : state.signIn.repeats + 1;
      return { state: { ...state, signIn: { body: request.body, repeats } }, mayBeStored: repeats === 0 };
    }
    case "accepted":
      // A DELETE of what does not exist leaves nothing behind.
      return { state: { ...state, phase: "closed" }, mayBeStored: request.method !== "DELETE" };
  }
}

function afterRefused(
  state: WriteState,
  { form, body = "" }: ProbeRequest,
  response: ProbeResponse,
): WriteState {
  if (state.phase === "untried" && form && isCareful(form))
    return { ...state, phase: "refused", refusal: response.body.slice(0, REFUSAL_LENGTH) };
  if (form?.kind !== "attempt") return state;
  return form.credentials === "wrong"
    ? { ...state, judgesAttempts: true }
    : { ...state, refusedAttempts: [...state.refusedAttempts, body] };
}

/** The state after a write without a response. A lost one is repeated, so that a crash can be confirmed. Pure. */
export function afterNoResponse(state: WriteState, request: ProbeRequest, kind: NoResponse): WriteState {
  if (state.phase !== "untried" || !mayAdd(request)) return state;
  const withoutResponse = state.withoutResponse + 1;
  const mayRepeat = kind === "lost" && withoutResponse < MAX_WITHOUT_RESPONSE;
  return { ...state, withoutResponse, phase: mayRepeat ? "untried" : "closed" };
}

/** A DELETE of what does not exist leaves nothing behind, and neither does what is known to read. */
const mayAdd = ({ method, form }: ProbeRequest): boolean =>
  method !== "DELETE" && form?.kind !== "well-formed";
