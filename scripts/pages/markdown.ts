/** A table in GitHub's Markdown. Cells are text: a pipe or a line break in one does not end it. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Blocks of a page with an empty line between each two; undefined ones are left out. */
export function page(...blocks: readonly (string | undefined)[]): string {
  return `${blocks.filter((block) => block !== undefined).join("\n\n")}\n`;
}

const cell = (content: string | number): string =>
  String(content)
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ");
