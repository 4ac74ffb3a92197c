import type { JournalEntry, Progress, ScanFailure, ScanMode, ScanRequest } from "@glovebox/contract";
import type { scans } from "./schema.ts";

type Columns = typeof scans.$inferSelect;

/** The row of a scan. */
export type ScanRow = Readonly<
  Pick<
    Columns,
    | "id"
    | "accountId"
    | "url"
    | "specUrl"
    | "context"
    | "include"
    | "exclude"
    | "identityNames"
    | "mode"
    | "status"
    | "createdAt"
    | "endedAt"
    | "score"
    | "grade"
    | "findingsCount"
    | "attempts"
    | "resourceUid"
  >
> & {
  readonly progress: Progress;
  /** Of a failed scan. */
  readonly failure: ScanFailure | null;
  /** The report, packed (scan-run), so that nothing parses it. Read by `ScanStore.get` only; null without one. */
  readonly packedReport?: Uint8Array | null;
  /** The writes of an active scan that failed. Read by `ScanStore` only. */
  readonly journal?: readonly JournalEntry[] | undefined;
};

/** The result of a statement that selects `SCAN_COLUMNS`. */
export type ScanColumns = Omit<ScanRow, "progress" | "failure"> &
  Pick<Columns, "progressDone" | "progressPlanned" | "failureCode" | "failureMessage" | "failureReason">;

/** The select list of a `ScanColumns`, from a table `s`. */
export const SCAN_COLUMNS = `s.id, s.account_id, s.url, s.spec_url, s.context, s.include, s.exclude, s.identity_names,
  s.mode, s.status, s.created_at, s.ended_at,
  s.score, s.grade, s.findings_count, s.attempts, s.resource_uid,
  s.progress_done, s.progress_planned, s.failure_code, s.failure_message,
  s.failure_reason`;

export function toScanRow(selected: ScanColumns): ScanRow {
  const { progressDone, progressPlanned, failureCode, failureMessage, failureReason, ...columns } = selected;
  return {
    ...columns,
    progress: { done: progressDone, planned: progressPlanned },
    failure: failureCode
      ? { code: failureCode, message: failureMessage ?? "", ...(failureReason && { reason: failureReason }) }
      : null,
  };
}

/** The columns of a request. Schedules have no mode. */
export type RequestColumns = Pick<ScanRow, "url" | "specUrl" | "context"> &
  Partial<Pick<ScanRow, "include" | "exclude" | "mode">>;

/** The request of the scan, in normal form, without its identities. */
/** What starts a scan: its request, and the names of the identities that are stored beside its row. */
export type LaunchableScan = Pick<ScanRow, "id" | "identityNames"> & RequestColumns;

export const requestOf = ({
  url,
  specUrl,
  context,
  mode = null,
  ...filters
}: RequestColumns): ScanRequest => ({
  url,
  ...(specUrl !== null && { specUrl }),
  ...(context !== null && { context }),
  ...modeOf({ mode }),
  ...filtersOf(filters),
});

/** The operations that the scan is limited to, where it is. */
export const filtersOf = ({
  include = null,
  exclude = null,
}: Partial<Pick<ScanRow, "include" | "exclude">>): Pick<ScanRequest, "include" | "exclude"> => ({
  ...(include !== null && { include }),
  ...(exclude !== null && { exclude }),
});

/** The mode of the scan, where it is not `safe`. */
export const modeOf = ({ mode = null }: Partial<Pick<ScanRow, "mode">>): { readonly mode?: "active" } =>
  mode === null ? {} : { mode };

/** A mode as the column has it. */
export const columnOf = (mode: ScanMode | undefined): "active" | null => (mode === "active" ? mode : null);
