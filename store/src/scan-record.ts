import type { scans } from "./schema.ts";
import type { ScanRow } from "./store.ts";

/** A row of `scans` as plain SQL returns it: moments are text. Columns are renamed by `SCAN_COLUMNS`. */
export type ScanRecord = Pick<
  typeof scans.$inferSelect,
  | "id"
  | "accountId"
  | "url"
  | "specUrl"
  | "context"
  | "status"
  | "progressDone"
  | "progressPlanned"
  | "failureCode"
  | "failureMessage"
> & { readonly createdAt: string; readonly endedAt: string | null };

/** The select list of a `ScanRecord`, from a table `s`. */
export const SCAN_COLUMNS = `s.id, s.account_id as "accountId", s.url, s.spec_url as "specUrl", s.context, s.status,
  s.created_at as "createdAt", s.ended_at as "endedAt", s.progress_done as "progressDone",
  s.progress_planned as "progressPlanned", s.failure_code as "failureCode", s.failure_message as "failureMessage"`;

export function toScanRow(record: ScanRecord): ScanRow {
  return {
    id: record.id,
    accountId: record.accountId,
    url: record.url,
    specUrl: record.specUrl,
    context: record.context,
    status: record.status,
    createdAt: new Date(record.createdAt),
    completedAt: record.status === "completed" && record.endedAt ? new Date(record.endedAt) : null,
    progress: { done: record.progressDone, planned: record.progressPlanned },
    failure: record.failureCode ? { code: record.failureCode, message: record.failureMessage ?? "" } : null,
  };
}
