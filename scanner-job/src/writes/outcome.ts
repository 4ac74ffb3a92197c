import { declaredEffect, isPostedRead } from "../inventory/effects.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { attemptKind } from "../inventory/credential-attempts.ts";
import { promptShape } from "../inventory/prompt-shape.ts";
import { isRegistration } from "../inventory/sign-in.ts";
import { isObject, member, textMember, walk } from "../json.ts";
import { issuesToken, refusesAttempt } from "../oracles/attempts.ts";
import { isBlocked, isDenied, saysError } from "../oracles/classify.ts";
import { holdsData, rowsOf } from "../oracles/records.ts";
import { modelResponse } from "../signatures/model-response.ts";
import { sessionCookies } from "../signatures/session-cookies.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { protocolEffect, resultsOf, speaksProtocol } from "./protocol.ts";

/** What a response shows that a write did: nothing, a read, a sign-in, or something that may have been stored. */
export type WriteOutcome = "refused" | "read" | "signed in" | "accepted";

/** The outcome of a write; `facts` are the operation's, where it is known. Pure. */
export function outcomeOf(
  request: ProbeRequest,
  response: ProbeResponse,
  facts: OperationFacts | undefined,
): WriteOutcome {
  const protocol = speaksProtocol(response) ? protocolEffect(request) : undefined;
  if (protocol === "reads") return showsCreation(request, response) ? "accepted" : "read";
  const isEffective = protocol === "writes" ? changedSomething(response) : isAccepted(response, facts);
  return isEffective ? outcomeOfSuccess(request, response, facts) : "refused";
}

function outcomeOfSuccess(
  request: ProbeRequest,
  response: ProbeResponse,
  facts: OperationFacts | undefined,
): WriteOutcome {
  const { form } = request;
  if (form?.kind === "attempt") return outcomeOfAttempt(response, form.credentials);
  if (isSignIn(facts)) return outcomeOfAttempt(response, "wrong");
  const takesPrompts = facts !== undefined && promptShape({ facts }) !== undefined;
  const reads = takesPrompts ? respondsToPrompt(request, response) : isRead(request, response, facts);
  return reads ? "read" : "accepted";
}

/** A mutation that found nothing returns null, or false. */
const changedSomething = (response: ProbeResponse): boolean =>
  resultsOf(response).some((result) =>
    [...walk(member(result, "data") ?? member(result, "result"), { depth: 5, values: 200 })].some(
      ({ value }) => value !== undefined && typeof value !== "object" && value !== false && value !== "",
    ),
  );

/** A success without an error in it, or a redirect, whether or not to what was made. */
function isAccepted(response: ProbeResponse, facts: OperationFacts | undefined): boolean {
  if (isBlocked(response) || isRefusal(response, facts)) return false;
  const { status, json, mediaType } = response;
  // A failed sign-in leads back to its form. Any other write may do so whether or not it was stored.
  if (status === 302 || status === 303) return !(isSignIn(facts) && leadsBack(response));
  // Only of 200 it is known that APIs respond so to what they refuse.
  if (status < 200 || status > 299 || (status === 200 && saysError(json))) return false;
  // A page at a path where no operation is known is what such a host answers every request with.
  return facts !== undefined || mediaType !== "text/html";
}

/** A page that asks for a password refuses; where one comes after a success too, it does only if it says what is wrong. */
const isRefusal = (response: ProbeResponse, facts: OperationFacts | undefined): boolean =>
  isDenied(response) && !(facts && leadsToSignIn(facts) && !saysWhatIsWrong(response));

/** One who has registered, or asked for a new password, signs in next. */
const leadsToSignIn = (facts: OperationFacts): boolean =>
  isRegistration(facts) || attemptKind(facts) === "password resets";

const isSignIn = (facts: OperationFacts | undefined): boolean =>
  facts !== undefined && attemptKind(facts) === "sign-ins";

/** A redirect to the path that was sent, as to a form with what is wrong, or to a list with what was added. */
export const leadsBack = ({ redirectTarget, request }: ProbeResponse): boolean =>
  redirectTarget?.pathname === new URL(request.url).pathname;

function saysWhatIsWrong({ body, mediaType }: ProbeResponse): boolean {
  if (mediaType !== "text/html") return false;
  const text = body.slice(0, 65_536).replace(/<(script|style)\b[^]*?<\/\1>|<[^<>]*>/gi, " ");
  return DEMANDS.test(text) && !WELCOMES.test(text);
}

const DEMANDS =
  /\b(required|needed|missing|must|invalid|errors?|empty|blank|(too )?short|wrong|cannot|can't)\b/i;
const WELCOMES = /\b(welcome|thanks?|thank you|success(ful|fully)?|registered|created)\b/i;

/** A sign-in with credentials that cannot be right has made something else. */
function outcomeOfAttempt(response: ProbeResponse, credentials: "wrong" | "likely"): WriteOutcome {
  const isSession =
    issuesToken(response) || sessionCookies(response).length > 0 || response.redirectTarget !== undefined;
  if (credentials === "likely" && isSession) return "signed in";
  return !isSession && response.status === 200 && refusesAttempt(response) ? "refused" : "accepted";
}

/** With the text of a model, or a page with it. */
const respondsToPrompt = (request: ProbeRequest, response: ProbeResponse): boolean =>
  modelResponse(response) !== undefined ||
  (response.mediaType === "text/html" && !showsCreation(request, response));

function isRead(request: ProbeRequest, response: ProbeResponse, facts: OperationFacts | undefined): boolean {
  if (facts === undefined || request.method !== facts.method || showsCreation(request, response))
    return false;
  if (declaredEffect(facts) === "reads") return true;
  if (declaredEffect(facts) === "looks") return showsRecords(response) || reportsFailure(response);
  return isPostedRead(facts) && showsRecords(response);
}

/**
 * True for a response that shows that something was made: 201, 202, the address of it, a message that says so, or what was sent
 * with an id that was not.
 */
export function showsCreation(request: ProbeRequest, response: ProbeResponse): boolean {
  const { status, json, body, mediaType } = response;
  if (status === 201 || status === 202 || namesAddress(response)) return true;
  const messages = MESSAGES.map((name) => textMember(json, name) ?? "");
  const texts = mediaType === "text/plain" ? [body.slice(0, 200)] : messages;
  return echoesWithId(request, json) || texts.some((text) => SAYS_STORED.test(text));
}

/** That of the site itself, or of the request, is none of what was made. */
function namesAddress(response: ProbeResponse): boolean {
  const { status, headers, redirectTarget } = response;
  if (status >= 304 || headers["location"] === undefined) return false;
  return redirectTarget?.pathname !== "/" && !leadsBack(response);
}

const MESSAGES = ["message", "msg", "status", "result", "detail", "info"];
const SAYS_STORED = /\b(created|registered|saved|stored|inserted|queued|submitted)\b/i;
const ID = /^(_?id|uuid|guid|key|[a-z]+(_id|Id))$/;

function echoesWithId({ body }: ProbeRequest, json: unknown): boolean {
  const sent = parsed(body);
  const made = [json, member(json, "data")].find(
    (each) => isObject(each) && Object.keys(each).some((key) => ID.test(key)),
  );
  if (!isObject(made) || !isObject(sent)) return false;
  const own = Object.entries(sent).filter(([, value]) => typeof value !== "object");
  const hasNewId = Object.keys(made).some((key) => ID.test(key) && !Object.hasOwn(sent, key));
  return hasNewId && own.length > 1 && own.every(([key, value]) => member(made, key) === value);
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? "");
  } catch {
    return undefined;
  }
}

/** The result of a look that found nothing: `{"delivered": false}`. */
const reportsFailure = ({ json }: ProbeResponse): boolean =>
  isObject(json) && Object.values(json).includes(false) && !Object.values(json).includes(true);

/** Existing records, which a write that stores nothing valid cannot have made, or a page with results. */
function showsRecords({ status, json, mediaType, body }: ProbeResponse): boolean {
  if (status !== 200) return false;
  if (mediaType === "text/html") return body.length > 200;
  return (rowsOf(json) ?? []).some((row) => holdsData(row));
}
