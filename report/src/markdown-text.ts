import { plainLines, plainText } from "./text.ts";

/**
 * Text of a target in Markdown: what CommonMark and GitHub's tables, links, mentions and HTML give a meaning to is escaped. A mention
 * or an address without angle brackets would still be linked, so `@`, `#` and `:` become references to their characters.
 */
export const markdownText = (text: string): string =>
  plainText(text)
    .trim()
    .replaceAll(/[\\`*_{}[\]()<>~|!$^]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll(/[@#]|:(?=\/\/)|(?<=\bwww)\./gi, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/^(\s*)([-+=])/, "$1\\$2")
    .replace(/^(\s*\d{1,9})([.)])/, "$1\\$2");

/** In a code span: the fence is longer than any run of backticks inside (CommonMark, section 6.1). */
export function codeSpan(text: string): string {
  const plain = plainText(text);
  const fence = "`".repeat(longestRun(plain) + 1);
  const space = /^[` ]|[` ]$/.test(plain) ? " " : "";
  return plain === "" ? "" : `${fence}${space}${plain}${space}${fence}`;
}

/** A code block. */
export function codeBlock(text: string, language = "sh"): string {
  const plain = plainLines(text).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(plain) + 1));
  return `${fence}${language}\n${plain}\n${fence}`;
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
