import type { ReactNode } from "react";
import styles from "./table.module.css";

export interface Column<Row> {
  /** Its heading; the empty text for a column of controls, which then needs separate labels. */
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** The heading sorts by it. */
  readonly sort?: { readonly direction: "ascending" | "descending" | undefined; readonly toggle: () => void };
}

export interface TableProps<Row> {
  /** What the table lists, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table; on a narrow screen each row is a card. `j` and `k` move through the first link of each row. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>): ReactNode {
  return (
    <div className={styles["scroller"]}>
      {/* Without the roles, cards are not a table to CSS, and therefore not to assistive technology. */}
      <table className={styles["table"]} role="table">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column, index) => (
              <Heading key={column.label || index} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" data-row="">
              {columns.map(({ label, cell, isNumber }, index) => (
                <td
                  key={label || index}
                  role="cell"
                  data-label={label}
                  className={isNumber ? styles["number"] : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Heading<Row>({ column: { label, isNumber, sort } }: { column: Column<Row> }): ReactNode {
  const className = isNumber ? styles["number"] : undefined;
  if (label === "")
    return (
      <td role="columnheader" className={className}>
        <span className="visually-hidden">Actions</span>
      </td>
    );
  if (!sort)
    return (
      <th scope="col" role="columnheader" className={className}>
        {label}
      </th>
    );
  const arrow = sort.direction === undefined ? "↕" : sort.direction === "ascending" ? "↑" : "↓";
  return (
    <th scope="col" role="columnheader" className={className} aria-sort={sort.direction ?? "none"}>
      <button type="button" onClick={sort.toggle}>
        {label} <span aria-hidden="true">{arrow}</span>
      </button>
    </th>
  );
}
