import type { DestinationStream } from "pino";

/** After a write, lines gather for this time: each write is a system call, one of the larger costs of a short request. */
const GATHER_MS = 10;

/** Writes log lines to `output`: the first immediately, and the lines of the following milliseconds together. */
export class LogOutput implements DestinationStream {
  readonly #output: DestinationStream;
  #lines = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(output: DestinationStream) {
    this.#output = output;
  }

  write(line: string): void {
    this.#lines += line;
    if (!this.#timer) this.#writeAndGather();
  }

  /** Writes what has gathered: the process is about to end. pino calls it after a fatal line. */
  flushSync(): void {
    if (this.#lines === "") return;
    const lines = this.#lines;
    this.#lines = "";
    this.#output.write(lines);
  }

  #writeAndGather(): void {
    this.flushSync();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#lines !== "") this.#writeAndGather();
    }, GATHER_MS);
    this.#timer.unref();
  }
}
