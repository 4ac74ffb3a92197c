import { type CheckSummary, type Instance, type Location } from "@glovebox/contract";

/** A location in one line: `GET /orders/{orderId} (orderId)`. */
export const locationName = ({ method, path, parameter }: Location): string =>
  `${method} ${path}${parameter === undefined ? "" : ` (${parameter})`}`;

/**
 * What a check examined, in one text: equal for two reports if and only if check and location are. It is stored (`findings.seen_at`)
 * and compared as a whole; nothing reads its parts.
 */
export const locationKey = ({
  check,
  subject,
  location,
}: Pick<Instance, "check" | "subject" | "location">): string =>
  keyAt(check, locationName(subject ?? location));

const keyAt = (check: string, location: string): string => `${check} ${location}`;

/** Which locations each check passed, of a report or of the index of its findings. */
export interface Tested {
  readonly checks: readonly Pick<CheckSummary, "check" | "passedAt">[];
  readonly places?: readonly string[] | undefined;
}

/** Tells whether a check found nothing wrong at a location. What a report does not speak of has not passed. Pure. */
export function passing({ checks, places = [] }: Tested): (check: string, location: string) => boolean {
  const indices = new Map(places.map((location, index) => [location, index]));
  const ranges = new Map(checks.map(({ check, passedAt }) => [check, rangesOf(passedAt)]));
  return (check, location) => {
    const index = indices.get(location);
    return (
      index !== undefined && (ranges.get(check) ?? []).some(([from, to]) => from <= index && index <= to)
    );
  };
}

/** More are not read: above what the requests of a scan allow, and a compromised scanner may claim any number. */
const MAX_PASSED_KEYS = 300_000;

/** Of these keys those at which the check found nothing wrong, as in `passing`. Pure. */
export function passedAmong(keys: ReadonlySet<string>, tested: Tested): Set<string> {
  const passed = new Set<string>();
  let left = keys.size === 0 ? 0 : MAX_PASSED_KEYS;
  for (const key of passedKeys(tested)) {
    if (left-- === 0) break;
    if (keys.has(key)) passed.add(key);
  }
  return passed;
}

function* passedKeys({ checks, places = [] }: Tested): Generator<string, undefined> {
  for (const { check, passedAt } of checks)
    for (const [from, to] of rangesOf(passedAt))
      for (const location of places.slice(from, to + 1)) yield keyAt(check, location);
}

const rangesOf = (passedAt = ""): (readonly [number, number])[] =>
  passedAt
    .split(" ")
    .filter((range) => range !== "")
    .map((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return [from, to];
    });
