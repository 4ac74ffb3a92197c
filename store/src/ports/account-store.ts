import type { Plan } from "@glovebox/contract";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly owner: string | null;
  /** Overrides the plan's requests per minute; null: the plan's own. */
  readonly requestsPerMinute: number | null;
}

export interface AccountStore {
  /** Creates the account, or gives the one of this name this plan and owner. */
  declare(account: {
    name: string;
    plan: Plan;
    owner?: string | undefined;
    requestsPerMinute?: number | undefined;
  }): Promise<Account>;
  find(name: string): Promise<Account | undefined>;
}
