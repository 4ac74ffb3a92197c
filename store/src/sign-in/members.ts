import type { Database } from "../database/database.ts";
import type { memberships, users } from "./schema.ts";

/** A member of an account. `issuer`: the provider whose groups gave the role. */
export type MemberRow = Pick<
  Readonly<typeof memberships.$inferSelect>,
  "userId" | "role" | "issuer" | "createdAt"
> &
  Pick<Readonly<typeof users.$inferSelect>, "email" | "name"> & { readonly isDisabled: boolean };

export class MemberStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The members of an account by their addresses. */
  async list(accountId: string): Promise<MemberRow[]> {
    const rows = await this.#database.run(
      (sql) => sql<MemberRow[]>`
          select m.user_id, m.role, m.issuer, m.created_at, u.email, u.name, u.disabled_at is not null as is_disabled
          from memberships m join users u on u.id = m.user_id where m.account_id = ${accountId} order by u.email`,
    );
    return [...rows];
  }
}
