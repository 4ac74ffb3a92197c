import { setTimeout as wait } from "node:timers/promises";
import type { NotedWrite } from "@glovebox/contract";
import type { ScanWrites } from "./scan-writes.ts";

const MAX_TRIES = 20;
const PAUSE_MS = 500;

/**
 * Stores the writes that a scanner notes, in order, as soon as they arrive: those that arrive while others are stored go together. A
 * database that is away is waited for, because what is not stored is not cleaned up.
 */
export class WriteNoter {
  readonly #scanId: string;
  readonly #writes: Pick<ScanWrites, "note">;
  readonly #pauseMs: number;
  #waiting: NotedWrite[] = [];
  #storing: Promise<void> | undefined;

  constructor(scanId: string, writes: Pick<ScanWrites, "note">, pauseMs = PAUSE_MS) {
    this.#scanId = scanId;
    this.#writes = writes;
    this.#pauseMs = pauseMs;
  }

  add(write: NotedWrite): void {
    this.#waiting.push(write);
    this.#storing ??= this.#storeAll().finally(() => (this.#storing = undefined));
  }

  /** Resolves once everything is stored, or could not be. */
  async close(): Promise<void> {
    await this.#storing;
  }

  async #storeAll(): Promise<void> {
    for (let tries = 1; this.#waiting.length > 0 && tries <= MAX_TRIES;) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#writes.note(this.#scanId, batch);
        tries = 1;
      } catch {
        this.#waiting.unshift(...batch);
        tries++;
        await wait(this.#pauseMs);
      }
    }
  }
}
