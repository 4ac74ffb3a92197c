import { eq } from "drizzle-orm";
import type { Database } from "./database.ts";
import { accounts } from "./schema.ts";
import type { AccountStore } from "./store.ts";

export const ACCOUNT_COLUMNS = {
  id: accounts.id,
  name: accounts.name,
  plan: accounts.plan,
  owner: accounts.owner,
  requestsPerMinute: accounts.requestsPerMinute,
};

export function accountStore(database: Database): AccountStore {
  return {
    async declare({ name, plan, owner = null, requestsPerMinute = null }) {
      const terms = { plan, owner, requestsPerMinute };
      const [account] = await database.run(({ orm }) =>
        orm
          .insert(accounts)
          .values({ name, ...terms })
          .onConflictDoUpdate({ target: accounts.name, set: terms })
          .returning(ACCOUNT_COLUMNS),
      );
      return account!;
    },

    async find(name) {
      const [account] = await database.run(({ orm }) =>
        orm.select(ACCOUNT_COLUMNS).from(accounts).where(eq(accounts.name, name)),
      );
      return account;
    },
  };
}
