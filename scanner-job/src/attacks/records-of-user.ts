import type { Subject, TargetProfile, Verdict } from "../engine/check.ts";
import { inconclusive, notApplicable, pass } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isObject } from "../json.ts";
import { lettersOf } from "../names.ts";
import { isDenied, isSuccess, withoutMeaning } from "../oracles/classify.ts";
import { rowsOf } from "../oracles/records.ts";
import { valuesIn } from "../signatures/sensitive-fields.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { sentAnonymously, sentAs, usersOf } from "./roles.ts";
import { reads, spread } from "./subjects.ts";

/** A read as a plain user. */
export interface UserRead extends Subject {
  readonly operation: Operation;
  readonly user: string;
}

/** Every read, as the first plain user of the scan. */
export function readsAsUser(profile: TargetProfile): readonly UserRead[] {
  const [user] = usersOf(profile);
  if (user === undefined) return [];
  return spread(reads(profile)).map((operation) => ({ operation, location: operation.location, user }));
}

export const NO_USER = "The scan has no identity of a plain user, or no read operation was found.";

/** Objects that are asked for by their ids. */
const MAX_OBJECTS = 4;

/** The records as the user, or the verdict where the user gets none. */
export async function recordsOf(
  { operation, user }: UserRead,
  probe: Probe,
): Promise<
  | {
      readonly got: {
        readonly records: readonly unknown[];
        readonly responses: readonly [ProbeResponse, ...ProbeResponse[]];
      };
      readonly verdict?: undefined;
    }
  | { readonly got?: undefined; readonly verdict: Verdict }
> {
  const first = await probe.attack(sentAs(await probe.withRealIds(operation), user));
  const unclear = withoutMeaning(first);
  if (unclear) return { verdict: inconclusive(unclear) };
  if (isDenied(first) || first.status === 404 || first.status === 410) return { verdict: pass() };
  if (!isSuccess(first)) return { verdict: inconclusive(`The read returned status ${first.status}.`) };
  if (!operation.idParameter)
    return { got: { records: rowsOf(first.json) ?? [first.json], responses: [first] } };
  const others: ProbeResponse[] = [];
  for (const id of (await probe.idsFor(operation)).slice(0, MAX_OBJECTS)) {
    const response = await probe.attack(sentAs(await probe.withId(operation, id), user));
    if (isSuccess(response) && response.body !== first.body) others.push(response);
  }
  return { got: { records: [first, ...others].map(({ json }) => json), responses: [first, ...others] } };
}

/** As a control: the same request without credentials. What it returns as well is no matter of the user. */
export async function unlessAnonymous(
  probe: Probe,
  request: ProbeRequest,
  isIn: (response: ProbeResponse) => boolean,
): Promise<Verdict | undefined> {
  const anonymous = await probe.control(sentAnonymously(request));
  return isSuccess(anonymous) && isIn(anonymous)
    ? notApplicable("Callers without credentials get it too, which another check reports.")
    : undefined;
}

/**
 * Whether the records are of several persons, by what names an account: all of them cannot be the caller's own then. Pure.
 */
export function areOfSeveralPersons(records: readonly unknown[]): boolean {
  const byName = new Map<string, Set<string>>();
  for (const record of records)
    for (const { name, value } of isObject(record) ? valuesIn(record) : []) {
      const plain = lettersOf(name);
      const isNamed = (typeof value === "string" && value !== "") || typeof value === "number";
      if (isNamed && ACCOUNT.test(plain))
        byName.set(plain, (byName.get(plain) ?? new Set()).add(String(value)));
    }
  return [...byName.values()].some(({ size }) => size > 1);
}

const ACCOUNT =
  /^(e?mail(address)?|user(name|id)?|login(name)?|handle|owner(id|email)?|account(id|name)|customerid|memberid|patientid|employeeid)$/;
