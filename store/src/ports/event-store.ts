import type { Progress, ProgressFrame } from "@glovebox/contract";

export type StoreEvent =
  /** A hint, sent right after the submission: one may be lost, so whoever carries scans out also looks now and then. */
  | { readonly type: "scanSubmitted"; readonly id: string }
  | {
      readonly type: "scanProgress";
      readonly id: string;
      readonly frame: Pick<ProgressFrame, "category" | "done" | "planned">;
      readonly total: Progress;
    }
  | { readonly type: "scanEnded"; readonly id: string }
  | { readonly type: "keyRevoked"; readonly keyId: string }
  /** The connection was lost for a while: anything may have happened meanwhile. */
  | { readonly type: "reconnected" };

export interface EventStore {
  /**
   * LISTEN: calls the handler for what any process announces, until the returned function is called. A lost
   * connection is replaced as soon as the database is back. The handler must not throw.
   */
  listen(handler: (event: StoreEvent) => void): Promise<() => Promise<void>>;
}
