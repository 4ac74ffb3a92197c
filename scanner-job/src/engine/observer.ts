import { ANONYMOUS, type Exchange } from "@glovebox/contract";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Operation } from "../inventory/operation.ts";
import { isBlocked } from "../oracles/classify.ts";
import {
  isExamining,
  pass,
  type Check,
  type Observation,
  type ObservingCheck,
  type Seen,
  type Subject,
  type TargetProfile,
} from "./check.ts";
import { calls } from "./reach.ts";
import type { Result } from "./result.ts";
import type { Task } from "./task.ts";

/** An observation of a check in one response, not confirmed yet. */
export interface Suspicion {
  readonly response: ProbeResponse;
  readonly observation: Observation;
}

/** Maximum number of locations that one check reports: a weakness of every response needs no more. */
const MAX_LOCATIONS = 25;

/** Passes every response of the scan to the checks that observe. */
export class Observer {
  readonly #checks: readonly ObservingCheck[];
  readonly #profile: TargetProfile;
  readonly #responded = new Set<Operation | undefined>();
  readonly #locations = new Map<Check, Set<string>>();
  readonly #new: Task[] = [];
  readonly #attacks = new WeakSet<ProbeRequest>();

  constructor(checks: readonly Check[], profile: TargetProfile) {
    this.#checks = checks.filter((check): check is ObservingCheck => "observe" in check);
    this.#profile = profile;
  }

  /** Observes a new response to a request for this subject. */
  see(response: ProbeResponse, subject: Subject, role: Exchange["role"] = "baseline"): void {
    if (isBlocked(response)) return;
    const isBaseline = this.#isBaseline(response, subject, role);
    const seenAt = this.#subjectOf(response, subject);
    this.#responded.add(seenAt.operation);
    for (const check of this.#checks) {
      const observation = observe(check, response, {
        profile: this.#profile,
        operation: seenAt.operation,
        isBaseline,
      });
      const subject = observation?.location ? { location: observation.location } : seenAt;
      if (observation && this.#isNewLocation(check, subject))
        this.#new.push({ check, subject, suspicion: { response, observation } });
    }
  }

  /** An attack stays one when its request is repeated to confirm what was observed. */
  #isBaseline(
    { request, status, caller }: ProbeResponse,
    { location }: Subject,
    role: Exchange["role"],
  ): boolean {
    if (role !== "baseline" && (location.parameter !== undefined || !isPlainRead(request)))
      this.#attacks.add(request);
    return status >= 400 || (caller === ANONYMOUS && !this.#attacks.has(request));
  }

  /** Suspicions since the last call. */
  takeSuspicions(): readonly Task[] {
    return this.#new.splice(0);
  }

  /** Results of the checks that only observe: for every operation with a response, and for the host. */
  passes(failed: ReadonlySet<string>): Result[] {
    const checks = this.#checks.filter((check) => !isExamining(check));
    return checks.flatMap((check) =>
      [...this.#responded].flatMap((operation): Result[] => {
        const subject = operation ?? this.#profile.host;
        return !failed.has(locationKey(check, subject))
          ? [{ check, subject, verdict: pass(), reach: "untried" }]
          : [];
      }),
    );
  }

  /** The operation that was called, the file that was requested, or else the host: a random path is not a location. */
  #subjectOf({ request }: ProbeResponse, subject: Subject): Subject {
    const { operation, location } = subject;
    if (operation) return calls(request, operation) ? operation : this.#profile.host;
    return new URL(request.url).pathname === location.path ? { location } : this.#profile.host;
  }

  #isNewLocation(check: Check, subject: Subject): boolean {
    const locations = this.#locations.get(check) ?? new Set();
    this.#locations.set(check, locations);
    const key = locationKey(check, subject);
    if (locations.has(key) || locations.size >= MAX_LOCATIONS) return false;
    locations.add(key);
    return true;
  }
}

/** Anyone who knows the path sends it: it has nothing that an attack is made of. */
const isPlainRead = ({ method, url, rawPath, headers = {}, body }: ProbeRequest): boolean =>
  method === "GET" &&
  new URL(url).search === "" &&
  rawPath === undefined &&
  body === undefined &&
  Object.keys(headers).every((name) => name === "accept");

/** Queries of GraphQL are separate locations. */
export const locationKey = ({ id }: Check, { operation, location: { method, path } }: Subject): string =>
  `${id} ${method} ${path} ${operation?.facts.graphqlField ?? ""}`;

/** The observation of the check, unless the response only reflects the request. */
export function observe(check: ObservingCheck, response: ProbeResponse, seen: Seen): Observation | undefined {
  const observation = check.observe?.(response, seen);
  return observation?.values?.some((value) => wasSent(response, value)) ? undefined : observation;
}

const wasSent = ({ request: { url, rawPath, headers, body } }: ProbeResponse, value: string): boolean =>
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
