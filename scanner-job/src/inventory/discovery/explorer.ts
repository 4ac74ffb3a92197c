import { isBlocked } from "../../oracles/classify.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";
import type { AppliedFilters } from "../../transport/request-filter.ts";
import { NetworkError } from "../../transport/network-error.ts";

/** The transport's `send`, as far as discovery needs it. */
export type Send = (request: ProbeRequest, options?: SendOptions) => Promise<ProbeResponse>;

interface SendOptions {
  readonly maxBodyBytes?: number;
  readonly share?: boolean;
  readonly filters?: AppliedFilters;
}

/** Without a response, or blocked, in a row: more of the same would only use up the scan's time. */
const MAX_FAILURES = 5;
/** A block is less likely to pass than a silence, and each may cost a pause that the target asked for. */
const BLOCKED_WEIGHS = 2;
/** Maximum number of cached responses: a target can make each as long as the transport allows. */
const MAX_KEPT = 12;

/** Redirects that are followed in a row. */
const MAX_HOPS = 3;

/** Asks for addresses of the target and counts: neither the origin nor the number of requests is exceeded. */
export class Explorer {
  readonly #send: Send;
  readonly #target: URL;
  readonly #responses = new Map<string, Promise<ProbeResponse | undefined>>();
  #left: number;
  #failures = 0;
  /** The requests or the time of the whole scan: they do not come back. */
  #isUsedUp = false;

  constructor(send: Send, target: URL, limit: number) {
    this.#send = send;
    this.#target = target;
    this.#left = limit;
  }

  get left(): number {
    return this.endedBy === undefined ? this.#left : 0;
  }

  /** Why nothing may be asked any more; undefined while something may. */
  get endedBy(): "own limit" | "target" | undefined {
    if (this.#isUsedUp || this.#left <= 0) return "own limit";
    return this.#failures >= MAX_FAILURES ? "target" : undefined;
  }

  /** The response to a read; undefined when none arrived, the address is elsewhere, or nothing may be asked any more. */
  ask(address: string | URL): Promise<ProbeResponse | undefined> {
    const url = this.locate(address);
    if (!url) return Promise.resolve(undefined);
    const known = this.#responses.get(url.href);
    if (known) return known;
    const response = this.#fetch(url, {});
    this.#responses.set(url.href, response);
    const [oldest] = this.#responses.keys();
    if (this.#responses.size > MAX_KEPT && oldest !== undefined) this.#responses.delete(oldest);
    return response;
  }

  /** As `ask`, and on to where the response redirects on the target's origin. */
  async open(address: string | URL): Promise<ProbeResponse | undefined> {
    let response = await this.ask(address);
    for (let hops = 0; hops < MAX_HOPS && response?.redirectTarget; hops += 1) {
      const next = this.locate(response.redirectTarget);
      if (!next) break;
      response = await this.ask(next);
    }
    return response;
  }

  /** Repeats the request with a higher limit of the body. */
  askForMore({ request }: ProbeResponse, maxBodyBytes: number): Promise<ProbeResponse | undefined> {
    return this.#fetch(new URL(request.url), { maxBodyBytes, share: false });
  }

  /** The address without its fragment; undefined when it is none, or not on the target's origin. */
  locate(address: string | URL, from: string | URL = this.#target): URL | undefined {
    if (typeof address === "string" && (address.length > 2_000 || !URL.canParse(address, String(from))))
      return undefined;
    const url = new URL(address, from);
    url.hash = "";
    return url.origin === this.#target.origin && url.username === "" ? url : undefined;
  }

  async #fetch(url: URL, options: SendOptions): Promise<ProbeResponse | undefined> {
    if (this.left <= 0) return undefined;
    this.#left -= 1;
    try {
      const response = await this.#send(readOf(url.href), options);
      this.#failures = isBlocked(response) ? this.#failures + BLOCKED_WEIGHS : 0;
      return response;
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      if (error.kind === "not_selected") this.#left += 1;
      else if (error.kind === "budget" || error.kind === "deadline") this.#isUsedUp = true;
      else this.#failures += 1;
      return undefined;
    }
  }
}
