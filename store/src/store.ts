import type { AccountStore } from "./ports/account-store.ts";
import type { EventStore } from "./ports/event-store.ts";
import type { KeyStore } from "./ports/key-store.ts";
import type { LaunchStore } from "./ports/launch-store.ts";
import type { RetentionStore } from "./ports/retention-store.ts";
import type { ScanStore } from "./ports/scan-store.ts";
import type { WorkStore } from "./ports/work-store.ts";
import type { SchemaState } from "./schema-version.ts";

export type { SchemaState };
export type * from "./ports/account-store.ts";
export type * from "./ports/key-store.ts";
export type * from "./ports/scan-store.ts";
export type * from "./ports/work-store.ts";
export type * from "./ports/launch-store.ts";
export type * from "./ports/event-store.ts";
export type * from "./ports/retention-store.ts";

/** PostgreSQL as the rest of the house sees it. Every method rejects with `StoreUnavailable` when it is away. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly scans: ScanStore;
  readonly work: WorkStore;
  readonly launches: LaunchStore;
  readonly events: EventStore;
  readonly retention: RetentionStore;
  /**
   * Runs the task unless any process is running one of this name; tells whether it ran. Not a fence: a process that
   * loses its connection to the database loses the name, too, while its task goes on.
   */
  exclusively(name: string, task: () => Promise<void>): Promise<boolean>;
  /**
   * Whether the database has the schema that the program was written for. Over a connection of its own, so that others
   * that are busy do not delay the answer.
   */
  schemaState(): Promise<SchemaState>;
  close(): Promise<void>;
}
