import type { ProbeRequest, Reply } from "./exchange.ts";
import { isLost } from "./network-error.ts";
import { LONGEST_PAUSE_MS, retryAfterSeconds } from "./pace.ts";

/** Sends one request once. */
type SendOnce = (request: ProbeRequest, maxBodyBytes: number | undefined) => Promise<Reply>;

/** Times that a request is sent which is throttled. */
const MAX_SENT = 4;

/**
 * Which requests are sent again because the answer was 429: the target did not process them (RFC 6585, section 4), so no
 * answer of the API would be lost. An address that only ever answers 429 has a limit of its own and is not waited for,
 * nor is a target where nothing is answered otherwise any more.
 */
class Throttled {
  readonly #limited = new Set<string>();
  #isEverywhere = false;
  readonly #today: () => Date;

  constructor(today: () => Date) {
    this.#today = today;
  }

  /** True when the request of this answer, sent so many times, should be sent again. */
  mayHelp({ status, request, headers }: Reply, sent: number): boolean {
    const place = `${request.method} ${request.url.split("?")[0]}`;
    if (status !== 429) {
      this.#limited.delete(place);
      this.#isEverywhere = false;
      return false;
    }
    const seconds = retryAfterSeconds(headers["retry-after"], this.#today()) ?? 0;
    const isKnown = this.#isEverywhere || this.#limited.has(place);
    if (sent < MAX_SENT && seconds * 1000 <= LONGEST_PAUSE_MS && !isKnown) return true;
    this.#limited.add(place);
    this.#isEverywhere = true;
    return false;
  }
}

/** Sends requests that are throttled again, unless `retry` is false; the pace makes them wait in between. */
export function retrying(today: () => Date, sendOnce: SendOnce) {
  const throttled = new Throttled(today);
  return async (
    request: ProbeRequest,
    { maxBodyBytes, retry = true }: { maxBodyBytes?: number; retry?: boolean },
  ): Promise<Reply> => {
    for (let sent = 1; ; sent++) {
      const reply = await sendOnce(request, maxBodyBytes);
      if (!retry || !throttled.mayHelp(reply, sent)) return reply;
    }
  };
}

/**
 * Sends ordinary requests, of which nothing could end the target, again when the connection is lost: after the pause of
 * the pace.
 */
export const sendPatiently =
  <Request extends readonly unknown[]>(send: (...request: Request) => Promise<Reply>) =>
  async (...request: Request): Promise<Reply> => {
    for (let lost = 0; ; lost++) {
      try {
        return await send(...request);
      } catch (error) {
        if (!isLost(error) || lost >= 2) throw error;
      }
    }
  };
