import type { Plan, Role } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { sessions, users } from "./schema.ts";

type Columns = Readonly<typeof sessions.$inferSelect>;

/** One account of a user. */
export interface Membership {
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: Plan;
  readonly role: Role;
}

/** Who uses the dashboard, and as what: read again for every request, so that a change takes effect immediately. */
export interface Session {
  readonly sessionId: string;
  readonly user: Readonly<Pick<typeof users.$inferSelect, "id" | "email" | "name" | "isAdministrator">>;
  /** By the names of the accounts. */
  readonly memberships: readonly Membership[];
  /** The account in view, of which the user is a member or which an administrator selected; null: none. */
  readonly accountId: string | null;
  readonly createdAt: Date;
  readonly hasSecondFactor: boolean;
  /** Its user gave the password or a passkey within the last ten minutes, to change what they sign in with. */
  readonly isConfirmed: boolean;
}

/** A session as its user sees it in the list. */
export type SessionRow = Pick<
  Columns,
  "id" | "createdAt" | "seenAt" | "expiresAt" | "ip" | "agent" | "hasSecondFactor"
>;

export interface NewSession extends Pick<Columns, "sha256" | "userId" | "ip" | "agent" | "hasSecondFactor"> {
  /** The account in view, if it is one of the user's. */
  readonly accountId?: string | null | undefined;
  readonly isConfirmed?: boolean | undefined;
}

interface SessionColumns extends Pick<Session["user"], "email" | "name" | "isAdministrator"> {
  readonly sessionId: string;
  readonly userId: string;
  readonly accountId: string | null;
  readonly createdAt: Date;
  readonly hasSecondFactor: boolean;
  readonly isConfirmed: boolean;
  readonly memberships: readonly Membership[];
  /** The account that the user joined first. */
  readonly firstAccountId: string | null;
}

const IDLE = "12 hours"; // as in ../../sql/retention.sql
const ABSOLUTE = "30 days";
const CONFIRMED = "10 minutes";

/** Sessions of the dashboard, by the SHA-256 of the token in the cookie. */
export class SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * The session, unless it is unknown, was idle for 12 hours, is 30 days old, or its user is disabled. Records the request,
   * at most once a minute.
   */
  async find(sha256: string): Promise<Session | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<SessionColumns[]>`
          with at as (select coalesce(${this.#database.now()}::timestamptz, now()) as moment), found as (
            select s.*, u.email, u.name, u.is_administrator from sessions s join users u on u.id = s.user_id, at
            where s.sha256 = ${sha256} and s.expires_at > at.moment
              and s.seen_at > at.moment - ${IDLE}::interval and u.disabled_at is null
          ), seen as (
            update sessions set seen_at = at.moment from at, found
            where sessions.id = found.id and sessions.seen_at <= at.moment - interval '1 minute'
          )
          select id as session_id, user_id, email, name, is_administrator, account_id, created_at, has_second_factor,
            coalesce(confirmed_at > (select moment from at) - ${CONFIRMED}::interval, false) as is_confirmed,
            (select m.account_id from memberships m where m.user_id = found.user_id
              order by m.created_at, m.account_id limit 1) as first_account_id,
            (select coalesce(json_agg(json_build_object(
                'accountId', a.id, 'accountName', a.name, 'plan', a.plan, 'role', m.role) order by a.name), '[]')
              from memberships m join accounts a on a.id = m.account_id where m.user_id = found.user_id) as memberships
          from found`,
    );
    return found && sessionOf(found);
  }

  /** Starts a session that ends after 30 days. */
  async create(session: NewSession): Promise<void> {
    const { sha256, userId, accountId = null, ip, agent, hasSecondFactor, isConfirmed = false } = session;
    await this.#database.run(
      (sql) => sql`
          with at as (select coalesce(${this.#database.now()}::timestamptz, now()) as moment),
          signed_in as (update users set last_sign_in_at = moment from at where id = ${userId})
          insert into sessions (sha256, user_id, account_id, has_second_factor, confirmed_at, created_at, seen_at, expires_at,
            ip, agent)
          select ${sha256}, ${userId}, (select id from accounts where id = ${accountId}), ${hasSecondFactor},
            case when ${isConfirmed} then moment end, moment, moment, moment + ${ABSOLUTE}::interval, ${ip}, ${agent}
          from at`,
    );
  }

  /**
   * Gives the session another token; its expiry stays. `hasSecondFactor` records that one was shown, `isConfirmed` that the
   * user gave the password or a passkey.
   */
  async rotate(
    sessionId: string,
    next: { sha256: string; hasSecondFactor?: boolean; isConfirmed?: boolean },
  ): Promise<void> {
    const { sha256, hasSecondFactor = null, isConfirmed = false } = next;
    await this.#database.run(
      (sql) => sql`
          update sessions set sha256 = ${sha256},
            has_second_factor = coalesce(${hasSecondFactor}::boolean, has_second_factor),
            confirmed_at = case when ${isConfirmed} then coalesce(${this.#database.now()}::timestamptz, now()) else confirmed_at end
          where id = ${sessionId}`,
    );
  }

  /** Ends one session of the user; false: there is no such session. */
  async delete(userId: string, sessionId: string): Promise<boolean> {
    const ended = await this.#database.run(
      (sql) => sql`delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`,
    );
    return ended.length > 0;
  }

  /** Signs the user out everywhere, except in the session given; returns how many sessions ended. */
  async deleteAllOfUser(userId: string, except?: string): Promise<number> {
    const ended = await this.#database.run(
      (sql) => sql`
          delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid returning id`,
    );
    return ended.length;
  }

  /** The sessions of a user that have not expired, the one used last first. */
  async list(userId: string): Promise<SessionRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<SessionRow[]>`
          select id, created_at, seen_at, expires_at, ip, agent, has_second_factor
          from sessions, (select coalesce(${this.#database.now()}::timestamptz, now()) as moment) at
          where user_id = ${userId} and expires_at > moment and seen_at > moment - ${IDLE}::interval
          order by seen_at desc, id`,
    );
    return [...rows];
  }

  /** Puts an account into view; false, and no change, when the user is neither its member nor an administrator. */
  async selectAccount(sessionId: string, accountId: string): Promise<boolean> {
    const selected = await this.#database.run(
      (sql) => sql`
          update sessions s set account_id = a.id from accounts a, users u
          where s.id = ${sessionId} and a.id = ${accountId} and u.id = s.user_id and (u.is_administrator or exists (
            select from memberships m where m.user_id = u.id and m.account_id = a.id))
          returning s.id`,
    );
    return selected.length > 0;
  }
}

function sessionOf({ userId, email, name, isAdministrator, memberships, ...row }: SessionColumns): Session {
  const isAllowed = isAdministrator || memberships.some(({ accountId }) => accountId === row.accountId);
  return {
    sessionId: row.sessionId,
    user: { id: userId, email, name, isAdministrator },
    memberships,
    // A membership that has ended takes its account out of view; a new one puts none into view.
    accountId: (isAllowed ? row.accountId : null) ?? row.firstAccountId,
    createdAt: row.createdAt,
    hasSecondFactor: row.hasSecondFactor,
    isConfirmed: row.isConfirmed,
  };
}
