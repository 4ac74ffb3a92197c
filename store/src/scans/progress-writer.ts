import { ProgressTally, type ProgressFrame } from "@glovebox/scan-run";
import { type Category } from "@glovebox/contract";
import type { WorkStore } from "./work.ts";

const INTERVAL_MS = 250;

/** Writes the progress of a scan: the latest of each category, at a limited rate, one write at a time. */
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

  /** Drops pending progress and resolves after the last write, so that nothing is announced after the end of the scan. */
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
      // Progress is best effort: an unavailable database must not stop the scan.
    }
  }
}
