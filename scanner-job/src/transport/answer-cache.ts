/** Characters of answers kept in memory at most; the oldest go first. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Identical questions to the target are sent once, harmless as all of them are: one answer serves many checks. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  /** Those that have arrived, in order, with their size. */
  readonly #sizes = new Map<string, number>();
  readonly #sizeOf: (answer: Answer) => number;
  #characters = 0;

  /** `sizeOf` tells the characters that an answer keeps in memory. */
  constructor(sizeOf: (answer: Answer) => number) {
    this.#sizeOf = sizeOf;
  }

  /** The answer already there or under way, or that of `ask`. What failed is not kept. `key` is plain data. */
  get(key: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> {
    const name = JSON.stringify(key);
    const known = this.#answers.get(name);
    if (known) return known;

    const answer = ask();
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
