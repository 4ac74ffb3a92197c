import { ProgressTally, type Category, type ProgressFrame } from "@glovebox/contract";
import type { WorkStore } from "./work.ts";

const INTERVAL_MS = 250;

/** Passes a scan's progress on, the latest of each category, at most once in a while and never two writes at once. */
export class ProgressWriter {
  readonly #scanId: string;
  readonly #work: Pick<WorkStore, "progress">;
  readonly #everyMs: number;
  readonly #tally = new ProgressTally();
  readonly #waiting = new Map<Category, ProgressFrame>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(scanId: string, work: Pick<WorkStore, "progress">, everyMs = INTERVAL_MS) {
    this.#scanId = scanId;
    this.#work = work;
    this.#everyMs = everyMs;
  }

  add(frame: ProgressFrame): void {
    this.#tally.add(frame);
    this.#waiting.set(frame.category, frame);
    this.#timer ??= setTimeout(() => this.#flush(), this.#everyMs);
  }

  /** Drops what waits and resolves when the last write is over: nothing is announced after the scan's end. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.clear();
    await this.#writing;
  }

  #flush(): void {
    const frames = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#writing = this.#write(frames).finally(() => {
      this.#timer = this.#waiting.size > 0 ? setTimeout(() => this.#flush(), this.#everyMs) : undefined;
    });
  }

  async #write(frames: readonly ProgressFrame[]): Promise<void> {
    try {
      for (const frame of frames) await this.#work.progress(this.#scanId, frame, this.#tally.total());
    } catch {
      // Progress is a courtesy: a database that is away must not stop the scan.
    }
  }
}
