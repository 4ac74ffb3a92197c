import { locationName } from "@glovebox/domain";
import { ANONYMOUS, type Access, type Category, type Location } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isDenied } from "../oracles/classify.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { ACCESS_OF } from "./access-grid.ts";
import type { AccessByCaller } from "./caller-access.ts";
import { groupOf, type Check } from "./check.ts";
import { locationKey } from "./observer.ts";
import { anonymousReachOf, type Read } from "./read-operations.ts";
import { farthest, type Reach } from "./reach.ts";
import type { Result } from "./result.ts";
import { declaredCost, type Learned } from "./priority.ts";

/** What the results so far have shown. */
export class Knowledge implements Learned {
  readonly results: Result[] = [];
  /** What the plain read of each operation showed. */
  readonly reads = new Map<Operation, Read>();
  /** What each caller got from the plain read of each operation. */
  readonly access = new Map<Operation, AccessByCaller>();
  /** Locations where a check reported something. */
  readonly failedLocations = new Set<string>();
  readonly #reaches = new Map<Operation, Reach>();
  /** Those of requests without credentials. */
  readonly #anonymousReaches = new Map<Operation, Reach>();
  readonly #decided = new Set<string>();
  readonly #records = new Map<string, { examined: number; reported: number }>();
  /** First examinations of each check, and the requests that they sent. */
  readonly #costs = new Map<string, { examined: number; sent: number }>();
  readonly #spent = new Map<Operation, number>();
  readonly #interpreted = new Set<string>();
  readonly #refusing = new Set<Operation>();

  learn(result: Result): void {
    const { check, subject, verdict, reach, caller = ANONYMOUS, finding, lostRequest, sent } = result;
    const { operation } = subject;
    if (lostRequest) this.wait(operation, NO_RESPONSE_MS);
    this.results.push(result);
    if (finding) this.failedLocations.add(locationKey(check, subject));
    if (operation) this.#reaches.set(operation, farthest([this.reachOf(operation), reach]));
    if (operation && caller === ANONYMOUS)
      this.#anonymousReaches.set(operation, farthest([this.#anonymousReachOf(operation), reach]));
    if (finding || verdict.outcome === "pass") this.#decided.add(pairKey(check.category, operation));
    if (sent !== undefined) {
      const known = this.#costs.get(check.id) ?? { examined: 0, sent: 0 };
      this.#costs.set(check.id, { examined: known.examined + 1, sent: known.sent + sent });
    }
    const record = this.recordOf(check);
    this.#records.set(familyOf(check), {
      examined: record.examined + 1,
      reported: record.reported + (finding ? 1 : 0),
    });
  }

  /** One request more is sent for the operation. */
  spend(operation: Operation | undefined): void {
    this.#add(operation, 1);
  }

  /** A response that takes seconds counts as several requests. */
  wait(operation: Operation | undefined, elapsedMs: number): void {
    this.#add(operation, Math.max(0, Math.round(elapsedMs / 1_000) - 1));
  }

  #add(operation: Operation | undefined, requests: number): void {
    if (operation) this.#spent.set(operation, this.spentOn(operation) + requests);
  }

  /** This many requests are sent again, because the target was not there for one that belongs to them. */
  refund(operation: Operation | undefined, requests: number): void {
    if (operation) this.#spent.set(operation, Math.max(0, this.spentOn(operation) - requests));
  }

  /** The value at this insertion point may be interpreted. */
  interpret(location: Location): void {
    this.#interpreted.add(locationName(location));
  }

  isInterpreted(location: Location): boolean {
    return this.#interpreted.has(locationName(location));
  }

  reachOf(operation: Operation): Reach {
    return farthest([
      this.reads.get(operation)?.reach ?? "untried",
      this.#reaches.get(operation) ?? "untried",
    ]);
  }

  #anonymousReachOf(operation: Operation): Reach {
    const read = this.reads.get(operation);
    return farthest([
      read ? anonymousReachOf(read) : "untried",
      this.#anonymousReaches.get(operation) ?? "untried",
    ]);
  }

  /** A response of the operation to a caller without credentials. To an attack on a read, 403 may be the response of a firewall; 401 asks for credentials. */
  hear(operation: Operation, response: ProbeResponse): void {
    if (response.caller !== ANONYMOUS) return;
    if (response.status === 401 || (!operation.isRead && isDenied(response))) this.#refusing.add(operation);
  }

  /** What callers without credentials get. A write that validates first, or a bypass, is a refusing operation all the same. */
  accessTo(operation: Operation): Access {
    const read = this.reads.get(operation);
    const isRefusing =
      this.#refusing.has(operation) || (read !== undefined && anonymousReachOf(read) === "refused");
    return isRefusing ? "refused" : ACCESS_OF[this.#anonymousReachOf(operation)];
  }

  isDecided(category: Category, operation: Operation | undefined): boolean {
    return this.#decided.has(pairKey(category, operation));
  }

  recordOf(check: Check): { examined: number; reported: number } {
    return this.#records.get(familyOf(check)) ?? { examined: 0, reported: 0 };
  }

  costOf(check: Check): number {
    const { examined, sent } = this.#costs.get(check.id) ?? { examined: 0, sent: 0 };
    // A check whose requests are all shared with others still takes time.
    return Math.max(
      LEAST_COST,
      (DECLARED_WEIGHT * declaredCost(check) + sent) / (DECLARED_WEIGHT + examined),
    );
  }

  spentOn(operation: Operation): number {
    return this.#spent.get(operation) ?? 0;
  }
}

/** The declared cost counts as this many examinations. */
const DECLARED_WEIGHT = 2;
const LEAST_COST = 0.5;

/** Two requests that were waited for until they were given up. */
const NO_RESPONSE_MS = 30_000;

/** The rows of one table are likely or unlikely together. */
const familyOf = (check: Check): string => groupOf(check) ?? check.id;

const pairKey = (category: Category, operation: Operation | undefined): string =>
  `${category} ${operation ? locationName(operation.location) : ""}`;
