import type { Plan } from "@glovebox/contract";
import type { Database } from "./database.ts";
import type { accounts } from "./schema.ts";

/** `requestsPerMinute` overrides the plan's; null: the plan's own. */
export type Account = Readonly<
  Pick<typeof accounts.$inferSelect, "id" | "name" | "plan" | "owner" | "requestsPerMinute">
>;

export type AccountStore = ReturnType<typeof accountStore>;

export function accountStore(database: Database) {
  return {
    /** Creates the account of this name, or updates its plan, owner and rate. */
    async declare(account: {
      name: string;
      plan: Plan;
      owner?: string | undefined;
      requestsPerMinute?: number | undefined;
    }): Promise<Account> {
      const { name, plan, owner = null, requestsPerMinute = null } = account;
      const [declared] = await database.run(
        (sql) => sql<[Account]>`
          insert into accounts (name, plan, owner, requests_per_minute)
          values (${name}, ${plan}, ${owner}, ${requestsPerMinute})
          on conflict (name) do update set plan = excluded.plan, owner = excluded.owner,
            requests_per_minute = excluded.requests_per_minute
          returning id, name, plan, owner, requests_per_minute`,
      );
      return { ...declared };
    },

    async findById(id: string): Promise<Account | undefined> {
      const [account] = await database.run(
        (sql) => sql<Account[]>`
          select id, name, plan, owner, requests_per_minute from accounts where id = ${id}`,
      );
      return account && { ...account };
    },

    /** False: another account has the name. */
    async rename(id: string, name: string): Promise<boolean> {
      const renamed = await database.run(
        (sql) => sql`
          update accounts set name = ${name} where id = ${id}
            and not exists (select from accounts where name = ${name} and id <> ${id}) returning 1`,
      );
      return renamed.length > 0;
    },

    /** Those for which an owner is declared, by their names. */
    async listOwned(): Promise<Pick<Account, "name" | "owner">[]> {
      const rows = await database.run(
        (sql) => sql<Pick<Account, "name" | "owner">[]>`
          select name, owner from accounts where owner is not null order by name`,
      );
      return [...rows];
    },

    async find(name: string): Promise<Account | undefined> {
      const [account] = await database.run(
        (sql) => sql<Account[]>`
          select id, name, plan, owner, requests_per_minute from accounts where name = ${name}`,
      );
      return account && { ...account };
    },
  };
}
