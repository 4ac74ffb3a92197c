import { Worker } from "node:worker_threads";
import type { DeliveredOutcome } from "./delivered.ts";
import { malformedReading, type Reading } from "./frame-reader.ts";

/** The output of a scanner. If there is a termination message, only the ending frame in it counts. */
export interface ScannerOutput {
  readonly message?: string | undefined;
  /** Everything that it printed. The buffer is transferred to the thread: do not use it afterwards. */
  readonly log?: Uint8Array<ArrayBuffer> | undefined;
}

/** The worker's source; the build replaces it with the path of the bundled worker. */
const WORKER = new URL("./outcome-worker.ts", import.meta.url);

/**
 * Decodes the output of scanners, one after another, in a worker thread with limited memory and time: a compromised scanner
 * can print anything. The thread starts with the first output and is replaced if it dies. It does not keep the process alive.
 */
export class OutcomeReader {
  readonly #deadlineMs: number;
  readonly #heapMegabytes: number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({
    deadlineMs = 20_000,
    heapMegabytes = 64,
  }: { readonly deadlineMs?: number; readonly heapMegabytes?: number } = {}) {
    this.#deadlineMs = deadlineMs;
    this.#heapMegabytes = heapMegabytes;
  }

  /**
   * Output that exceeds the limits of memory or time is malformed.
   * @throws Error when the thread could not be started, or died for a reason other than its input
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
      return await responseOf(worker, output, this.#deadlineMs);
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      if (error instanceof LimitExceeded) return malformedReading(error.message);
      throw new Error("The report decoder exited unexpectedly", { cause: error });
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

/** The limit of memory or time was exceeded. */
class LimitExceeded extends Error {}

async function responseOf(
  worker: Worker,
  output: ScannerOutput,
  deadlineMs: number,
): Promise<Reading<DeliveredOutcome>> {
  const settled = Promise.withResolvers<Reading<DeliveredOutcome>>();
  const onError = (error: unknown): void =>
    settled.reject(
      isOutOfMemory(error) ? new LimitExceeded("It exceeded the memory limit of the decoder.") : error,
    );
  const onExit = (): void => settled.reject(new Error("The decoder thread exited"));
  const timer = setTimeout(
    () => settled.reject(new LimitExceeded("It exceeded the time limit of the decoder.")),
    deadlineMs,
  );
  worker.on("message", settled.resolve).on("error", onError).on("exit", onExit);
  try {
    const { log } = output;
    // Only a separate buffer can be transferred; a slice of another one is small, and copied.
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
