import type { IdentitiesFile } from "@glovebox/contract";
import type { Database } from "../database/database.ts";
import { IdentitiesUnreadable, type CiphertextOwner, type IdentityKeys } from "./identity-keys.ts";

/** The identities of scans that have not ended, with the expectations about them. */
export class ScanIdentities {
  readonly #database: Database;
  readonly #keys: IdentityKeys | undefined;

  constructor(database: Database, keys: IdentityKeys | undefined) {
    this.#database = database;
    this.#keys = keys;
  }

  /** Whether there is a key to encrypt with. */
  get isAvailable(): boolean {
    return this.#keys !== undefined;
  }

  /**
   * Those that a processing scan was submitted with; undefined: none.
   * @throws IdentitiesUnreadable when no key decrypts them
   */
  async ofScan(scanId: string): Promise<IdentitiesFile | undefined> {
    const [found] = await this.#database.run(
      (sql) => sql<{ ciphertext: string; accountId: string; url: string }[]>`
        select i.ciphertext, s.account_id, s.url from scan_identities i join scans s on s.id = i.scan_id
        where s.id = ${scanId} and s.status = 'processing'`,
    );
    if (!found) return undefined;
    if (!this.#keys) throw new IdentitiesUnreadable("There is no key.");
    const owner = ownerOfScan({ ...found, id: scanId });
    return JSON.parse(this.#keys.decrypt(found.ciphertext, owner)) as IdentitiesFile;
  }

  /** As they are stored with the scan. */
  encrypted(
    {
      id,
      account,
      url,
    }: { readonly id: string; readonly account: { readonly id: string }; readonly url: string },
    file: IdentitiesFile,
  ): string {
    if (!this.#keys) throw new Error("Identities cannot be stored without a key");
    return this.#keys.encrypt(JSON.stringify(file), ownerOfScan({ id, accountId: account.id, url }));
  }

  /** A digest of a text that may hold secrets, which does not help to guess them. */
  digest(text: string): string {
    if (!this.#keys) throw new Error("There is no key for a digest");
    return this.#keys.digest(text);
  }
}

export const ownerOfScan = (scan: {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
}): CiphertextOwner => ({
  kind: "scan",
  accountId: scan.accountId,
  id: scan.id,
  origin: new URL(scan.url).origin,
});
