import { plainText } from "@glovebox/report";

export type Colour = "bold" | "dim" | "red" | "yellow" | "green" | "cyan" | "magenta";
/** Colours a text, or returns it as it is where colours are off. */
export type Paint = (colour: Colour, text: string) => string;

/** How a report is printed. */
export interface Print {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  readonly verbose: boolean;
}

/** Broken between words into lines of this many columns, each behind the indent; a longer word has its own line. */
export function wrapped(text: string, { width, indent = "" }: { width: number; indent?: string }): string {
  const lines: string[] = [];
  for (const word of plainText(text)
    .split(/\s+/)
    .filter((each) => each !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => indent + line).join("\n");
}

/** In one line of at most this many characters. */
export function cut(text: string, length: number): string {
  const line = plainText(text);
  return line.length <= length ? line : `${line.slice(0, Math.max(0, length - 1)).toWellFormed()}…`;
}

/** The columns of a terminal, or of paper where there is none; wide lines are hard to read. */
export const columnsOf = ({ columns }: { columns?: number }): number =>
  Math.min(140, Math.max(60, columns ?? 100));
