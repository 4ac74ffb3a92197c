export type { Account, AccountRow, AccountStore } from "./accounts.ts";
export type { AdoptResult, BoundScan, ResourceScan } from "./adoption.ts";
export { COMMAND_LINE, actorOf } from "./audit.ts";
export type { Actor, AuditEntry, AuditFilter, AuditStore, Audited } from "./audit.ts";
export type { StoreEvent } from "./events.ts";
export {
  MAX_DECIDED,
  type FindingRow,
  type FindingStore,
  type HistoryEntry,
  type Listed,
  type Preview,
} from "./findings.ts";
export {
  FINDING_SORTS,
  MAX_TOTAL,
  type FindingFilter,
  type FindingQuery,
  type FindingSort,
} from "./findings-search.ts";
export type { Invitation, InvitationAnswer, InvitationOutcome, InvitationStore } from "./invitations.ts";
export { KeyRefused, type KeyRow, type KeyStore, type Principal } from "./keys.ts";
export type { LaunchStore } from "./launches.ts";
export type { MemberRow } from "./members.ts";
export { migrate, type MigrateOptions, type SchemaState } from "./migrate.ts";
export type { Passkey, PasskeyStore } from "./passkeys.ts";
export { ProgressWriter } from "./progress-writer.ts";
export type { FailedScan, QueueState, QueuedScan } from "./queue.ts";
export type { RetentionKind, RetentionPolicy, RetentionStore } from "./retention.ts";
export { OVERVIEW_DAYS, type Overview, type OverviewStore } from "./overview.ts";
export { requestOf, type ScanRow } from "./scan-row.ts";
export { SCAN_SORTS, type FoundScan, type ScanQuery, type ScanSearch, type ScanSort } from "./scan-search.ts";
export type { ScanStore, Submission, SubmitResult } from "./scans.ts";
export type { ClaimedSchedule, RunRow, ScheduleDecision } from "./schedule-runs.ts";
export type { ScheduleRow, ScheduleTerms } from "./schedules.ts";
export type { Membership, Session, SessionRow, SessionStore } from "./sessions.ts";
export { sqlDigest } from "./sql-files.ts";
export {
  MAX_TREND,
  TARGET_SORTS,
  type TargetDetail,
  type TargetQuery,
  type TargetRow,
  type TargetSort,
  type TargetStore,
  type TrendPoint,
} from "./targets.ts";
export { openStore, type Change, type Changing, type Store, type Tables } from "./store.ts";
export {
  MigrationFailed,
  SchemaMissing,
  StoreExhausted,
  StoreUnavailable,
  StoreUnusable,
  UnstorableValue,
  databaseErrorCode,
} from "./unavailable.ts";
export type { DailyUsage, Usage } from "./usage.ts";
export type { Identity, ProviderRoles, User, UserRow, UserStore } from "./users.ts";
export type { ClaimedDelivery, DeliveryAttempt, WebhookQueue } from "./webhook-queue.ts";
export type { DeliveryRow, WebhookRow, WebhookStore } from "./webhooks.ts";
export type { WorkStore } from "./work.ts";
