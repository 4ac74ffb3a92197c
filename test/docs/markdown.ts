/** A fenced code block: its language, the rest of the info string, and its text. */
export interface Block {
  readonly language: string;
  readonly note: string;
  readonly text: string;
}

export const blocksOf = (page: string): Block[] =>
  [...page.matchAll(/^```(\w+)[ ]?(.*)\n([\s\S]*?)^```$/gm)].map(([, language, note, text]) => ({
    language: language!,
    note: note!,
    text: text!,
  }));

const withoutBlocks = (page: string): string => page.replaceAll(/^```[\s\S]*?^```$/gm, "");

/** Targets of links to files and headings of this repository. */
export const linksOf = (page: string): string[] =>
  [...withoutBlocks(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target]) => target!);

export const headingsOf = (page: string): string[] =>
  [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

/** The anchor that GitHub generates for a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The rows of the table with this first column heading, without the heading row. */
export function tableOf(page: string, firstHeading: string): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeading} |`));
  if (start < 0) throw new Error(`no table has the first column "${firstHeading}"`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
