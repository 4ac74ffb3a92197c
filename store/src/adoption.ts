import type { ScanRequest } from "@glovebox/contract";
import { type Account, accountStore } from "./accounts.ts";
import type { Database } from "./database.ts";
import type { Quota } from "./quota.ts";

/** The Scan resource that a row belongs to. */
export interface ResourceIdentity {
  readonly uid: string;
  readonly namespace: string;
  /** The uid of the scan namespace of the installation that carries it out (docs/adr/0011). */
  readonly installation: string;
}

/** A scan that was requested by a Scan resource, its addresses in normal form. */
export interface Adoption extends ScanRequest {
  /** Follows from the resource, so that adopting it twice is adopting it once. */
  readonly id: string;
  readonly accountName: string;
  readonly resource: ResourceIdentity;
}

/** A resource that claims a row as its own, and what it requests. */
export interface Binding extends Omit<Adoption, "accountName"> {
  /** Undefined where the resource need not name its account. */
  readonly accountName: string | undefined;
}

export type AdoptResult =
  | { readonly outcome: "adopted" | "known" | "unknownAccount" }
  | { readonly outcome: "quotaExceeded"; readonly account: Account };

/** One transaction: charge, and a row that counts as launched. Nothing is charged for an id that is known. */
export async function adoptScan(database: Database, adoption: Adoption, quota: Quota): Promise<AdoptResult> {
  const { id, accountName, url, specUrl = null, context = null } = adoption;
  const { uid, namespace, installation } = adoption.resource;
  const account = await accountStore(database).find(accountName);
  if (!account) return { outcome: "unknownAccount" };
  const [{ outcome }] = await database.run(
    (sql) => sql<[{ outcome: AdoptResult["outcome"] }]>`
      select adopt_scan(${id}, ${accountName}, ${url}, ${specUrl}, ${context}, ${database.now()},
        ${null}, ${quota(account)}, ${uid}, ${namespace}, ${installation}) as outcome`,
  );
  return outcome === "quotaExceeded" ? { outcome, account } : { outcome };
}

/**
 * Notes the resource of a row of which none was noted yet, and which requests the same. False, and nothing is changed, for
 * any other row.
 */
export async function bindScan(database: Database, binding: Binding): Promise<boolean> {
  const { id, accountName = null, url, specUrl = null, context = null, resource } = binding;
  const bound = await database.run(
    (sql) => sql`
      update scans set resource_uid = ${resource.uid}, resource_namespace = ${resource.namespace},
        installation = ${resource.installation}, launched_at = coalesce(launched_at, ${database.now()}::timestamptz, now())
      from accounts a
      where scans.id = ${id} and resource_uid is null and a.id = account_id and url = ${url}
        and spec_url is not distinct from ${specUrl} and context is not distinct from ${context}
        and a.name = coalesce(${accountName}, a.name)
      returning scans.id`,
  );
  return bound.length === 1;
}
