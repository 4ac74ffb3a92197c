import { CLASSES, CONTROLS, one, pick, range, Unsupported, type Characters } from "./characters.ts";

const MAX_PATTERN = 500;
const MAX_LENGTH = 1_000;
const MAX_NESTING = 30;

/**
 * A text made by reading the pattern, because an expression of a document is never run: some take forever. Undefined
 * for unsupported syntax (back references, and lookarounds except those of password rules).
 */
export function textMatching(
  pattern: string,
  {
    minLength = 0,
    maxLength = MAX_LENGTH,
  }: { readonly minLength?: number; readonly maxLength?: number } = {},
): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  // Lookaheads in documents require several character classes, as password rules do.
  if (/\(\?=/.test(pattern)) return STRONG_PASSWORD.padEnd(minLength, STRONG_PASSWORD).slice(0, maxLength);
  try {
    const make = new PatternReader(pattern).read();
    return withLength(make, minLength, maxLength);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

const STRONG_PASSWORD = "Glove-Box_4711!";

/** Parts that may repeat without end do so more and more often until the text is long enough. */
function withLength(make: Maker, minLength: number, maxLength: number): string | undefined {
  for (const times of [1, 0, ...Array.from({ length: Math.min(minLength, 300) }, (_, more) => more + 2)]) {
    const text = make(times);
    if (text.length >= minLength && text.length <= maxLength) return text;
  }
  return undefined;
}

/** The text, with what may repeat as often as it likes repeated this often. */
type Maker = (times: number) => string;

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #nesting = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): Maker {
    const make = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Unsupported();
    return (times) => {
      const text = make(times);
      if (text.length > MAX_LENGTH) throw new Unsupported();
      return text;
    };
  }

  #alternatives(): Maker {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) throw new Unsupported();
    const first = this.#sequence();
    while (this.#takes("|")) this.#sequence();
    this.#nesting -= 1;
    return first;
  }

  #sequence(): Maker {
    const parts: Maker[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at]!)) {
      const part = this.#atom();
      parts.push(this.#repeated(part));
    }
    return (times) => {
      let text = "";
      for (const part of parts) {
        text += part(times);
        if (text.length > MAX_LENGTH) throw new Unsupported();
      }
      return text;
    };
  }

  #atom(): Maker {
    if (this.#takes("^") || this.#takes("$")) return () => "";
    if (this.#takes("(")) return this.#group();
    if (this.#takes("[")) return constant(pick(this.#set()));
    if (this.#takes(".")) return constant("a");
    if (this.#takes("\\")) return this.#escaped();
    const literal = this.#next();
    if (/[*+?{]/.test(literal)) throw new Unsupported();
    return constant(literal);
  }

  #group(): Maker {
    if (this.#takes("?:") || this.#skips(/^\?<\w+>/)) return this.#closed();
    if (this.#pattern[this.#at] === "?") throw new Unsupported();
    return this.#closed();
  }

  #closed(): Maker {
    const inner = this.#alternatives();
    if (!this.#takes(")")) throw new Unsupported();
    return inner;
  }

  #escaped(): Maker {
    if (/[bBk1-9]/.test(this.#pattern[this.#at] ?? "")) {
      if (this.#takes("b")) return () => "";
      throw new Unsupported();
    }
    return constant(pick(this.#escape()));
  }

  /** The characters that an escape stands for; the backslash has been read. */
  #escape(): Characters {
    const unicode = this.#skips(/^(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/i);
    if (unicode)
      return one(String.fromCodePoint(Number.parseInt(unicode[1] ?? unicode[2] ?? unicode[3]!, 16)));
    const property = this.#skips(/^p\{(?:\w+=)?(Lu|Uppercase|L|Ll|Letter|Alphabetic|N|Nd)\w*\}/);
    if (property)
      return /^(Lu|Uppercase)$/.test(property[1]!)
        ? one("A")
        : CLASSES[property[1]!.startsWith("N") ? "d" : "w"]!;
    if (/[pP]/.test(this.#pattern[this.#at] ?? "")) throw new Unsupported();
    const letter = this.#next();
    return CLASSES[letter] ?? one(CONTROLS[letter] ?? letter);
  }

  #set(): Characters {
    const negated = this.#takes("^");
    const sets: Characters[] = [];
    while (!this.#takes("]")) {
      const from = this.#member();
      const isRange = this.#pattern[this.#at] === "-" && this.#pattern[this.#at + 1] !== "]";
      if (!isRange || from.single === undefined) {
        sets.push(from);
        continue;
      }
      this.#at += 1;
      const to = this.#member().single;
      if (to === undefined) throw new Unsupported();
      sets.push(range(from.single, to));
    }
    const has = (character: string): boolean => sets.some((set) => set.has(character)) !== negated;
    return { has, likely: negated ? "" : sets.map(({ likely }) => likely).join("") };
  }

  #member(): Characters {
    if (this.#takes("\\")) return this.#escape();
    return one(this.#next());
  }

  #repeated(part: Maker): Maker {
    const bounds = this.#skips(/^\{(\d+)(,?)(\d*)\}/);
    const [min, max] = bounds
      ? [Number(bounds[1]), bounds[2] === "" ? Number(bounds[1]) : Number(bounds[3] || Infinity)]
      : this.#takes("*")
        ? [0, Infinity]
        : this.#takes("+")
          ? [1, Infinity]
          : this.#takes("?")
            ? [0, 1]
            : [1, 1];
    if (min !== 1 || max !== 1) this.#takes("?"); // a lazy one matches the same texts
    if (min > MAX_LENGTH) throw new Unsupported();
    return (times) => {
      const count = Math.max(min, Math.min(max, times));
      const text = count === 0 ? "" : part(times);
      if (text.length * count > MAX_LENGTH) throw new Unsupported();
      return text.repeat(count);
    };
  }

  #next(): string {
    const character = this.#pattern[this.#at];
    if (character === undefined) throw new Unsupported();
    this.#at += 1;
    return character;
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #skips(known: RegExp): RegExpExecArray | undefined {
    const found = known.exec(this.#pattern.slice(this.#at)) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

const constant =
  (text: string): Maker =>
  () =>
    text;
