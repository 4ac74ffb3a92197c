import type { Plan, ScanRequest } from "@glovebox/contract";
import { actorJson, serviceActor } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { columnOf } from "./scan-row.ts";

/** A scan and the Scan resource that it belongs to. */
export interface BoundScan {
  readonly id: string;
  readonly uid: string;
  readonly namespace: string;
}

/** A request in a Scan resource, its addresses in normal form. The id follows from the resource, so that adopting it twice is adopting it once. */
export interface ResourceScan extends ScanRequest, BoundScan {
  /** Undefined if the resource names none: then it can be bound to a row of any account, and is not adopted. */
  readonly accountName: string | undefined;
  /** The uid of the scan namespace of the installation that runs it (docs/adr/0011). */
  readonly installation: string;
}

export type AdoptResult =
  | { readonly outcome: "adopted" | "known" | "unknownAccount" | "activeModeForbidden" }
  | { readonly outcome: "quotaExceeded"; readonly plan: Plan; readonly scansPerMonth: number };

/** Whoever may create a Scan in the cluster; its own audit log says who that was. */
const KUBERNETES = serviceActor("Kubernetes");

/** One transaction: charges the account and inserts a row that counts as launched. A known id is not charged again. */
export async function adoptScan(database: Database, scan: ResourceScan): Promise<AdoptResult> {
  const { id, accountName = null, url, specUrl = null, context = null, uid, namespace, installation } = scan;
  const { include = null, exclude = null, mode } = scan;
  const [{ outcome, plan, scansPerMonth }] = await database.run(
    (sql) => sql<[{ outcome: AdoptResult["outcome"]; plan: Plan; scansPerMonth: number }]>`
      select outcome, plan, scans_per_month from adopt_scan(${id}, ${accountName}, ${url}, ${specUrl}, ${context},
        ${database.now()}, ${uid}, ${namespace}, ${installation}, ${actorJson(KUBERNETES)}::text::jsonb,
        ${include}::text[], ${exclude}::text[], ${columnOf(mode)})`,
  );
  return outcome === "quotaExceeded" ? { outcome, plan, scansPerMonth } : { outcome };
}

/**
 * Binds the row to the resource, if it is unbound and has the same request. Otherwise it returns false and changes nothing. The scan
 * counts as launched, unless it has identities: then the API, which may have ended before it created their Secret, notes the launch.
 */
export async function bindScan(database: Database, scan: ResourceScan): Promise<boolean> {
  const { id, accountName = null, url, specUrl = null, context = null, uid, namespace, installation } = scan;
  const { include = null, exclude = null, mode } = scan;
  const bound = await database.run(
    (sql) => sql`
      update scans set resource_uid = ${uid}, resource_namespace = ${namespace},
        installation = ${installation}, launched_at = case
          when identity_names is null then coalesce(launched_at, ${database.now()}::timestamptz, now()) else launched_at end
      from accounts a
      where scans.id = ${id} and resource_uid is null and a.id = account_id and url = ${url}
        and spec_url is not distinct from ${specUrl} and context is not distinct from ${context}
        and include is not distinct from ${include}::text[] and exclude is not distinct from ${exclude}::text[]
        and mode is not distinct from ${columnOf(mode)}
        and a.name = coalesce(${accountName}, a.name)
      returning scans.id`,
  );
  return bound.length === 1;
}
