import type { Actor, Audited, Store, Tables } from "@glovebox/store";

/** The result of a change and its entry in the audit log; null: nothing was changed. */
export interface Change<Result> {
  readonly result: Result;
  readonly entry: (Omit<Audited, "accountId"> & { readonly accountId?: string }) | null;
}

export type Changing = <Result>(task: (tables: Tables) => Promise<Change<Result>>) => Promise<Result>;

/** Makes changes of several statements, each in one transaction with its entry in the audit log. */
export const changing =
  (store: Pick<Store, "transaction">, actor: Actor, accountId: string | null): Changing =>
  (task) =>
    store.transaction(async (tables) => {
      const { result, entry } = await task(tables);
      if (entry) await tables.audit.write(actor, { accountId, ...entry });
      return result;
    });
