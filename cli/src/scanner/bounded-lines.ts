export interface LineLimits {
  /** Bytes of the longest line. */
  readonly line: number;
  /** Bytes of all the output. */
  readonly total: number;
}

/** Cuts a stream of bytes into lines of UTF-8, and refuses to hold more than the limits. */
export class BoundedLines {
  readonly #limits: LineLimits;
  readonly #onLine: (line: string) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #totalBytes = 0;

  constructor(limits: LineLimits, onLine: (line: string) => void) {
    this.#limits = limits;
    this.#onLine = onLine;
  }

  /** Takes the next bytes; false when a limit is exceeded: whoever sends them is to be stopped. */
  push(chunk: Buffer): boolean {
    this.#totalBytes += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#hold(chunk.subarray(start, end));
      if (this.#exceeded()) return false;
      this.#emit();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return !this.#exceeded();
  }

  /** The stream has ended: what is left is the last line. */
  end(): void {
    if (this.#pendingBytes > 0) this.#emit();
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #emit(): void {
    const line = Buffer.concat(this.#pending).toString();
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#onLine(line);
  }

  #exceeded(): boolean {
    return this.#pendingBytes > this.#limits.line || this.#totalBytes > this.#limits.total;
  }
}
