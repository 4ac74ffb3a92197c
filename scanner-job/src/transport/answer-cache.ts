import { shortHash } from "@glovebox/domain";

/** Maximum size of the cache in characters; the oldest answers are evicted first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

interface AnswerCacheDeps<Answer> {
  /** In characters. */
  readonly sizeOf?: (answer: Answer) => number;
  /** Whether an answer that arrived earlier must not be shared any more. */
  readonly isStale?: (answer: Answer) => boolean;
}

/** Identical requests are sent once: one answer serves many checks. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  /** The answers that have arrived, and their sizes, oldest first. */
  readonly #arrived = new Map<string, { readonly answer: Answer; readonly size: number }>();
  readonly #sizeOf: (answer: Answer) => number;
  readonly #isStale: (answer: Answer) => boolean;
  #characters = 0;

  constructor({ sizeOf = () => 0, isStale = () => false }: AnswerCacheDeps<Answer> = {}) {
    this.#sizeOf = sizeOf;
    this.#isStale = isStale;
  }

  /** The cached or pending answer, or that of `send`. Failures are not cached. `key` is plain data. */
  get(key: readonly unknown[], send: () => Promise<Answer>): Promise<Answer> {
    const name = shortHash(key); // addresses may be long
    const arrived = this.#arrived.get(name);
    if (arrived && this.#isStale(arrived.answer)) this.#forget(name);
    const known = this.#answers.get(name);
    if (known) return known;

    const answer = send();
    this.#answers.set(name, answer);
    answer.then(
      (arrived) => this.#account(name, arrived),
      () => this.#answers.delete(name),
    );
    return answer;
  }

  #account(name: string, answer: Answer): void {
    const size = this.#sizeOf(answer);
    this.#arrived.set(name, { answer, size });
    this.#characters += size;
    for (const oldest of this.#arrived.keys()) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#characters -= this.#arrived.get(name)?.size ?? 0;
    this.#arrived.delete(name);
    this.#answers.delete(name);
  }
}
