/** Choices that a seed determines. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  number(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** A word that means nothing, so that no check knows it. */
  word(): string;
  text(length: number, alphabet: string): string;
}

const SYLLABLES = "zor vex plim drusk tolv yend krath wiln quob fenk jarl mudge brint hosk".split(" ");

/** Mulberry32: enough for test data, and the same everywhere. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const number = (below: number): number => Math.floor(next() * below);
  const pick = <Item>(items: readonly Item[]): Item => items[number(items.length)]!;
  return {
    number,
    pick,
    word: () => pick(SYLLABLES) + pick(SYLLABLES),
    text: (length, alphabet) => Array.from({ length }, () => pick([...alphabet])).join(""),
  };
}
