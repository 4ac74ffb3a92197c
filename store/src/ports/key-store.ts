import type { Scope } from "@glovebox/contract";
import type { Account } from "./account-store.ts";

/** What an accepted key stands for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly account: Account;
  /** Empty: every scope. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

/** What may be told of a key; never its hash. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** Empty: every scope. */
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface KeyStore {
  /**
   * Stores the hash of a key. The same hash again, in the same account, changes only its name, scopes and expiry. Rejects
   * with `KeyRefused` when it is another account's, or there is no such account.
   */
  add(key: {
    accountId: string;
    name: string;
    sha256: string;
    scopes?: readonly Scope[] | undefined;
    expiresAt?: Date | undefined;
  }): Promise<{ keyId: string }>;
  /** The holder of a key that is neither revoked nor expired. */
  findByHash(sha256: string): Promise<KeyHolder | undefined>;
  /** Every key of an account, the oldest first, also those revoked and expired. */
  list(accountId: string): Promise<KeyRow[]>;
  /** From then on the key is refused; announces it to `events`. False: there is no such key. */
  revoke(keyId: string): Promise<boolean>;
  /** Notes when keys were last used; called in batches. */
  touch(lastUsed: ReadonlyMap<string, Date>): Promise<void>;
}
