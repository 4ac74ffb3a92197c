/** Matches at an index of the text: calls `next` with one index after another that it leads to, until that returns true. */
export type Matcher = (at: number, next: (to: number) => boolean) => boolean;

/** A part of an expression. */
interface Part {
  readonly match: Matcher;
  /** Of a part that is one character: the index after it; undefined where it is another. */
  readonly step?: (at: number) => number | undefined;
}

export interface Run {
  steps: number;
}

/** A matcher of the expression, by the semantics of ECMA-262, that counts its steps. Without modifiers and nested classes. */
export function compileRegExp(regexp: RegExp, text: string): { match: Matcher; run: Run } {
  const compiler = new Compiler(regexp, text);
  return { match: compiler.alternatives(), run: compiler.run };
}

const LOOKAROUNDS = [
  { start: "(?=", isBackward: false, isNegative: false },
  { start: "(?!", isBackward: false, isNegative: true },
  { start: "(?<=", isBackward: true, isNegative: false },
  { start: "(?<!", isBackward: true, isNegative: true },
];
const ATOM = /\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|c[a-z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/iy;
const UNICODE_ATOM = new RegExp(ATOM, "iuy");
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/y;
const REFERENCE = /\\(?:([1-9])|k<(\w+)>)/y;
const GROUP = /\((?:\?:|\?<(\w+)>)?/y;

class Compiler {
  readonly run: Run = { steps: 0 };
  readonly #text: string;
  readonly #source: string;
  readonly #flags: string;
  readonly #captured = new Map<string, string | undefined>();
  #at = 0;
  #groups = 0;
  #isBackward = false;

  constructor({ source, flags }: RegExp, text: string) {
    this.#text = text;
    this.#source = source;
    this.#flags = flags;
  }

  alternatives(): Matcher {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    return (at, next) => branches.some((branch) => branch(at, next));
  }

  #sequence(): Matcher {
    const parts: Matcher[] = [];
    while (!["|", ")", undefined].includes(this.#source[this.#at])) parts.push(this.#term());
    if (!this.#isBackward) parts.reverse();
    const end: Matcher = (at, next) => next(at);
    return parts.reduce((rest, part) => (at, next) => part(at, (to) => rest(to, next)), end);
  }

  #term(): Matcher {
    const { length } = this.#text;
    if (this.#take("^")) return this.#assertion((at) => at === 0 || this.#isLineEnd(at - 1));
    if (this.#take("$")) return this.#assertion((at) => at === length || this.#isLineEnd(at));
    if (this.#take("\\b")) return this.#assertion((at) => this.#isWord(at - 1) !== this.#isWord(at));
    if (this.#take("\\B")) return this.#assertion((at) => this.#isWord(at - 1) === this.#isWord(at));
    const look = LOOKAROUNDS.find(({ start }) => this.#take(start));
    if (look) return this.#lookaround(look);
    return this.#quantified(this.#group() ?? this.#reference() ?? this.#character());
  }

  #assertion(holds: (at: number) => boolean): Matcher {
    return (at, next) => {
      this.run.steps++;
      return holds(at) && next(at);
    };
  }

  #lookaround({ isBackward, isNegative }: (typeof LOOKAROUNDS)[number]): Matcher {
    const outer = this.#isBackward;
    this.#isBackward = isBackward;
    const inner = this.alternatives();
    this.#isBackward = outer;
    this.#take(")");
    return this.#assertion((at) => inner(at, () => true) !== isNegative);
  }

  #group(): Part | undefined {
    const start = this.#read(GROUP);
    if (!start) return undefined;
    const names = start[0] === "(?:" ? [] : [String(++this.#groups), ...(start[1] ? [start[1]] : [])];
    const isBackward = this.#isBackward;
    const inner = this.alternatives();
    this.#take(")");
    const match: Matcher = (at, next) =>
      inner(at, (to) => {
        const before = names.map((name) => this.#captured.get(name));
        const text = isBackward ? this.#text.slice(to, at) : this.#text.slice(at, to);
        for (const name of names) this.#captured.set(name, text);
        if (next(to)) return true;
        names.forEach((name, index) => this.#captured.set(name, before[index]));
        return false;
      });
    return { match };
  }

  #reference(): Part | undefined {
    const [, number, name] = this.#read(REFERENCE) ?? [];
    const key = number ?? name;
    if (key === undefined) return undefined;
    const folded = (text: string): string => (this.#flags.includes("i") ? text.toLowerCase() : text);
    const isBackward = this.#isBackward;
    const match: Matcher = (at, next) => {
      this.run.steps++;
      const text = this.#captured.get(key) ?? "";
      const to = isBackward ? at - text.length : at + text.length;
      const found = this.#text.slice(Math.min(at, to), Math.max(at, to));
      return folded(found) === folded(text) && next(to);
    };
    return { match };
  }

  /** The engine itself decides of a single character whether it is meant. */
  #character(): Part {
    const [atom] = this.#read(/[uv]/.test(this.#flags) ? UNICODE_ATOM : ATOM)!;
    const one = new RegExp(`^${atom}$`, this.#flags.replace(/[dgmy]/g, ""));
    const known = new Map<string, boolean>();
    const isMeant = (char: string): boolean => {
      if (!known.has(char)) known.set(char, one.test(char));
      return known.get(char)!;
    };
    const isBackward = this.#isBackward;
    const step = (at: number): number | undefined => {
      this.run.steps++;
      const char = isBackward ? this.#charBefore(at) : this.#charAt(at);
      if (char === "" || !isMeant(char)) return undefined;
      return isBackward ? at - char.length : at + char.length;
    };
    const match: Matcher = (at, next) => {
      const to = step(at);
      return to !== undefined && next(to);
    };
    return { match, step };
  }

  #quantified(part: Part): Matcher {
    const [text, sign, low, comma, high, lazy] = this.#read(QUANTIFIER) ?? [];
    if (text === undefined) return part.match;
    const min = sign === undefined ? Number(low) : sign === "+" ? 1 : 0;
    const max = sign === undefined ? (comma ? Number(high || Infinity) : min) : sign === "?" ? 1 : Infinity;
    return this.#loop(part, { min, max, isLazy: lazy === "?" });
  }

  #loop({ match, step }: Part, { min, max, isLazy }: { min: number; max: number; isLazy: boolean }): Matcher {
    if (step) return isLazy ? lazyLoop(step, min, max) : this.#greedyLoop(step, min, max);
    const again = (count: number, at: number, next: (to: number) => boolean): boolean => {
      this.run.steps++;
      const more = (): boolean =>
        count < max && match(at, (to) => !(to === at && count >= min) && again(count + 1, to, next));
      const stop = (): boolean => count >= min && next(at);
      return isLazy ? stop() || more() : more() || stop();
    };
    return (at, next) => again(0, at, next);
  }

  /** In a separate loop, because of long texts. */
  #greedyLoop(step: NonNullable<Part["step"]>, min: number, max: number): Matcher {
    return (at, next) => {
      const ends = [at];
      for (let to = step(at); to !== undefined && ends.length <= max; to = step(to)) ends.push(to);
      while (ends.length > min) {
        this.run.steps++;
        if (next(ends.pop()!)) return true;
      }
      return false;
    };
  }

  #take(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #read(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #charAt(at: number): string {
    if (!/[uv]/.test(this.#flags)) return this.#text.charAt(at);
    const point = this.#text.codePointAt(at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  #charBefore(at: number): string {
    const wide = this.#charAt(at - 2);
    return wide.length === 2 ? wide : this.#text.charAt(at - 1);
  }

  #isWord = (at: number): boolean => /\w/.test(this.#text.charAt(at));
  #isLineEnd = (at: number): boolean =>
    this.#flags.includes("m") && /[\n\r\u2028\u2029]/.test(this.#text[at]!);
}

const lazyLoop =
  (step: NonNullable<Part["step"]>, min: number, max: number): Matcher =>
  (start, next) => {
    let at: number | undefined = start;
    for (let count = 0; at !== undefined && count <= max; count++) {
      if (count >= min && next(at)) return true;
      at = step(at);
    }
    return false;
  };
