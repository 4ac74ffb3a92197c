export type Columns<Row> = readonly (readonly [title: string, cell: (row: Row) => string])[];

/** A table with a line of titles and one for each row. */
export function renderColumns<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = columns.map(([title, cell]) => padded([title, ...rows.map(cell)]));
  const lines = cells[0]!.map((_, line) => cells.map((column) => column[line]).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function padded(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell) => cell.padEnd(width));
}
