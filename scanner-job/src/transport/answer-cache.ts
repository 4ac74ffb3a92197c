import { shortHash } from "@glovebox/domain";

/** Maximum size of the cache in characters; the oldest answers are evicted first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Identical requests are sent once: one answer serves many checks. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  /** Sizes of the answers that have arrived, oldest first. */
  readonly #sizes = new Map<string, number>();
  readonly #sizeOf: (answer: Answer) => number;
  #characters = 0;

  /** `sizeOf` returns the size of an answer in characters. */
  constructor(sizeOf: (answer: Answer) => number) {
    this.#sizeOf = sizeOf;
  }

  /** The cached or pending answer, or that of `send`. Failures are not cached. `key` is plain data. */
  get(key: readonly unknown[], send: () => Promise<Answer>): Promise<Answer> {
    const name = shortHash(key); // addresses may be long
    const known = this.#answers.get(name);
    if (known) return known;

    const answer = send();
    this.#answers.set(name, answer);
    answer.then(
      (arrived) => this.#account(name, this.#sizeOf(arrived)),
      () => this.#answers.delete(name),
    );
    return answer;
  }

  #account(name: string, characters: number): void {
    this.#sizes.set(name, characters);
    this.#characters += characters;
    for (const [oldest, size] of this.#sizes) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#sizes.delete(oldest);
      this.#answers.delete(oldest);
      this.#characters -= size;
    }
  }
}
