import { FrameLines, frameOf, MAX_LOG_BYTES, type ProgressFrame } from "@glovebox/contract";
import { type Clock, type PodLogs, systemClock } from "@glovebox/kube";
import { ProgressWriter, type WorkStore } from "@glovebox/store";
import type { Pod } from "./runtime/api-client.ts";
import { createTokenBucket, type Rate } from "./runtime/throttling.ts";
import { SCANNER_CONTAINER } from "./scan/manifests.ts";

export interface ProgressFollowersOptions {
  readonly logs: Pick<PodLogs, "follow">;
  readonly work: Pick<WorkStore, "progress">;
  /** The pods of a Job whose container runs, as they are now. */
  readonly runningPods: (jobUid: string) => readonly Pod[];
  readonly onFailure: (scanId: string, error: unknown) => void;
  /** Before the log is asked for, in milliseconds: a scan that is over by then needs no progress. */
  readonly delayMs?: number;
  /** Between writes of one scan's progress, in milliseconds. */
  readonly everyMs?: number;
  /** How many logs may be begun to be followed. */
  readonly rate?: Rate;
  readonly clock?: Clock;
}

const DELAY_MS = 3_000;
const EVERY_MS = 1_000;
/** Logs that are followed at a time. */
const MOST_FOLLOWED = 256;
/** Logs begun: when very many scans start at once, the API server has better things to do for them. */
const RATE: Rate = { burst: 20, perSecond: 1 };
/** Attempts of which it is remembered that they were followed. */
const MOST_REMEMBERED = 20_000;

/**
 * Brings the progress of running scans to the store: one streaming call an attempt, of which nothing is kept from the report
 * on. Progress is a courtesy: nothing here fails or holds up a scan, and the report goes another way. A scan that may not be
 * followed yet shows no progress until it is looked at again.
 */
export class ProgressFollowers {
  readonly #options: ProgressFollowersOptions;
  readonly #stop = new AbortController();
  readonly #mayBegin: () => boolean;
  readonly #underWay = new Set<Promise<void>>();
  /** The attempt by scan; the oldest is forgotten first. */
  readonly #attempts = new Map<string, number>();

  constructor(options: ProgressFollowersOptions) {
    this.#options = options;
    this.#mayBegin = createTokenBucket(options.rate ?? RATE, options.clock ?? systemClock);
  }

  /** The attempt of the scan that is, or was last, followed. */
  attemptOf(scanId: string): number | undefined {
    return this.#attempts.get(scanId);
  }

  /** Begins to follow the attempt and returns at once; one that was followed already is left alone. */
  follow(scanId: string, attempt: number, jobUid: string): void {
    if (this.#stop.signal.aborted || this.#underWay.size >= MOST_FOLLOWED) return;
    if (this.#attempts.get(scanId) === attempt || !this.#mayBegin()) return;
    this.#remember(scanId, attempt);
    const following = this.#follow(scanId, jobUid)
      .catch((error: unknown) => this.#failed(scanId, error))
      .finally(() => this.#underWay.delete(following));
    this.#underWay.add(following);
  }

  /** Resolves when no write is under way, and none will be. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  async #follow(scanId: string, jobUid: string): Promise<void> {
    const { logs, work, runningPods, delayMs = DELAY_MS, everyMs = EVERY_MS } = this.#options;
    const { signal } = this.#stop;
    await pause(delayMs, signal);
    const { namespace = "", name } = runningPods(jobUid)[0]?.metadata ?? {};
    if (signal.aborted || name === undefined) return;
    const writer = new ProgressWriter(scanId, work, everyMs);
    try {
      const log = { namespace, name, container: SCANNER_CONTAINER, limitBytes: MAX_LOG_BYTES, signal };
      for await (const frame of progressFrames(logs.follow(log))) writer.add(frame);
    } finally {
      await writer.close();
    }
  }

  #failed(scanId: string, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#attempts.delete(scanId); // the next look at the scan begins anew
    this.#options.onFailure(scanId, error);
  }

  #remember(scanId: string, attempt: number): void {
    this.#attempts.delete(scanId);
    this.#attempts.set(scanId, attempt);
    if (this.#attempts.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#attempts.keys();
    this.#attempts.delete(oldest!);
  }
}

/** Resolves after so long, or at once when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

/** More than a scanner tells: ten times for each category, and at its beginning. */
const MOST_FRAMES = 1_000;

/**
 * The progress that a scanner's log tells of, as it comes, until its report begins. Other lines are passed over. What comes
 * after is read too, for a connection whose answer was read to its end can be used again; a scanner that says more than
 * scanners do is not listened to any longer.
 */
export async function* progressFrames(log: AsyncIterable<Uint8Array>): AsyncGenerator<ProgressFrame, void> {
  const lines = new FrameLines();
  let [seen, isOver] = [0, false];
  for await (const chunk of log) {
    if (isOver) continue;
    for (const line of lines.push(chunk)) {
      const frame = frameOf(line);
      if (frame?.frame === "progress") yield frame;
      else if (frame) isOver = true;
      if (isOver || ++seen > MOST_FRAMES) break;
    }
    if (lines.isOver || seen > MOST_FRAMES) return;
  }
}
