import { visibleText } from "@glovebox/contract";

/** Text of a target in one line; what is invisible in it is shown, so that a hostile API cannot manipulate the output. */
export const plainText = (text: string): string =>
  visibleText(text.toWellFormed().replaceAll(/[\n\t]/g, " "));

/** The lines of a text, each as `plainText` makes it. */
export const plainLines = (text: string): string[] => text.split(/\r\n|\n/).map(plainText);

/** The beginning of a text, at most this many characters of it. */
export const beginning = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Such as `1 location` and `3 locations`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
