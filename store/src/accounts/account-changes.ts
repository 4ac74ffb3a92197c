import { isDeepStrictEqual } from "node:util";
import type { Changing } from "../store.ts";
import type { Account, AccountStore } from "./accounts.ts";
import type { KeyRotation, KeyStore, NewKey } from "./keys.ts";

/*
 * Changes of accounts and keys, each with its entry in the audit log: for the admin interface, the command line and the file of
 * accounts the same way.
 */

/** Declares an account. No entry where it is as declared already. */
export const declareAccount = (
  change: Changing,
  declared: Parameters<AccountStore["declare"]>[0],
): Promise<Account> =>
  change(async ({ accounts }) => {
    await accounts.lockName(declared.name);
    const before = await accounts.find(declared.name);
    const account = await accounts.declare(declared);
    const { id: accountId } = account;
    const entry = {
      ...{ accountId, action: before ? "account.update" : "account.create", subject: accountId },
      ...{ before: before && termsOf(before), after: termsOf(account) },
    };
    return { result: account, entry: isDeepStrictEqual(entry.before, entry.after) ? null : entry };
  });

const termsOf = ({ name, plan, owner, requestsPerMinute, activeMode }: Account) => ({
  ...{ name, plan, owner, requestsPerMinute, activeMode },
});

/** @throws KeyRefused as `KeyStore.add` */
export const addKey = (change: Changing, key: NewKey): Promise<{ readonly keyId: string }> =>
  change(async ({ keys }) => {
    const { keyId, after } = await keys.add(key);
    return { result: { keyId }, entry: keyEntry("create", key.accountId, { keyId, after }) };
  });

/** Declares a key. No entry where it is as declared already. @throws KeyRefused as `KeyStore.declare` */
export const declareKey = (change: Changing, key: NewKey): Promise<{ readonly keyId: string }> =>
  change(async ({ keys }) => {
    const declared = await keys.declare(key);
    const { keyId, before, after } = declared;
    const entry = keyEntry(before ? "update" : "create", key.accountId, declared);
    return { result: { keyId }, entry: isDeepStrictEqual(before, after) ? null : entry };
  });

/** Undefined: the account has no such valid key. @throws KeyRefused as `KeyStore.rotate` */
export const rotateKey = (
  change: Changing,
  rotation: KeyRotation,
): Promise<{ readonly keyId: string } | undefined> =>
  change(async ({ keys }) => {
    const rotated = await keys.rotate(rotation);
    if (!rotated) return { result: undefined, entry: null };
    const { keyId, name, oldExpiresAt, oldEndsAt } = rotated;
    const entry = {
      ...{ accountId: rotation.accountId, action: "key.rotate", subject: name },
      before: { id: rotation.keyId, expiresAt: oldExpiresAt },
      after: { id: keyId, oldExpiresAt: oldEndsAt },
    };
    return { result: { keyId }, entry };
  });

/** False: there is no such key, in this account where one is given. No entry where it was revoked already. */
export const revokeKey = (change: Changing, keyId: string, accountId?: string): Promise<boolean> =>
  change(async ({ keys }) => {
    const revoked = await keys.revoke(keyId, accountId);
    if (!revoked || revoked.wasRevoked) return { result: revoked !== undefined, entry: null };
    const { name } = revoked;
    const entry = {
      accountId: revoked.accountId,
      action: "key.revoke",
      subject: name,
      before: { id: keyId },
    };
    return { result: true, entry };
  });

const keyEntry = (
  action: "create" | "update",
  accountId: string,
  {
    keyId: id,
    before,
    after,
  }: Pick<Awaited<ReturnType<KeyStore["declare"]>>, "keyId" | "after"> & {
    readonly before?: object | undefined;
  },
) => ({
  ...{ accountId, action: `key.${action}`, subject: after.name },
  before: before && { id, ...before },
  after: { id, scopes: after.scopes, expiresAt: after.expiresAt },
});
