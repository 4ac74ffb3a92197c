import type { Database } from "../database/database.ts";
import { IdentitiesUnreadable, type CiphertextOwner, type IdentityKeys } from "./identity-keys.ts";
import { ownerOfSet } from "./identity-sets.ts";
import { ownerOfScan } from "./scan-identities.ts";

interface StoredValue {
  readonly kind: CiphertextOwner["kind"];
  readonly accountId: string;
  readonly id: string;
  /** Of the target. */
  readonly url: string;
  readonly ciphertext: string;
}

/**
 * Encrypts with the first key what another one has encrypted. A value that changes meanwhile is left to the next run, so that any
 * number of processes may do so at once.
 */
export async function reencrypt(
  database: Database,
  keys: IdentityKeys | undefined,
): Promise<{ readonly reencrypted: number; readonly unreadable: number }> {
  const count = { reencrypted: 0, unreadable: 0 };
  if (!keys) return count;
  for (const value of await valuesOfOtherKeys(database, keys.prefix)) {
    const ciphertext = encryptedAgain(value, keys);
    if (ciphertext === undefined) count.unreadable++;
    else if (await replace(database, value, ciphertext)) count.reencrypted++;
  }
  return count;
}

function encryptedAgain(value: StoredValue, keys: IdentityKeys): string | undefined {
  const { kind, accountId, id, url } = value;
  const owner = kind === "scan" ? ownerOfScan(value) : ownerOfSet({ accountId, id, origin: url });
  try {
    return keys.encrypt(keys.decrypt(value.ciphertext, owner), owner);
  } catch (error) {
    if (error instanceof IdentitiesUnreadable) return undefined;
    throw error;
  }
}

const valuesOfOtherKeys = (database: Database, prefix: string): Promise<StoredValue[]> =>
  database.run(
    (sql) => sql<StoredValue[]>`
      select 'scan' as kind, s.account_id, s.id, s.url, i.ciphertext
      from scan_identities i join scans s on s.id = i.scan_id where not starts_with(i.ciphertext, ${prefix})
      union all
      select 'set', account_id, id::text, origin, ciphertext from identity_sets
      where not starts_with(ciphertext, ${prefix})`,
  );

/** False when the value was changed or deleted meanwhile. */
async function replace(
  database: Database,
  { kind, id, ciphertext: earlier }: StoredValue,
  ciphertext: string,
): Promise<boolean> {
  const { count } = await database.run((sql) =>
    kind === "scan"
      ? sql`update scan_identities set ciphertext = ${ciphertext} where scan_id = ${id} and ciphertext = ${earlier}`
      : sql`update identity_sets set ciphertext = ${ciphertext} where id = ${id} and ciphertext = ${earlier}`,
  );
  return count === 1;
}
