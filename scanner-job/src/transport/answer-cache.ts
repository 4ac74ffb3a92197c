/** Characters of answers kept in memory at most; the oldest go first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Identical requests are sent once: one answer serves many checks. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  /** Those that have arrived, in order, with their size. */
  readonly #sizes = new Map<string, number>();
  readonly #sizeOf: (answer: Answer) => number;
  #characters = 0;

  /** `sizeOf` returns the characters that an answer keeps in memory. */
  constructor(sizeOf: (answer: Answer) => number) {
    this.#sizeOf = sizeOf;
  }

  /** The cached or pending answer, or that of `send`. Failures are not kept. `key` is plain data. */
  get(key: readonly unknown[], send: () => Promise<Answer>): Promise<Answer> {
    const name = JSON.stringify(key);
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
