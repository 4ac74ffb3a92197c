/** The rows of the table under a heading of a Markdown file, sorted, without their outer bars: `a | b`. */
export function rowsUnder(markdown: string, heading: string): string[] {
  const [, section = ""] = markdown.split(`## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  const [, , ...rows] = own.split("\n").filter((line) => line.startsWith("|"));
  return rows
    .map((row) =>
      row
        .split(" | ")
        .map((cell) => cell.replace(/^\| | *\|$/g, "").trim())
        .join(" | "),
    )
    .toSorted();
}
