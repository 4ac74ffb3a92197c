import type { Clock } from "./clock.ts";
import type { KubeObject } from "./resource.ts";
import type { WatchEvent } from "./watch-stream.ts";

export interface WatchSession<T extends KubeObject> {
  /** Opens the watch; aborting the signal ends it. */
  readonly open: (signal: AbortSignal) => AsyncIterable<WatchEvent<T>>;
  readonly onEvent: (event: WatchEvent<T>) => void;
  /** Without an event for so long the session is over. */
  readonly staleMs: number;
  /** The session is over after so long, whatever comes. */
  readonly longestMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Why a session was over: the server ended the watch, nothing came, its time was up, or the signal aborted. */
export type SessionEnd = "closed" | "stale" | "expired" | "aborted";

export interface FollowedWatch {
  readonly end: SessionEnd;
  /** How many events were passed on, bookmarks included. */
  readonly events: number;
}

/**
 * Follows one watch. After the signal has aborted, no event is passed on.
 * @throws what the watch fails with, unless the session is over already
 */
export async function followWatch<T extends KubeObject>(session: WatchSession<T>): Promise<FollowedWatch> {
  const { clock, signal, staleMs, longestMs } = session;
  const over = new AbortController();
  let ending: SessionEnd = "closed";
  let events = 0;
  const end = (reason: SessionEnd) => (): void => {
    if (over.signal.aborted) return;
    ending = reason;
    over.abort();
  };
  const aborted = end("aborted");
  signal.addEventListener("abort", aborted, { once: true });
  const cancelExpiry = clock.after(longestMs, end("expired"));
  let cancelStale = clock.after(staleMs, end("stale"));
  try {
    if (signal.aborted) aborted();
    for await (const event of session.open(over.signal)) {
      if (over.signal.aborted) break;
      cancelStale();
      cancelStale = clock.after(staleMs, end("stale"));
      events += 1;
      session.onEvent(event);
    }
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    cancelStale();
    cancelExpiry();
    signal.removeEventListener("abort", aborted);
  }
  return { end: ending, events };
}
