import { fail, inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Field, Operation } from "../inventory/operation.ts";
import { BLOCKED, isBlocked, isSuccess } from "../oracles/classify.ts";
import { member } from "../json.ts";
import { refusesAttempt } from "../oracles/attempts.ts";
import { partsOf, steadyParts, type Steady } from "../oracles/steady-parts.ts";
import { saysLocked } from "../oracles/throttling.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { shownUsers } from "./claimed-subject.ts";

/** User names that are tried; each once per examination, far below any lock-out threshold. */
const MAX_NAMES = 3;

/** Attempts for several user names: a log-in, a password reset, a check of a one-time code. */
export interface Attempts {
  /** Name of an attempt, as in "An attempt for an unknown user". */
  readonly attempt: string;
  readonly names: readonly string[];
  readonly request: (name: string) => ProbeRequest;
  /** Asked before each likely name; false where one more attempt could lock its account. */
  readonly mayTry?: (name: string) => boolean;
}

/**
 * Whether likely names get different responses from two random ones, by status or by text: that is how attackers learn
 * which accounts exist.
 */
export async function examineEnumeration(
  probe: Probe,
  { attempt, names, request, mayTry = () => true }: Attempts,
): Promise<Verdict> {
  if (names.length === 0) return inconclusive(NO_NAME);
  const [one, other] = [randomLike(names[0]!, probe.nonce()), randomLike(names[0]!, probe.nonce())];
  const first = await probe.control(request(one));
  const second = await probe.control(request(other));
  if (isLimited(first) || isLimited(second)) return inconclusive(BLOCKED);
  if (!isRefusal(first))
    return inconclusive(`${attempt} for an unknown user returned status ${first.status}.`);
  const steadyBeside = (name: string) =>
    steadyParts(partsOf(first, [one, name]), partsOf(second, [other, name]));
  if (first.status !== second.status || !steadyBeside(one))
    return inconclusive(`${attempt} for an unknown user got two different responses.`);

  const tried = names.filter(mayTry);
  if (tried.length === 0) return inconclusive(TRIED_ENOUGH);
  const verdict = await compareNames(probe, { attempt, names: tried, request }, { first, steadyBeside });
  if (verdict) return verdict;
  return first.status >= 500
    ? inconclusive(`The target returned an unexpected status ${first.status}.`)
    : pass();
}

/** The verdict at the first name that gets a different response from `first`; undefined where none is. */
async function compareNames(
  probe: Probe,
  { attempt, names, request }: Attempts,
  { first, steadyBeside }: { first: ProbeResponse; steadyBeside: (name: string) => Steady | undefined },
): Promise<Verdict | undefined> {
  for (const name of names) {
    const response = await probe.attack(request(name));
    if (isLimited(response)) return inconclusive(BLOCKED);
    // The page may contain the name by itself, as in "admin team": it is removed from all responses.
    const difference =
      isRefusal(response) && differenceOf(response, first, steadyBeside(name)?.(partsOf(response, [name])));
    if (difference)
      return fail(
        `${attempt} for an unknown user returns status ${first.status}, for a likely name ${difference}.`,
      );
  }
  return undefined;
}

const differenceOf = (
  response: ProbeResponse,
  unknown: ProbeResponse,
  isSame: boolean | undefined,
): string | undefined => {
  if (response.status !== unknown.status) return String(response.status);
  return isSame === false ? `${response.status} and another text` : undefined;
};

/** Attempts before this one, also of other scans, may have locked an account, whose response differs for that reason alone. */
const isLimited = (response: ProbeResponse): boolean => isBlocked(response) || saysLocked(response);

/** Why attempts for no account can be compared with those for a random one. */
export const NO_NAME = "No email address of an account is known.";
const TRIED_ENOUGH = "One more attempt for any of the names could lock an account.";

/** A success is not a refusal: it does not report a wrong name or password. A success without data is one: `{"token": null}`. */
const isRefusal = (response: ProbeResponse): boolean =>
  [200, 400, 401, 403, 404, 406, 409, 422, 500].includes(response.status) &&
  (!isSuccess(response) || refusesAttempt(response));

/** A random name of the same form that does not exist. */
const randomLike = (name: string, nonce: string): string =>
  name.includes("@") ? madeUpAddress(nonce) : nonce;

/**
 * Names that probably have an account: those that public responses show, the name in the operation's example, and the
 * common one. No address is common: none is made up that somebody could have.
 */
export async function likelyNames(probe: Probe, operation: Operation, field: NamedField): Promise<string[]> {
  const isEmail = isEmailField(field);
  const shown = await shownUsers(probe, isEmail ? "address" : "name", MAX_NAMES - 1);
  const common = isEmail ? [] : ["admin"];
  return [...new Set([...shown, ...exampleOf(operation, field.name, isEmail), ...common])].slice(
    0,
    MAX_NAMES,
  );
}

/** An address at which nobody can receive mail (RFC 6761, section 6.4). */
export const madeUpAddress = (name: string): string => `${name}@glovebox.invalid`;

type NamedField = Pick<Field, "name"> & { readonly format?: string };

export const isEmailField = ({ name, format }: NamedField): boolean =>
  format === "email" || /mail/i.test(name);

function exampleOf({ facts: { body, parameters } }: Operation, name: string, isEmail: boolean): string[] {
  const parameter = parameters.find((each) => each.name === name && each.sampleIsDeclared);
  const value = parameter?.sample ?? member(body?.sample, name);
  const form = isEmail ? /^[\w.+-]{1,40}@[\w.-]{3,60}$/ : /^[\w.@+-]{3,60}$/;
  return typeof value === "string" && form.test(value) && !INVENTED.test(value) ? [value] : [];
}

/** Values that stand for a text, not for a person. */
const INVENTED = /^(string|text|test|example|value|name|user_?name)$|glovebox|@example\./i;
