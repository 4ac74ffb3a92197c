import type { Resource } from "../sequences/resources.ts";
import type { WriteJournal } from "./journal.ts";

/** What an active scan may write to. */
export interface ActiveTarget {
  /** Whose objects are created. */
  readonly owner: string;
  /** Another user, who must not change them. */
  readonly stranger: string | undefined;
  readonly journal: WriteJournal;
  readonly resources: readonly Resource[];
}
