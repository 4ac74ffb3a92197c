export interface PeriodicTaskOptions {
  readonly task: () => Promise<unknown>;
  readonly onFailure: (error: unknown) => void;
  /** From the end of a run to the next, in milliseconds. */
  readonly everyMs: number;
  /** From the start to the first run, in milliseconds. */
  readonly firstMs: number;
  /** Share by which pauses vary, so that replicas that started together do not run at the same time. Default 0. */
  readonly jitter?: number;
}

/** Runs a task periodically, one run at a time. A failed run is reported, and the next one follows. */
export class PeriodicTask {
  readonly #options: PeriodicTaskOptions;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(this.#options.firstMs);
  }

  /** Runs now, or returns the current run. Never rejects. */
  run(): Promise<void> {
    const { task, onFailure } = this.#options;
    return (this.#underWay ??= task()
      .then(() => undefined, onFailure)
      .finally(() => (this.#underWay = undefined)));
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    const { everyMs, jitter = 0 } = this.#options;
    const factor = 1 + jitter * (2 * Math.random() - 1);
    this.#timer = setTimeout(() => void this.run().then(() => this.#schedule(everyMs)), ms * factor).unref();
  }
}
