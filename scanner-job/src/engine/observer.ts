import type { Reply } from "../transport/exchange.ts";
import type { Operation } from "../inventory/operation.ts";
import { isBlocked } from "../oracles/classify.ts";
import { pass, type Check, type Observation, type Seen, type Subject, type TargetProfile } from "./check.ts";
import { calls } from "./reach.ts";
import type { Result } from "./runner.ts";
import type { Task } from "./schedule.ts";

/** What a check saw in an answer. */
export interface Suspicion {
  readonly reply: Reply;
  readonly observation: Observation;
}

/** Places at which one check reports what it saw in answers; a weakness of every answer needs no more. */
const MAX_PLACES = 25;

/** Shows every answer of the scan, whatever it was sent for, to the checks that observe. */
export class Observer {
  readonly #checks: readonly Check[];
  readonly #profile: TargetProfile;
  readonly #answered = new Set<Operation | undefined>();
  readonly #places = new Map<Check, Set<string>>();
  readonly #new: Task[] = [];

  constructor(checks: readonly Check[], profile: TargetProfile) {
    this.#checks = checks.filter(({ observe }) => observe);
    this.#profile = profile;
  }

  /** A new answer to a request for this subject. */
  see(reply: Reply, subject: Subject): void {
    if (isBlocked(reply)) return;
    const place = this.#placeOf(reply, subject);
    this.#answered.add(place.operation);
    for (const check of this.#checks) {
      const observation = observe(check, reply, { profile: this.#profile, operation: place.operation });
      const subject = observation?.location ? { location: observation.location } : place;
      if (observation && this.#isNewPlace(check, subject))
        this.#new.push({ check, subject, suspicion: { reply, observation } });
    }
  }

  /** What was seen since the last call. */
  takeSuspicions(): readonly Task[] {
    return this.#new.splice(0);
  }

  /** Each check that does nothing but observe has looked at every operation that answered, and at the host. */
  passes(failed: ReadonlySet<string>): Result[] {
    const checks = this.#checks.filter(({ onlyObserves }) => onlyObserves);
    return checks.flatMap((check) =>
      [...this.#answered].flatMap((operation): Result[] => {
        const subject = operation ?? this.#profile.host;
        return !failed.has(placeKey(check, subject))
          ? [{ check, subject, verdict: pass(), reach: "untried" }]
          : [];
      }),
    );
  }

  /** The operation that was called, the file that was asked for, or else the host: a random path is no place. */
  #placeOf({ request }: Reply, subject: Subject): Subject {
    const { operation, location } = subject;
    if (operation) return calls(request, operation) ? operation : this.#profile.host;
    return new URL(request.url).pathname === location.path ? { location } : this.#profile.host;
  }

  #isNewPlace(check: Check, subject: Subject): boolean {
    const places = this.#places.get(check) ?? new Set();
    this.#places.set(check, places);
    const key = placeKey(check, subject);
    if (places.has(key) || places.size >= MAX_PLACES) return false;
    places.add(key);
    return true;
  }
}

export const placeKey = ({ id }: Check, { location: { method, path } }: Subject): string =>
  `${id} ${method} ${path}`;

/** What the check sees in the answer, unless the request itself had it. */
export function observe(check: Check, reply: Reply, seen: Seen): Observation | undefined {
  const observation = check.observe?.(reply, seen);
  return observation?.values?.some((value) => wasSent(reply, value)) ? undefined : observation;
}

const wasSent = ({ request: { url, rawPath, headers, body } }: Reply, value: string): boolean =>
  [url, rawPath, body, ...Object.values(headers ?? {})].some(
    (part) => part !== undefined && (part.includes(value) || decoded(part).includes(value)),
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
