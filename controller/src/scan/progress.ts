import { MAX_JOURNAL } from "@glovebox/contract";
import {
  FrameLines,
  frameOf,
  MAX_LOG_BYTES,
  type Frame,
  type ProgressFrame,
  type WriteFrame,
} from "@glovebox/scan-run";
import { type Clock, type PodLogs, sleep, systemClock, createTokenBucket, type Rate } from "@glovebox/kube";
import { ProgressWriter, WriteNoter, type ScanWrites, type WorkStore } from "@glovebox/store";
import type { Pod } from "../kubernetes/api-client.ts";
import { SCANNER_CONTAINER } from "../kubernetes/pod-view.ts";

export interface ProgressFollowersOptions {
  readonly logs: Pick<PodLogs, "follow">;
  readonly work: Pick<WorkStore, "progress">;
  readonly scanWrites: Pick<ScanWrites, "note">;
  /** The pods of a Job whose container runs, as they are now. */
  readonly runningPods: (jobUid: string) => readonly Pod[];
  readonly onFailure: (scanId: string, error: unknown) => void;
  /** Delay before the log is read, in milliseconds: short scans need no progress. */
  readonly delayMs?: number;
  /** Between writes of one scan's progress, in milliseconds. */
  readonly everyMs?: number;
  /** Rate limit of the logs that are started to be read. */
  readonly rate?: Rate;
  readonly clock?: Clock;
}

const DELAY_MS = 3_000;
const EVERY_MS = 1_000;
/** Limit of the logs that are read at a time. */
const MAX_FOLLOWED = 256;
/** Limits the load of the API server when many scans start at the same time. */
const RATE: Rate = { burst: 20, perSecond: 1 };
/** Limit of the remembered attempts. */
const MAX_REMEMBERED = 20_000;

/**
 * Writes the progress of running scans to the store, and what active ones have written to their targets, from one streaming read of the pod's log for each attempt. Best effort: no
 * failure here fails or delays a scan, and the report is read separately. A scan over the limits below shows no progress
 * until its next reconciliation.
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

  /** Starts to follow the attempt and returns immediately; does nothing if it was followed before. */
  follow(scanId: string, attempt: number, jobUid: string): void {
    if (this.#stop.signal.aborted || this.#underWay.size >= MAX_FOLLOWED) return;
    if (this.#attempts.get(scanId) === attempt || !this.#mayBegin()) return;
    this.#remember(scanId, attempt);
    const following = this.#follow(scanId, jobUid)
      .catch((error: unknown) => this.#failed(scanId, error))
      .finally(() => this.#underWay.delete(following));
    this.#underWay.add(following);
  }

  /** Stops, and resolves when the current writes have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  async #follow(scanId: string, jobUid: string): Promise<void> {
    const {
      logs,
      work,
      scanWrites,
      runningPods,
      delayMs = DELAY_MS,
      everyMs = EVERY_MS,
      clock = systemClock,
    } = this.#options;
    const { signal } = this.#stop;
    await sleep(clock, delayMs, signal);
    const { namespace = "", name } = runningPods(jobUid)[0]?.metadata ?? {};
    if (signal.aborted || name === undefined) return;
    const writer = new ProgressWriter(scanId, work, everyMs);
    const noter = new WriteNoter(scanId, scanWrites);
    try {
      const log = { namespace, name, container: SCANNER_CONTAINER, limitBytes: MAX_LOG_BYTES, signal };
      for await (const frame of liveFrames(logs.follow(log)))
        if (frame.frame === "write") noter.add(frame.write);
        else writer.add(frame);
    } finally {
      await writer.close();
      await noter.close();
    }
  }

  #failed(scanId: string, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#attempts.delete(scanId); // the next reconcile starts again
    this.#options.onFailure(scanId, error);
  }

  #remember(scanId: string, attempt: number): void {
    this.#attempts.delete(scanId);
    this.#attempts.set(scanId, attempt);
    if (this.#attempts.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#attempts.keys();
    this.#attempts.delete(oldest!);
  }
}

/** Limit of these frames; a scanner sends about ten for each category, and an active one a few for each of its writes. */
const MAX_FRAMES = 1_000 + 5 * MAX_JOURNAL;

const isLive = (frame: Frame | undefined): frame is ProgressFrame | WriteFrame =>
  frame?.frame === "progress" || frame?.frame === "write";

/**
 * The frames of a log that count while the scanner runs, until the report begins. Other lines are skipped. The rest of the log is read too, because a
 * connection can be reused only after its response was read to the end; above the limit of frames, reading stops.
 */
async function* liveFrames(log: AsyncIterable<Uint8Array>): AsyncGenerator<ProgressFrame | WriteFrame, void> {
  const lines = new FrameLines();
  let [seen, isOver] = [0, false];
  for await (const chunk of log) {
    if (isOver) continue;
    for (const line of lines.push(chunk)) {
      const frame = frameOf(line);
      if (isLive(frame)) yield frame;
      else if (frame) isOver = true;
      if (isOver || ++seen > MAX_FRAMES) break;
    }
    if (lines.isOver || seen > MAX_FRAMES) return;
  }
}
