import type { Operation } from "./operation.ts";
import { signInFields } from "./sign-in.ts";
import { member } from "../json.ts";

/**
 * Attempts for one account name in a whole scan, at all of its log-ins: below five, the common number at which accounts are locked.
 */
const MAX_ATTEMPTS = 4;
/** Of these, what the search for account names may take, so that a default password can still be tried. */
const MAX_FOR_NAMES = MAX_ATTEMPTS - 1;

interface Attempts {
  count: number;
  /** Where a first attempt was made to find out whether the name exists; what fails there is repeated once. */
  readonly begun: Set<Operation>;
}

/** Counts the attempts of all checks of one scan to sign in, so that none of them locks an account. */
export class AccountAttempts {
  readonly #operations: readonly Operation[];
  readonly #counts = new Map<string, Attempts>();

  /** @param operations of the scan, which may grow */
  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  /** Counts an attempt with a password for this name; false where it must not be made. */
  mayTryPassword(name: string): boolean {
    const attempts = this.#attemptsFor(name);
    if (attempts.count >= MAX_ATTEMPTS) return false;
    attempts.count += 1;
    return true;
  }

  /** The last attempt was right: it counts towards no lock. */
  signedIn(name: string): void {
    this.#attemptsFor(name).count -= 1;
  }

  /**
   * Counts an attempt that is to show whether this name exists; false where it must not be made. An operation is not begun
   * with unless its attempt could be repeated.
   */
  mayTryName(name: string, operation: Operation): boolean {
    const attempts = this.#attemptsFor(name);
    const needed = attempts.begun.has(operation) ? 1 : 2;
    if (attempts.count + needed > MAX_FOR_NAMES) return false;
    attempts.begun.add(operation);
    attempts.count += 1;
    return true;
  }

  /** Names that differ only in case are the same account. */
  #attemptsFor(name: string): Attempts {
    const key = name.toLowerCase();
    const attempts = this.#counts.get(key) ?? {
      count: this.#operations.filter((operation) => exampleNameOf(operation) === key).length,
      begun: new Set<Operation>(),
    };
    this.#counts.set(key, attempts);
    return attempts;
  }
}

/** Of a log-in that the document gives an example for: the baseline request sends it. */
function exampleNameOf({ facts }: Operation): string | undefined {
  const fields = signInFields(facts);
  return fields && String(member(facts.body?.sample, fields.user.path)).toLowerCase();
}
