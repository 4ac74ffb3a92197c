import { inputEmail } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import type { invitations } from "./schema.ts";
import type { Identity } from "./users.ts";

type Columns = Readonly<typeof invitations.$inferSelect>;

/** A one-time link: an invitation, or (with `userId`) a new password of that user. */
export interface Invitation extends Pick<
  Columns,
  "id" | "accountId" | "role" | "isAdministrator" | "email" | "userId" | "createdAt" | "expiresAt"
> {
  readonly accountName: string | null;
}

export interface NewInvitation {
  readonly sha256: string;
  /** Null: chosen by the first administrator. */
  readonly email: string | null;
  readonly membership?: Pick<Columns, "accountId" | "role"> | undefined;
  readonly isAdministrator?: boolean | undefined;
  /** Whose password it sets. */
  readonly userId?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly days: number;
}

/** Who accepts: the user signed in, or a new one with a password or an identity. */
export interface InvitationResponse {
  readonly signedInAs?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly identity?: Identity | undefined;
}

/** See accept_invitation in ../../sql/sign-in.sql. */
export type InvitationOutcome =
  | { readonly outcome: "accepted"; readonly userId: string }
  | { readonly outcome: "invalid" | "exists" | "taken"; readonly userId: null };

/** One-time links, by the SHA-256 of their token. */
export class InvitationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async create(invitation: NewInvitation): Promise<{ id: string }> {
    const { sha256, membership, isAdministrator = false, userId = null, days } = invitation;
    const email = inputEmail.nullable().parse(invitation.email);
    const { accountId = null, role = null } = membership ?? {};
    const [created] = await this.#database.run(
      (sql) => sql<[{ id: string }]>`
          insert into invitations
            (sha256, account_id, role, is_administrator, email, user_id, created_by, created_at, expires_at)
          select ${sha256}, ${accountId}, ${role}, ${isAdministrator}, ${email}, ${userId},
            ${invitation.createdBy ?? null}, moment, moment + make_interval(days => ${days})
          from (select coalesce(${this.#database.now()}::timestamptz, now()) as moment) at
          returning id`,
    );
    return { ...created };
  }

  /**
   * Lets the first administrator in by this link for that many days from now, who becomes owner of the account given. False,
   * and nothing happens, when there is a user.
   */
  async offerFirstAdministrator(
    sha256: string,
    { accountId, days }: { accountId?: string | undefined; days: number },
  ): Promise<boolean> {
    const offered = await this.#database.run(
      (sql) => sql`
          insert into invitations as i (sha256, account_id, role, is_administrator, created_at, expires_at)
          select ${sha256}, ${accountId ?? null}, ${accountId === undefined ? null : "owner"}, true, moment,
            moment + make_interval(days => ${days})
          from (select coalesce(${this.#database.now()}::timestamptz, now()) as moment) at
          where not exists (select from users)
          on conflict (sha256) do update set expires_at = excluded.expires_at where i.used_at is null
          returning 1`,
    );
    return offered.length > 0;
  }

  /** The invitation, unless it is unknown, used or expired, or who made it may no longer make it. */
  async find(sha256: string): Promise<Invitation | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<Invitation[]>`
          select i.id, i.account_id, a.name as account_name, i.role, i.is_administrator, i.email, i.user_id, i.created_at,
            i.expires_at
          from invitations i left join accounts a on a.id = i.account_id
          where i.sha256 = ${sha256} and is_open_invitation(i, ${this.#database.now()})
            and (i.email is not null or i.user_id is not null or not exists (select from users))`,
    );
    return found && { ...found };
  }

  /** Links that can still be used: of an account, of none (null: for administrators and new passwords), or all. */
  async list(accountId?: string | null): Promise<Invitation[]> {
    const rows = await this.#database.run(
      (sql) => sql<Invitation[]>`
          select i.id, i.account_id, a.name as account_name, i.role, i.is_administrator,
            coalesce(i.email, u.email) as email, i.user_id, i.created_at, i.expires_at
          from invitations i left join accounts a on a.id = i.account_id left join users u on u.id = i.user_id
          where is_open_invitation(i, ${this.#database.now()})
            and ${accountId === undefined ? sql`true` : sql`i.account_id is not distinct from ${accountId}`}
          order by i.created_at, i.id`,
    );
    return [...rows];
  }

  /**
   * Withdraws a link of this account, or (null) of none. Returns whom it was for, null where nobody is named yet; undefined:
   * there is no such link.
   */
  async delete(id: string, accountId: string | null): Promise<{ email: string | null } | undefined> {
    const [deleted] = await this.#database.run(
      (sql) => sql<{ email: string | null }[]>`
          delete from invitations i where id = ${id} and used_at is null and account_id is not distinct from ${accountId}
          returning coalesce(email, (select u.email from users u where u.id = i.user_id)) as email`,
    );
    return deleted && { ...deleted };
  }

  /** Uses the link once, withdraws the others for the same, and ends the sessions of the user. */
  async accept(sha256: string, response: InvitationResponse): Promise<InvitationOutcome> {
    const { signedInAs = null, name = null, passwordHash = null, identity } = response;
    const email = inputEmail.nullable().parse(response.email ?? null);
    const [result] = await this.#database.run(
      (sql) => sql<[InvitationOutcome]>`
          select outcome, user_id from accept_invitation(${sha256}, ${signedInAs}, ${email}, ${name},
            ${passwordHash}, ${identity?.issuer ?? null}, ${identity?.subject ?? null}, ${this.#database.now()})`,
    );
    return { ...result };
  }
}
