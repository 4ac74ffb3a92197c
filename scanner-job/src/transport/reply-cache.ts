import type { ProbeRequest, Reply } from "./exchange.ts";

/** Bodies kept in memory at most, in characters; the oldest go first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Identical requests are sent once, harmless as all of them are: one answer serves many checks. */
export class ReplyCache {
  readonly #replies = new Map<string, Promise<Reply>>();
  /** Those that have arrived, in order, with their size. */
  readonly #sizes = new Map<string, number>();
  #characters = 0;

  /** The answer already there or under way, or that of `send`. What failed is not kept. */
  answer(request: ProbeRequest, send: () => Promise<Reply>): Promise<Reply> {
    const key = keyOf(request);
    const known = this.#replies.get(key);
    if (known) return known;

    const reply = send();
    this.#replies.set(key, reply);
    reply.then(
      ({ body }) => this.#account(key, body.length),
      () => this.#replies.delete(key),
    );
    return reply;
  }

  #account(key: string, characters: number): void {
    this.#sizes.set(key, characters);
    this.#characters += characters;
    for (const [oldest, size] of this.#sizes) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#sizes.delete(oldest);
      this.#replies.delete(oldest);
      this.#characters -= size;
    }
  }
}

const keyOf = ({ method, url, rawPath, headers, body }: ProbeRequest): string =>
  JSON.stringify([
    method,
    url,
    rawPath,
    Object.entries(headers ?? {})
      .map(String)
      .toSorted(),
    body,
  ]);
