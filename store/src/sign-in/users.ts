import { type Role, inputEmail, normalEmail } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { Membership } from "./sessions.ts";
import type { users } from "./schema.ts";

type Columns = Readonly<typeof users.$inferSelect>;

export type User = Pick<Columns, "id" | "email" | "name" | "passwordHash" | "isAdministrator" | "disabledAt">;

/** A user for lists. */
export interface UserRow extends Pick<
  Columns,
  "id" | "email" | "name" | "isAdministrator" | "disabledAt" | "lastSignInAt" | "createdAt"
> {
  readonly hasPassword: boolean;
  readonly passkeys: number;
  readonly memberships: readonly Pick<Membership, "accountName" | "role">[];
}

/** What an OpenID Connect provider calls a user. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** What the groups of a provider stand for; `isAdministrator` undefined: it has no group of administrators. */
export interface ProviderRoles {
  readonly roles: readonly { readonly account: string; readonly role: Role }[];
  readonly isAdministrator: boolean | undefined;
}

/** Users, their roles and identities. What takes a right away, and every change of a role, ends the sessions of the user. */
export class UserStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The user, disabled or not. */
  async findByEmail(text: string): Promise<User | undefined> {
    const email = normalEmail(text);
    if (email === undefined) return undefined;
    const [user] = await this.#database.run(
      (sql) => sql<User[]>`
          select id, email, name, password_hash, is_administrator, disabled_at from users
          where email = ${email}`,
    );
    return user && { ...user };
  }

  async findById(id: string): Promise<User | undefined> {
    const [user] = await this.#database.run(
      (sql) => sql<User[]>`
          select id, email, name, password_hash, is_administrator, disabled_at from users where id = ${id}`,
    );
    return user && { ...user };
  }

  /** All users by their addresses, with their memberships. */
  async list(): Promise<UserRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<UserRow[]>`
          select id, email, name, is_administrator, disabled_at, last_sign_in_at, created_at,
            password_hash is not null as has_password,
            (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys,
            (select coalesce(json_agg(json_build_object('accountName', a.name, 'role', m.role) order by a.name), '[]')
              from memberships m join accounts a on a.id = m.account_id where m.user_id = u.id) as memberships
          from users u order by email`,
    );
    return [...rows];
  }

  /** Ids of the administrators who can sign in; until the end of the transaction no other one changes who they are by this. */
  async lockAdministrators(): Promise<string[]> {
    const rows = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          select id from users where is_administrator and disabled_at is null order by id for update`,
    );
    return rows.map(({ id }) => id);
  }

  /** Sets the password, withdraws links for another one, and signs the user out everywhere except in the session given. */
  async setPassword(userId: string, passwordHash: string, except?: string): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          with changed as (update users set password_hash = ${passwordHash} where id = ${userId} returning id),
          withdrawn as (delete from invitations i using changed where i.user_id = changed.id and i.used_at is null)
          delete from sessions using changed
          where user_id = changed.id and sessions.id is distinct from ${except ?? null}::uuid`,
    );
  }

  /** Disables the user and ends all sessions, or enables the user again; false: there is no such user. */
  async setDisabled(userId: string, isDisabled: boolean): Promise<boolean> {
    const changed = await this.#database.run(
      (sql) => sql`
          with changed as (
            update users set disabled_at =
              case when ${isDisabled} then coalesce(disabled_at, ${this.#database.now()}::timestamptz, now()) end
            where id = ${userId} returning id
          ), ended as (delete from sessions using changed where user_id = changed.id)
          select 1 from changed`,
    );
    return changed.length > 0;
  }

  /** False: there is no such user. */
  async setAdministrator(userId: string, isAdministrator: boolean): Promise<boolean> {
    const changed = await this.#database.run(
      (sql) => sql`
          with changed as (
            update users set is_administrator = ${isAdministrator}, administrator_issuer = null
            where id = ${userId} returning id
          ), ended as (delete from sessions using changed where user_id = changed.id)
          select 1 from changed`,
    );
    return changed.length > 0;
  }

  /** Gives the user this role in the account. */
  async setRole(userId: string, accountId: string, role: Role): Promise<void> {
    await this.#database.run(
      (sql) => sql`
          with changed as (
            insert into memberships as m (user_id, account_id, role) values (${userId}, ${accountId}, ${role})
            on conflict (user_id, account_id) do update set role = excluded.role, issuer = null
            returning user_id
          ) delete from sessions using changed where sessions.user_id = changed.user_id`,
    );
  }

  /** Ends the membership; false: there was none. */
  async removeFromAccount(userId: string, accountId: string): Promise<boolean> {
    const removed = await this.#database.run(
      (sql) => sql`
          with removed as (
            delete from memberships where user_id = ${userId} and account_id = ${accountId} returning user_id
          ), ended as (delete from sessions using removed where sessions.user_id = removed.user_id)
          select 1 from removed`,
    );
    return removed.length > 0;
  }

  /** The user that this identity belongs to, disabled or not. */
  async findByIdentity({ issuer, subject }: Identity): Promise<User | undefined> {
    const [user] = await this.#database.run(
      (sql) => sql<User[]>`
          select u.id, u.email, u.name, u.password_hash, u.is_administrator, u.disabled_at
          from identities i join users u on u.id = i.user_id
          where i.issuer = ${issuer} and i.subject = ${subject}`,
    );
    return user && { ...user };
  }

  /** From now on the user may sign in with this identity; false: it belongs to somebody else. */
  async link(userId: string, { issuer, subject }: Identity): Promise<boolean> {
    const linked = await this.#database.run(
      (sql) => sql`
          insert into identities as i (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})
          on conflict (issuer, subject) do update set user_id = i.user_id where i.user_id = excluded.user_id
          returning 1`,
    );
    return linked.length > 0;
  }

  /**
   * A new user that a provider vouches for; undefined when the address belongs to a user already, whom nobody may become by
   * an address alone.
   */
  async createFromProvider(
    user: { email: string; name: string },
    { issuer, subject }: Identity,
  ): Promise<string | undefined> {
    const [created] = await this.#database.run(
      (sql) => sql<{ id: string }[]>`
          with created as (
            insert into users (email, name) values (${inputEmail.parse(user.email)}, ${user.name})
            on conflict (email) do nothing returning id
          ), linked as (
            insert into identities (issuer, subject, user_id) select ${issuer}, ${subject}, id from created
          ) select id from created`,
    );
    return created?.id;
  }

  /** Applies what the groups of the provider stand for now; a change ends the sessions of the user. False: nothing changed. */
  async applyProviderRoles(userId: string, issuer: string, wanted: ProviderRoles): Promise<boolean> {
    const roles = JSON.stringify(wanted.roles);
    const [result] = await this.#database.run(
      (sql) => sql<[{ changed: boolean }]>`
          select apply_provider_roles(
            ${userId}, ${issuer}, ${roles}::text::jsonb, ${wanted.isAdministrator ?? null}::boolean) as changed`,
    );
    return result.changed;
  }
}
