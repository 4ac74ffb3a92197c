/**
 * Text of a target made safe for a terminal: control characters, escape sequences and marks that turn the reading
 * direction come out as their code points, so that a hostile API cannot repaint the report.
 */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (character) =>
      character === "\n" || character === "\t" ? " " : `\\u{${character.codePointAt(0)!.toString(16)}}`,
    );

/** One word of a shell's command line, whatever characters it has. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
