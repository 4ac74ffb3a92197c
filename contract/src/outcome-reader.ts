import { Worker } from "node:worker_threads";
import type { DeliveredOutcome } from "./delivered.ts";
import { malformedReading, type Reading } from "./frame-reader.ts";

/** What a scanner left. Where there is a termination message, no ending counts but the one in it. */
export interface ScannerOutput {
  readonly message?: string | undefined;
  /** All that it printed; not to be used any more once it is being read. */
  readonly log?: Uint8Array<ArrayBuffer> | undefined;
}

export interface ReaderLimits {
  readonly deadlineMs?: number;
  readonly heapMegabytes?: number;
}

/** The worker's source; the build replaces it with the path of the bundled worker. */
const WORKER = new URL("./outcome-worker.ts", import.meta.url);

/**
 * Decodes the output of scanners, one after another, in a worker thread with limited memory and time: whoever has
 * taken a scanner over can write anything. The thread is started when first needed, stays, and is replaced when it died.
 * It keeps no process alive while there is nothing to read.
 */
export class OutcomeReader {
  readonly #deadlineMs: number;
  readonly #heapMegabytes: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ deadlineMs = 20_000, heapMegabytes = 64 }: ReaderLimits = {}) {
    this.#deadlineMs = deadlineMs;
    this.#heapMegabytes = heapMegabytes;
  }

  /**
   * Output that takes the thread more memory or time than there is, is malformed.
   * @throws Error when the thread could not be started, or died for another reason than what it read
   */
  read(output: ScannerOutput): Promise<Reading<DeliveredOutcome>> {
    const reading = this.#last.then(() => this.#read(output));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  async #read(output: ScannerOutput): Promise<Reading<DeliveredOutcome>> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    try {
      return await answerOf(worker, output, this.#deadlineMs);
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      if (error instanceof Overtaxed) return malformedReading(error.message);
      throw new Error("The reader of reports ended early", { cause: error });
    } finally {
      worker.unref();
    }
  }

  #start(): Worker {
    return new Worker(WORKER, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#heapMegabytes,
        maxYoungGenerationSizeMb: 8,
        stackSizeMb: 4,
      },
      env: {},
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** More memory or time than an honest report takes. */
class Overtaxed extends Error {}

async function answerOf(
  worker: Worker,
  output: ScannerOutput,
  deadlineMs: number,
): Promise<Reading<DeliveredOutcome>> {
  const settled = Promise.withResolvers<Reading<DeliveredOutcome>>();
  const onError = (error: unknown): void =>
    settled.reject(isOutOfMemory(error) ? new Overtaxed("It takes too much memory to read.") : error);
  const onExit = (): void => settled.reject(new Error("It ended by itself"));
  const timer = setTimeout(() => settled.reject(new Overtaxed("It takes too long to read.")), deadlineMs);
  worker.on("message", settled.resolve).on("error", onError).on("exit", onExit);
  try {
    const { log } = output;
    // Only a buffer of its own can be handed over; a part of another one is small, and copied.
    worker.postMessage(output, log && log.byteLength === log.buffer.byteLength ? [log.buffer] : []);
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", settled.resolve).off("exit", onExit);
    if (worker.threadId !== -1) worker.off("error", onError);
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
