import type { Exchange, SoakFacts, Stream, Submission } from "./facts.ts";

/** A submission that goes on. */
export interface OpenSubmission extends Submission {
  readonly ids: string[];
  isUncertain: boolean;
}

/** What the clients observe, while they do. */
export class Journal {
  readonly exchanges: Exchange[] = [];
  readonly submissions: OpenSubmission[] = [];
  readonly streams: Stream[] = [];
  readonly invalidExports: string[] = [];
  readonly cancelled = new Set<string>();
  readonly deleted: SoakFacts["deleted"][number][] = [];
  /** Number of exports, by format. */
  readonly exports = new Map<string, number>();

  submission(account: string, key?: string): OpenSubmission {
    const opened = { account, key, ids: [], isUncertain: false };
    this.submissions.push(opened);
    return opened;
  }
}
