import type { ProbeResponse } from "./exchange.ts";

/**
 * Bytes of all responses of a scan that are kept whole. The largest response that is read, a document of 16 MiB with two
 * bytes a character, fits. With all of it in use, 105 MiB of the scanner's heap of 128 were measured after a collection.
 */
const MAX_KEPT_BYTES = 40 * 1024 * 1024;

/**
 * The one budget of all responses that are kept, by any part: evidence, the cache, the record of writes. Beyond it,
 * the oldest are cut. It counts responses that nothing refers to any more, so that it does not depend on garbage collection.
 */
export class ResponseBudget {
  /** Bytes of each whole response that may be cut, oldest first. */
  readonly #kept = new Map<ProbeResponse, number>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the responses that are whole; never more than the maximum. */
  get bytes(): number {
    return this.#bytes;
  }

  keep(response: ProbeResponse): void {
    const { bytes } = response;
    this.#kept.set(response, bytes);
    this.#bytes += bytes;
    for (const [oldest, size] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= size;
      oldest.cut();
    }
  }

  /** Never cuts these responses, which all others are compared with; their bytes still count. Only for a few. */
  pin(responses: readonly ProbeResponse[]): void {
    for (const response of responses) this.#kept.delete(response);
  }
}
