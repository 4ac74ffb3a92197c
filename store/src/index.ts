export type { Account, AccountRow, AccountStore } from "./accounts/accounts.ts";
export type { AdoptResult, BoundScan, ResourceScan } from "./scans/adoption.ts";
export { COMMAND_LINE, actorOf, apiKeyActor, serviceActor, visitorActor } from "./audit/audit.ts";
export { addKey, declareAccount, declareKey, revokeKey, rotateKey } from "./accounts/account-changes.ts";
export type { Actor, AuditEntry, AuditFilter, AuditStore, Audited } from "./audit/audit.ts";
export type { StoreEvent } from "./database/events.ts";
export {
  MAX_DECIDED,
  type FindingRecord,
  type FindingRow,
  type FindingStore,
  type HistoryEntry,
  type Preview,
} from "./findings/findings.ts";
export { type FindingFilter, type FindingQuery } from "./findings/findings-search.ts";
export type {
  Invitation,
  InvitationResponse,
  InvitationOutcome,
  InvitationStore,
} from "./sign-in/invitations.ts";
export { IdentitiesUnreadable } from "./identities/identity-keys.ts";
export type { IdentitySetRow, IdentitySetStore } from "./identities/identity-sets.ts";
export type { ScanIdentities } from "./identities/scan-identities.ts";
export { KeyRefused, type KeyRow, type KeyStore, type Principal } from "./accounts/keys.ts";
export type { LaunchStore, UnlaunchedScan } from "./scans/launches.ts";
export type { MemberRow } from "./sign-in/members.ts";
export { MAX_TOTAL, type ListPage } from "./database/page.ts";
export { migrate, type MigrateOptions, type SchemaState } from "./database/migrate.ts";
export type { Challenge, Passkey, PasskeyStore } from "./sign-in/passkeys.ts";
export { ProgressWriter } from "./scans/progress-writer.ts";
export type { ScanWrites } from "./scans/scan-writes.ts";
export { WriteNoter } from "./scans/write-noter.ts";
export type { FailedScan, QueueState, QueuedScan } from "./scans/queue.ts";
export type { RetentionKind, RetentionPolicy, RetentionStore } from "./database/retention.ts";
export { OVERVIEW_DAYS, type Overview, type OverviewStore } from "./findings/overview.ts";
export {
  filtersOf,
  modeOf,
  requestOf,
  type LaunchableScan,
  type RequestColumns,
  type ScanRow,
} from "./scans/scan-row.ts";
export { type ScanListItem, type ScanQuery, type ScanSearch } from "./scans/scan-search.ts";
export type { ScanStore, Submission, SubmitResult } from "./scans/scans.ts";
export type { ClaimedSchedule, RunRow, ScheduleDecision } from "./schedules/schedule-runs.ts";
export type { ScheduleRow, ScheduleTerms } from "./schedules/schedules.ts";
export type { Membership, Session, SessionRow, SessionStore } from "./sign-in/sessions.ts";
export { sqlDigest } from "./database/sql-files.ts";
export {
  MAX_TREND,
  type TargetDetail,
  type TargetQuery,
  type TargetRow,
  type TargetStore,
  type TrendPoint,
} from "./findings/targets.ts";
export { openStore, type Change, type Changing, type Store, type Tables } from "./store.ts";
export {
  MigrationFailed,
  SchemaMissing,
  StoreExhausted,
  StoreUnavailable,
  StoreUnusable,
  UnstorableValue,
  databaseErrorCode,
} from "./database/unavailable.ts";
export type { DailyUsage, Usage } from "./accounts/usage.ts";
export type { Identity, ProviderRoles, User, UserRow, UserStore } from "./sign-in/users.ts";
export type { ClaimedDelivery, DeliveryAttempt, WebhookQueue } from "./webhooks/webhook-queue.ts";
export type { DeliveryRow, WebhookRow, WebhookStore } from "./webhooks/webhooks.ts";
export type { ClaimLimits } from "./scans/claims.ts";
export type { WorkStore } from "./scans/work.ts";
export { hashSecret, isToken, newToken } from "./database/tokens.ts";
export * from "./accounts/api-key.ts";
