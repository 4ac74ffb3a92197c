import { AccountStore } from "./accounts/accounts.ts";
import { AuditStore, appendEntry, type Actor, type Audited } from "./audit/audit.ts";
import { type TimeSource, Database, type DatabaseOptions } from "./database/database.ts";
import { Announcer, Listener, type StoreEvent } from "./database/events.ts";
import { FindingStore } from "./findings/findings.ts";
import { InvitationStore } from "./sign-in/invitations.ts";
import type { IdentityKeys } from "./identities/identity-keys.ts";
import { IdentitySetStore } from "./identities/identity-sets.ts";
import { reencrypt } from "./identities/reencryption.ts";
import { ScanIdentities } from "./identities/scan-identities.ts";
import { KeyStore } from "./accounts/keys.ts";
import { KnownBrowserStore } from "./sign-in/known-browsers.ts";
import { LaunchStore } from "./scans/launches.ts";
import { withLock } from "./database/lock.ts";
import { MemberStore } from "./sign-in/members.ts";
import { type SchemaState, schemaState } from "./database/migrate.ts";
import { OverviewStore } from "./findings/overview.ts";
import { ProviderResponseStore } from "./sign-in/provider-responses.ts";
import { QueueStore } from "./scans/queue.ts";
import { ReportIndex } from "./findings/report-index.ts";
import { PasskeyStore } from "./sign-in/passkeys.ts";
import { RetentionStore } from "./database/retention.ts";
import { ScanSearch } from "./scans/scan-search.ts";
import { ScanStore } from "./scans/scans.ts";
import { ScanWrites } from "./scans/scan-writes.ts";
import { ScheduleRunStore } from "./schedules/schedule-runs.ts";
import { ScheduleStore } from "./schedules/schedules.ts";
import { SessionStore } from "./sign-in/sessions.ts";
import { UserStore } from "./sign-in/users.ts";
import { TargetStore } from "./findings/targets.ts";
import { UsageStore } from "./accounts/usage.ts";
import { WebhookQueue } from "./webhooks/webhook-queue.ts";
import { WebhookStore } from "./webhooks/webhooks.ts";
import { WorkStore } from "./scans/work.ts";

export type Store = ReturnType<typeof assembleStore>;

export interface StoreOptions extends DatabaseOptions {
  /** Encrypt identities; without them none can be stored or read. */
  readonly identityKeys?: IdentityKeys | undefined;
}

/**
 * The store in a migrated database. Connects when first used, so it opens while the database is away. Every method rejects
 * with `StoreUnavailable` when it is away.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  return assembleStore(options);
}

/** The store; tests pass a clock that replaces the server's. */
export function assembleStore({ identityKeys, ...options }: StoreOptions, now?: TimeSource) {
  const database = new Database(options, now);
  const probe = new Database({ ...options, maxConnections: 1 });
  const announcer = new Announcer(database);
  const events = new Listener(options);

  const inTransaction = transactionsIn(database, announcer, identityKeys);

  return {
    ...tablesOf(database, announcer, identityKeys),
    work: new WorkStore(database, announcer),
    scanWrites: new ScanWrites(database),
    launches: new LaunchStore(database),
    events: events as Pick<Listener, "listen">,
    retention: new RetentionStore(database),
    findings: new FindingStore(database),
    reportIndex: new ReportIndex(database),
    scanSearch: new ScanSearch(database),
    targets: new TargetStore(database),
    overview: new OverviewStore(database),
    usage: new UsageStore(database),
    queue: new QueueStore(database),
    providerResponses: new ProviderResponseStore(database),
    deliveries: new WebhookQueue(database),

    /** Re-encrypts what another than the first key has encrypted (docs/stored-identities.md, "Rotate the key"). */
    reencryptIdentities: () => reencrypt(database, identityKeys),

    transaction: <T>(task: (tables: Tables) => Promise<T>): Promise<T> => inTransaction(task),

    changing: changingIn(inTransaction),

    /**
     * Runs the task unless any process holds the lock of this name; returns whether it ran. No guarantee of exclusion: a
     * process that loses its connection to the database also loses the lock, while its task goes on.
     */
    withLock: (name: string, task: () => Promise<void>): Promise<boolean> => withLock(options, name, task),

    /** The state of the schema. Uses a separate connection, so that a busy pool does not delay the response. */
    schemaState: (): Promise<SchemaState> => schemaState(probe),

    /** PostgreSQL had no disk space or memory for a statement just before: what writes fails. */
    isExhausted: (): boolean => database.isExhausted,

    async close(): Promise<void> {
      await announcer.settled();
      await Promise.all([events.close(), probe.close(), database.close()]);
    },
  };
}

type InTransaction = <T>(task: (tables: Tables, bound: Database) => Promise<T>) => Promise<T>;

/**
 * Runs a task in one transaction: what it does with the tables that it is given is committed together, or not at all when
 * it rejects. What it announces is announced after the commit.
 */
const transactionsIn =
  (database: Database, announcer: Announcer, identityKeys: IdentityKeys | undefined): InTransaction =>
  async (task) => {
    const waiting: StoreEvent[] = [];
    const announce = (event: StoreEvent): void => void waiting.push(event);
    const result = await database.transaction((bound) =>
      task(tablesOf(bound, { announce }, identityKeys), bound),
    );
    for (const event of waiting) announcer.announce(event);
    return result;
  };

/**
 * Makes changes of this actor, each in one transaction with its entry in the audit log, of this account unless it names one.
 * Besides this, only the functions start_scan and decide_findings write such entries, with the actor that they are given.
 */
const changingIn =
  (inTransaction: InTransaction) =>
  (actor: Actor, accountId: string | null = null): Changing =>
  (task) =>
    inTransaction(async (tables, bound) => {
      const { result, entry, actor: signedIn = actor } = await task(tables);
      if (entry) await appendEntry(bound, signedIn, { accountId, ...entry });
      return result;
    });

/** The result of a change and its entry in the audit log; null: nothing was changed. */
export interface Change<Result> {
  readonly result: Result;
  readonly entry: (Omit<Audited, "accountId"> & { readonly accountId?: string | null }) | null;
  /** Who has signed in by the change itself, instead of the actor that was given. */
  readonly actor?: Actor;
}

export type Changing = <Result>(task: (tables: Tables) => Promise<Change<Result>>) => Promise<Result>;

/** What changes of several statements may change. */
export type Tables = ReturnType<typeof tablesOf>;

const tablesOf = (
  database: Database,
  announcer: Pick<Announcer, "announce">,
  identityKeys: IdentityKeys | undefined,
) => {
  const identities = new ScanIdentities(database, identityKeys);
  return {
    accounts: new AccountStore(database),
    audit: new AuditStore(database),
    keys: new KeyStore(database),
    identities,
    identitySets: new IdentitySetStore(database, identityKeys),
    scans: new ScanStore(database, announcer, (scan, of) => identities.encrypted(scan, of)),
    users: new UserStore(database),
    sessions: new SessionStore(database),
    passkeys: new PasskeyStore(database),
    knownBrowsers: new KnownBrowserStore(database),
    members: new MemberStore(database),
    invitations: new InvitationStore(database),
    schedules: new ScheduleStore(database),
    webhooks: new WebhookStore(database, announcer),
    scheduleRuns: new ScheduleRunStore(database),
  };
};
