import { ask, type Ask, type TestResponse } from "../../../api/src/testing/requests.ts";
import type { Client, Received } from "./facts.ts";
import type { Journal } from "./journal.ts";

export interface Call extends Pick<Ask, "key" | "method" | "headers" | "body"> {
  readonly client: Client;
  readonly path: string;
  /** The path without ids; by default, the path. */
  readonly route?: string;
  /** By default the services take turns. */
  readonly service?: number;
  /** Seconds that the request may be held, with `Prefer: wait`. */
  readonly waitSeconds?: number;
  readonly expected?: readonly string[];
  /** The status and code of a response that has its own form; by default those of `/v1`. */
  readonly received?: (response: TestResponse) => Received;
}

/** A request that is not held must have its response within this time, even where a dependency is down. In milliseconds. */
const DEADLINE_MS = 30_000;

/** Sends requests to services in turn, and notes each. */
export class Caller {
  readonly #urls: readonly string[];
  readonly #journal: Journal;
  #turn = 0;

  constructor(urls: readonly string[], journal: Journal) {
    this.#urls = urls;
    this.#journal = journal;
  }

  get services(): number {
    return this.#urls.length;
  }

  nextService(): number {
    return this.#turn++ % this.#urls.length;
  }

  urlOf(service: number): string {
    return this.#urls[service]!;
  }

  /** The response; undefined without one. */
  async call({ client, path, route = path, ...call }: Call): Promise<TestResponse | undefined> {
    const {
      service = this.nextService(),
      waitSeconds = 0,
      expected = [],
      received = receivedOf,
      ...rest
    } = call;
    const from = Date.now();
    const signal = AbortSignal.timeout(waitSeconds * 1000 + DEADLINE_MS);
    const prefer: Record<string, string> = waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {};
    const headers = { ...prefer, ...rest.headers };
    const response = await ask(`${this.urlOf(service)}${path}`, { ...rest, headers, signal }).catch(
      () => undefined,
    );
    const got = response ? received(response) : signal.aborted ? "late" : "lost";
    const what = `${rest.method ?? (rest.body === undefined ? "GET" : "POST")} ${route}`;
    this.#journal.exchanges.push({ client, what, service, response: got, expected, from, to: Date.now() });
    return response;
  }
}

/** Of a response of `/v1`. */
export const receivedOf = ({ status, headers, json }: TestResponse): Received => ({
  status,
  code: status < 400 ? undefined : (json as { error?: { code?: string } } | undefined)?.error?.code,
  hasRetryAfter: Number(headers.get("retry-after")) > 0,
  hasLocation: headers.has("location"),
});
