/**
 * Text of a target in one line: control characters, escape sequences, bidirectional marks and what XML forbids are replaced by their
 * code points, so that a hostile API cannot manipulate the output.
 */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu, (character) =>
      character === "\n" || character === "\t" ? " " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
    );

/** The lines of a text, each as `plainText` makes it. */
export const plainLines = (text: string): string[] => text.split(/\r\n|\n/).map(plainText);

/** The beginning of a text, at most so many characters of it. */
export const beginning = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Such as `1 place` and `3 places`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
