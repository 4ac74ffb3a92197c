import { accountStore } from "./accounts/accounts.ts";
import { auditStore, type Actor, type Audited } from "./audit/audit.ts";
import { type TimeSource, Database, type DatabaseOptions } from "./database/database.ts";
import { Announcer, Listener, type StoreEvent } from "./database/events.ts";
import { findingStore } from "./findings/findings.ts";
import { invitationStore } from "./sign-in/invitations.ts";
import { keyStore } from "./accounts/keys.ts";
import { knownBrowserStore } from "./sign-in/known-browsers.ts";
import { launchStore } from "./scans/launches.ts";
import { withLock } from "./database/lock.ts";
import { memberStore } from "./sign-in/members.ts";
import { type SchemaState, schemaState } from "./database/migrate.ts";
import { overviewStore } from "./findings/overview.ts";
import { providerAnswerStore } from "./sign-in/provider-answers.ts";
import { queueStore } from "./scans/queue.ts";
import { reportIndex } from "./findings/report-index.ts";
import { passkeyStore } from "./sign-in/passkeys.ts";
import { retentionStore } from "./database/retention.ts";
import { scanSearch } from "./scans/scan-search.ts";
import { scanStore } from "./scans/scans.ts";
import { scheduleRunStore } from "./schedules/schedule-runs.ts";
import { scheduleStore } from "./schedules/schedules.ts";
import { sessionStore } from "./sign-in/sessions.ts";
import { userStore } from "./sign-in/users.ts";
import { targetStore } from "./findings/targets.ts";
import { usageStore } from "./accounts/usage.ts";
import { webhookQueue } from "./webhooks/webhook-queue.ts";
import { webhookStore } from "./webhooks/webhooks.ts";
import { workStore } from "./scans/work.ts";

export type Store = ReturnType<typeof assembleStore>;

/**
 * The store in a migrated database. Connects when first used, so it opens while the database is away. Every method rejects
 * with `StoreUnavailable` when it is away.
 */
export async function openStore(options: DatabaseOptions): Promise<Store> {
  return assembleStore(options);
}

/** The store; tests pass a clock that replaces that of the server. */
export function assembleStore(options: DatabaseOptions, now?: TimeSource) {
  const database = new Database(options, now);
  const probe = new Database({ ...options, maxConnections: 1 });
  const announcer = new Announcer(database);
  const events = new Listener(options);

  const transaction = async <T>(task: (tables: Tables) => Promise<T>): Promise<T> => {
    const waiting: StoreEvent[] = [];
    const announce = (event: StoreEvent): void => void waiting.push(event);
    const result = await database.transaction((bound) => task(tablesOf(bound, { announce })));
    for (const event of waiting) announcer.announce(event);
    return result;
  };

  return {
    ...tablesOf(database, announcer),
    keys: keyStore(database),
    work: workStore(database, announcer),
    launches: launchStore(database),
    events: events as Pick<Listener, "listen">,
    retention: retentionStore(database),
    findings: findingStore(database),
    reportIndex: reportIndex(database),
    scanSearch: scanSearch(database),
    targets: targetStore(database),
    overview: overviewStore(database),
    usage: usageStore(database),
    queue: queueStore(database),
    providerAnswers: providerAnswerStore(database),
    webhooks: webhookStore(database, announcer),
    deliveries: webhookQueue(database),

    /**
     * Runs the task in one transaction: what it does with the tables that it is given is committed together, or not at all when
     * it rejects. What it announces is announced after the commit.
     */
    transaction,

    /** Makes changes of this actor, each in one transaction with its entry in the audit log, of this account unless it names one. */
    changing:
      (actor: Actor, accountId: string | null = null): Changing =>
      (task) =>
        transaction(async (tables) => {
          const { result, entry } = await task(tables);
          if (entry) await tables.audit.write(actor, { accountId, ...entry });
          return result;
        }),

    /**
     * Runs the task unless any process holds the lock of this name; returns whether it ran. No guarantee of exclusion: a
     * process that loses its connection to the database loses the lock, too, while its task goes on.
     */
    withLock: (name: string, task: () => Promise<void>): Promise<boolean> => withLock(options, name, task),

    /**
     * The state of the schema. Uses a separate connection, so that a busy pool does not delay the answer.
     */
    schemaState: (): Promise<SchemaState> => schemaState(probe),

    /** PostgreSQL had no disk space or memory for a statement just before: what writes fails. */
    isExhausted: (): boolean => database.isExhausted,

    async close(): Promise<void> {
      await announcer.settled();
      await Promise.all([events.close(), probe.close(), database.close()]);
    },
  };
}

/** The result of a change and its entry in the audit log; null: nothing was changed. */
export interface Change<Result> {
  readonly result: Result;
  readonly entry: (Omit<Audited, "accountId"> & { readonly accountId?: string | null }) | null;
}

export type Changing = <Result>(task: (tables: Tables) => Promise<Change<Result>>) => Promise<Result>;

/** What changes of several statements may change. */
export type Tables = ReturnType<typeof tablesOf>;

const tablesOf = (database: Database, announcer: Pick<Announcer, "announce">) => ({
  accounts: accountStore(database),
  audit: auditStore(database),
  scans: scanStore(database, announcer),
  users: userStore(database),
  sessions: sessionStore(database),
  passkeys: passkeyStore(database),
  knownBrowsers: knownBrowserStore(database),
  members: memberStore(database),
  invitations: invitationStore(database),
  schedules: scheduleStore(database),
  scheduleRuns: scheduleRunStore(database),
});
