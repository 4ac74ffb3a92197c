import { shortHash } from "@glovebox/domain";

/** Maximum size of the cache in characters; the oldest responses are evicted first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface ResponseCacheDeps<Response> {
  /** In characters. */
  readonly sizeOf?: (response: Response) => number;
  /** Whether a response that arrived earlier must not be shared any more. */
  readonly isStale?: (response: Response) => boolean;
}

/** Identical requests are sent once: one response serves many checks. */
export class ResponseCache<Response> {
  readonly #responses = new Map<string, Promise<Response>>();
  /** The responses that have arrived, and their sizes, oldest first. */
  readonly #arrived = new Map<string, { readonly response: Response; readonly size: number }>();
  readonly #sizeOf: (response: Response) => number;
  readonly #isStale: (response: Response) => boolean;
  #characters = 0;

  constructor({ sizeOf = () => 0, isStale = () => false }: ResponseCacheDeps<Response> = {}) {
    this.#sizeOf = sizeOf;
    this.#isStale = isStale;
  }

  /** The cached or pending response, or the response of `send`. Failures are not cached. `key` is plain data. */
  get(key: readonly unknown[], send: () => Promise<Response>): Promise<Response> {
    const name = shortHash(key); // addresses may be long
    const arrived = this.#arrived.get(name);
    if (arrived && this.#isStale(arrived.response)) this.#forget(name);
    const known = this.#responses.get(name);
    if (known) return known;

    const response = send();
    this.#responses.set(name, response);
    response.then(
      (arrived) => this.#account(name, arrived),
      () => this.#responses.delete(name),
    );
    return response;
  }

  #account(name: string, response: Response): void {
    const size = this.#sizeOf(response);
    this.#arrived.set(name, { response, size });
    this.#characters += size;
    for (const oldest of this.#arrived.keys()) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#characters -= this.#arrived.get(name)?.size ?? 0;
    this.#arrived.delete(name);
    this.#responses.delete(name);
  }
}
