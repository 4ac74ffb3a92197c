import type { StoreEvent } from "@glovebox/store";

export type ProgressEvent = Extract<StoreEvent, { type: "scanProgress" }>;

/** Why a watch returned: the scan may have changed; the time is over; the service shuts down; the client went away. */
export type Wake = "changed" | "timeout" | "closing" | "hungUp";

/**
 * One client's wait for one scan. It remembers a wake-up that comes while nobody is waiting, so that
 * "start to watch, read the row, wait" misses nothing.
 */
export class ScanWatch {
  readonly #onStop: () => void;
  readonly #onProgress: ((event: ProgressEvent) => void) | undefined;
  #pending: Wake | undefined;
  #resolve: ((wake: Wake) => void) | undefined;

  constructor(onStop: () => void, onProgress?: (event: ProgressEvent) => void) {
    this.#onStop = onStop;
    this.#onProgress = onProgress;
  }

  /** The next wake-up, or `timeout` after so many milliseconds. */
  next(timeoutMs: number): Promise<Wake> {
    if (this.#pending) {
      const wake = this.#pending;
      // The client and the service do not come back; a change is over once it has been seen.
      if (wake === "changed") this.#pending = undefined;
      return Promise.resolve(wake);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle("timeout"), timeoutMs);
      this.#resolve = (wake) => {
        clearTimeout(timer);
        resolve(wake);
      };
    });
  }

  wake(reason: Exclude<Wake, "timeout">): void {
    if (this.#resolve && reason === "changed") this.#settle(reason);
    else {
      if (this.#pending === undefined || this.#pending === "changed") this.#pending = reason;
      if (this.#resolve) this.#settle(this.#pending);
    }
  }

  progress(event: ProgressEvent): void {
    this.#onProgress?.(event);
  }

  stop(): void {
    this.#onStop();
  }

  #settle(wake: Wake): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(wake);
  }
}
