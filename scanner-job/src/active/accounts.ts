import { elevated, isPrivileged } from "../attacks/privileged-members.ts";
import type { TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isObject, member, objectOf, type JsonObject } from "../json.ts";
import { lettersOf } from "../names.ts";
import { isSuccess } from "../oracles/classify.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/** The read of an account by its owner. */
export const ownAccountRead = ({ operations }: Pick<TargetProfile, "operations">): Operation | undefined =>
  operations.find(
    ({ facts, location }) =>
      facts.method === "GET" && /\/(me|self|myself|whoami|profile)\/?$/i.test(location.path),
  );

/** The object itself, or what is in its envelope. */
export const holderIn = (json: unknown): unknown =>
  [member(json, "data"), member(json, "user"), member(json, "account")].find(isObject) ?? json;

/** What a caller reads about itself, never from the cache; undefined where that fails. @throws NetworkError */
export async function accountOf(
  caller: string,
  probe: Pick<Probe, "profile" | "again">,
): Promise<{ readonly account: JsonObject; readonly response: ProbeResponse } | undefined> {
  const read = ownAccountRead(probe.profile);
  const response = read && (await probe.again({ ...read.request(), as: caller }));
  return response && isSuccess(response)
    ? { account: objectOf(holderIn(response.json)), response }
    : undefined;
}

/** Members of an account, and values for them that grant more; at most `max`. Pure. */
export const elevatedMembers = (account: unknown, max: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(objectOf(account))
      .filter(([name]) => isPrivileged(name))
      .map(([name, value]): [string, unknown] => [name, elevated(name, value)])
      .filter(([, value]) => value !== undefined)
      .slice(0, max),
  );

/** The member of an account that names its tenant by a text. Pure. */
export const tenantMember = (account: unknown): string | undefined =>
  Object.entries(objectOf(account)).find(
    ([name, value]) => typeof value === "string" && TENANT.test(lettersOf(name)),
  )?.[0];

const TENANT = /^(tenant|organi[sz]ation|org|workspace|company|customer)(id|uuid|slug|key)?$/;
