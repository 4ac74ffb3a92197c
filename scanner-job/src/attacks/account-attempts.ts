import type { TargetProfile } from "../engine/check.ts";
import type { Operation } from "../inventory/operation.ts";
import { signInFields } from "../inventory/sign-in.ts";
import { member } from "../json.ts";

/** Attempts for one account name in a whole scan, at all of its log-ins: below five, the usual number at which accounts are locked. */
const MAX_ATTEMPTS = 4;
/** Of these, what the search for account names may take, so that a default password can still be tried. */
const MAX_FOR_NAMES = MAX_ATTEMPTS - 1;

interface Attempts {
  count: number;
  /** Where a first attempt was made to find out whether the name exists; what fails there is repeated once. */
  readonly begun: Set<Operation>;
}

const counts = new WeakMap<TargetProfile, Map<string, Attempts>>();

/** Counts an attempt with a password for this name; false where it must not be made. */
export function mayTryPassword(profile: TargetProfile, name: string): boolean {
  const attempts = attemptsFor(profile, name);
  if (attempts.count >= MAX_ATTEMPTS) return false;
  attempts.count += 1;
  return true;
}

/** The last attempt was right: it counts towards no lock. */
export function signedIn(profile: TargetProfile, name: string): void {
  attemptsFor(profile, name).count -= 1;
}

/**
 * Counts an attempt that is to show whether this name exists; false where it must not be made. An operation is not begun with
 * unless its attempt could be repeated.
 */
export function mayTryName(profile: TargetProfile, name: string, operation: Operation): boolean {
  const attempts = attemptsFor(profile, name);
  const needed = attempts.begun.has(operation) ? 1 : 2;
  if (attempts.count + needed > MAX_FOR_NAMES) return false;
  attempts.begun.add(operation);
  attempts.count += 1;
  return true;
}

/** Names are the same account whatever their case. */
function attemptsFor(profile: TargetProfile, name: string): Attempts {
  const ofTarget = counts.get(profile) ?? new Map<string, Attempts>();
  counts.set(profile, ofTarget);
  const key = name.toLowerCase();
  const attempts = ofTarget.get(key) ?? {
    count: profile.operations.filter((operation) => exampleNameOf(operation) === key).length,
    begun: new Set<Operation>(),
  };
  ofTarget.set(key, attempts);
  return attempts;
}

/** Of a log-in that the document gives an example for: the ordinary request sends it. */
function exampleNameOf({ facts }: Operation): string | undefined {
  const fields = signInFields(facts);
  return fields && String(member(facts.body?.sample, fields.user.path)).toLowerCase();
}
