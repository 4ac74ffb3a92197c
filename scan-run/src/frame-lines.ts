import { MAX_LINE_BYTES, MAX_LOG_LINES } from "./frames.ts";

/** How every frame begins, as `JSON.stringify` prints it. */
const START = Buffer.from('{"frame":"');
const LINE_END = 10;

/**
 * Splits the output of a scanner into lines and yields those that may be frames: with the prefix of a frame, and at most
 * `MAX_LINE_BYTES` long. It buffers one line at a time and reads at most `MAX_LOG_LINES`.
 */
export class FrameLines {
  #held: Buffer | undefined;
  #length = 0;
  #lines = 0;

  /** The limit of lines was exceeded: the rest is ignored. */
  get isOver(): boolean {
    return this.#lines > MAX_LOG_LINES;
  }

  /** The frames among the lines that end in these bytes. */
  *push(bytes: Uint8Array): Generator<string, void> {
    let start = 0;
    while (!this.isOver) {
      const end = bytes.indexOf(LINE_END, start);
      if (end === -1) return this.#hold(bytes.subarray(start));
      if (end > start) this.#hold(bytes.subarray(start, end));
      start = end + 1;
      yield* this.#line();
    }
  }

  /** The last line, if it has no line end. */
  *end(): Generator<string, void> {
    if (this.#length > 0 && !this.isOver) yield* this.#line();
  }

  /** Of a line that is too long, only the length is kept. */
  #hold(part: Uint8Array): void {
    this.#held ??= Buffer.alloc(MAX_LINE_BYTES);
    if (this.#length < MAX_LINE_BYTES)
      this.#held.set(part.subarray(0, MAX_LINE_BYTES - this.#length), this.#length);
    this.#length += part.length;
  }

  *#line(): Generator<string, void> {
    const length = this.#length;
    this.#lines++;
    this.#length = 0;
    if (this.isOver || length < START.length || length > MAX_LINE_BYTES) return;
    if (START.compare(this.#held!, 0, START.length) === 0) yield this.#held!.toString("utf8", 0, length);
  }
}
