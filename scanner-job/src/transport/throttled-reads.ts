import type { ProbeRequest, Reply } from "./exchange.ts";

const MAX_KEPT = 20;

/** The reads that a target answered with 429. */
export class ThrottledReads {
  #latestFirst: readonly ProbeRequest[] = [];

  get latestFirst(): readonly ProbeRequest[] {
    return this.#latestFirst;
  }

  /** Takes note of an answer, and gives it back. */
  note(reply: Reply): Reply {
    const { status, request } = reply;
    const isKnown = this.#latestFirst.some(({ url }) => url === request.url);
    if (status === 429 && request.method === "GET" && !isKnown)
      this.#latestFirst = [request, ...this.#latestFirst].slice(0, MAX_KEPT);
    return reply;
  }
}
