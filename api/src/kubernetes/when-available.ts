import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailable } from "@glovebox/store";

export interface WaitOptions {
  readonly now: () => Date;
  /** How long the database may stay away. Default 60. */
  readonly seconds?: number;
  /** Between two tries, in milliseconds. Default 1000. */
  readonly pauseMs?: number;
}

/** Runs the task once the database answers: in a cluster all parts start at the same time. */
export async function whenAvailable(task: () => Promise<void>, options: WaitOptions): Promise<void> {
  const { now, seconds = 60, pauseMs = 1_000 } = options;
  const deadline = now().getTime() + seconds * 1000;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || now().getTime() >= deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
