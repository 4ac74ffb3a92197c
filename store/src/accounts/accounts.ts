import type { Plan } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { accounts } from "./schema.ts";

type Columns = Readonly<typeof accounts.$inferSelect>;

/** `requestsPerMinute` and `scansPerMonth` replace the values of the plan; null: the plan's own. */
export type Account = Pick<
  Columns,
  "id" | "name" | "plan" | "owner" | "requestsPerMinute" | "scansPerMonth" | "activeMode" | "suspendedAt"
>;

/** An account for the lists of administrators. */
export interface AccountRow extends Account, Pick<Columns, "createdAt"> {
  readonly members: number;
  /** Scans of this month. */
  readonly started: number;
}

/** What administrators set. */
export type AccountTerms = Pick<
  Columns,
  "name" | "plan" | "requestsPerMinute" | "scansPerMonth" | "activeMode"
>;

export interface AccountQuery {
  /** Part of the name, case-insensitive. */
  readonly text?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Until the end of the transaction no other one holds this: who counts what an account has and then adds to it counts right. The
 * statements after it see what the others have committed.
 */
export async function lockAccount(transaction: Database, accountId: string): Promise<void> {
  await transaction.run((sql) => sql`select from accounts where id = ${accountId} for no key update`);
}

export class AccountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates the account of this name, or updates its plan, owner, rate and permission. */
  async declare(account: {
    name: string;
    plan: Plan;
    owner?: string | undefined;
    requestsPerMinute?: number | undefined;
    activeMode?: boolean | undefined;
  }): Promise<Account> {
    const { name, plan, owner = null, requestsPerMinute = null, activeMode = false } = account;
    const [declared] = await this.#database.run(
      (sql) => sql<[Account]>`
        insert into accounts (name, plan, owner, requests_per_minute, active_mode)
        values (${name}, ${plan}, ${owner}, ${requestsPerMinute}, ${activeMode})
        on conflict (name) do update set plan = excluded.plan, owner = excluded.owner,
          requests_per_minute = excluded.requests_per_minute, active_mode = excluded.active_mode
        returning id, name, plan, owner, requests_per_minute, scans_per_month, active_mode, suspended_at`,
    );
    return { ...declared };
  }

  /** Until the end of the transaction no other one that asks for it holds this: of two that declare it, the second sees the first. */
  async lockName(name: string): Promise<void> {
    await this.#database.run(
      (sql) => sql`select pg_advisory_xact_lock(hashtext(${`glovebox.account ${name}`}))`,
    );
  }

  /** See `lockAccount`. */
  lock(id: string): Promise<void> {
    return lockAccount(this.#database, id);
  }

  async findById(id: string): Promise<Account | undefined> {
    const [account] = await this.#database.run(
      (sql) => sql<Account[]>`
          select id, name, plan, owner, requests_per_minute, scans_per_month, active_mode, suspended_at from accounts where id = ${id}`,
    );
    return account && { ...account };
  }

  /** Undefined: another account has the name. */
  async create(terms: AccountTerms): Promise<string | undefined> {
    const { name, plan, requestsPerMinute, scansPerMonth, activeMode } = terms;
    const [created] = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          insert into accounts (name, plan, requests_per_minute, scans_per_month, active_mode)
          values (${name}, ${plan}, ${requestsPerMinute}, ${scansPerMonth}, ${activeMode})
          on conflict (name) do nothing returning id`,
    );
    return created?.id;
  }

  /** Apart from the name: see `rename`. */
  async setTerms(id: string, terms: Omit<AccountTerms, "name">): Promise<void> {
    const { plan, requestsPerMinute, scansPerMonth, activeMode } = terms;
    await this.#database.run(
      (sql) => sql`
          update accounts set plan = ${plan}, requests_per_minute = ${requestsPerMinute},
            scans_per_month = ${scansPerMonth}, active_mode = ${activeMode} where id = ${id}`,
    );
  }

  async setSuspended(id: string, isSuspended: boolean): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          update accounts set suspended_at =
            case when ${isSuspended} then coalesce(suspended_at, ${this.#database.now()}::timestamptz, now()) end
          where id = ${id}`,
    );
  }

  /** All accounts by their names, or those whose name has the text in it. */
  async list({ text = "", limit, offset }: AccountQuery): Promise<AccountRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<AccountRow[]>`
          select id, name, plan, owner, requests_per_minute, scans_per_month, active_mode, suspended_at, created_at,
            (select count(*)::integer from memberships m where m.account_id = a.id) as members,
            (select coalesce(sum(u.started), 0)::integer from usage u where u.account_id = a.id
              and u.month = quota_month(coalesce(${this.#database.now()}::timestamptz, now()))) as started
          from accounts a where position(lower(${text}) in lower(name)) > 0
          order by name limit ${limit} offset ${offset}`,
    );
    return [...rows];
  }

  /** False: another account has the name. */
  async rename(id: string, name: string): Promise<boolean> {
    const renamed = await this.#database.run(
      (sql) => sql`
          update accounts set name = ${name} where id = ${id}
            and not exists (select from accounts where name = ${name} and id <> ${id}) returning 1`,
    );
    return renamed.length > 0;
  }

  /** Those for which an owner is declared, by their names. */
  async listOwned(): Promise<Pick<Account, "name" | "owner">[]> {
    const rows = await this.#database.run(
      (sql) => sql<Pick<Account, "name" | "owner">[]>`
          select name, owner from accounts where owner is not null order by name`,
    );
    return [...rows];
  }

  async find(name: string): Promise<Account | undefined> {
    const [account] = await this.#database.run(
      (sql) => sql<Account[]>`
          select id, name, plan, owner, requests_per_minute, scans_per_month, active_mode, suspended_at from accounts where name = ${name}`,
    );
    return account && { ...account };
  }
}
