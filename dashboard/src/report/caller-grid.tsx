import type { AccessOfCallers, AccessViolation, CompletedScan, Finding } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import { callersIn, filteredGrid, findingsByInstance, violationsOf } from "@glovebox/domain";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { Panel } from "../parts/page.tsx";
import { Pager } from "../parts/paged.tsx";
import { Empty } from "../parts/states.tsx";
import { ACCESS_LABELS } from "../parts/words.ts";
import styles from "./access-grid.module.css";

type Graded = Pick<CompletedScan, "accessByCaller" | "identities" | "findings">;

const TITLE = "Access by caller";
/** Rows that are in the page at once. */
const PAGE_SIZE = 100;

/** What each identity, and a caller without credentials, gets from each operation. */
export const CallerGridPanel = ({ scan }: { scan: Graded }): ReactNode =>
  scan.accessByCaller && scan.accessByCaller.length > 0 ? (
    <CallerGrid grid={scan.accessByCaller} scan={scan} />
  ) : (
    <Panel title={TITLE}>
      <Empty
        title="This scan had no identities"
        action={<Link to="/scans/new">Start a scan with identities</Link>}
      >
        Scan as two users or more to see which of them get what they must not.
      </Empty>
    </Panel>
  );

function CallerGrid({ grid, scan }: { grid: readonly AccessOfCallers[]; scan: Graded }): ReactNode {
  const [filter, setFilter] = useState({ isViolated: false, text: "" });
  const [page, setPage] = useState(1);
  const change = (changed: Partial<typeof filter>): void => {
    setFilter((before) => ({ ...before, ...changed }));
    setPage(1);
  };
  const rows = filteredGrid(grid, filter);
  const violated = filteredGrid(grid, { isViolated: true, text: "" }).length;
  return (
    <Panel
      title={TITLE}
      note="What each operation returns to each caller. Different data: a success with other data than the baseline identity gets."
      flush
      id="access"
    >
      <FilterBar
        search={{ label: "Operation contains", value: filter.text, onChange: (text) => change({ text }) }}
      >
        <Button
          look={filter.isViolated ? "primary" : "plain"}
          aria-pressed={filter.isViolated}
          onClick={() => change({ isViolated: !filter.isViolated })}
        >
          Violations {violated}
        </Button>
      </FilterBar>
      {rows.length === 0 ? (
        <Empty title={filter.isViolated && violated === 0 ? "No violations" : "No operation matches"}>
          {violated === 0 && filter.isViolated && "No caller got what it must not, among what was called."}
        </Empty>
      ) : (
        <GridTable rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)} grid={grid} scan={scan} />
      )}
      <Pager page={page} pageSize={PAGE_SIZE} total={rows.length} hasMore={false} onPage={setPage} />
    </Panel>
  );
}

interface GridTableProps {
  readonly rows: readonly AccessOfCallers[];
  /** All of them: the columns stay when rows are filtered. */
  readonly grid: readonly AccessOfCallers[];
  readonly scan: Graded;
}

function GridTable({ rows, grid, scan: { identities = [], findings } }: GridTableProps): ReactNode {
  const callers = callersIn(grid);
  const findingOf = findingsByInstance(findings);
  return (
    <div className={styles["scroller"]} tabIndex={0} role="region" aria-label={TITLE}>
      <table className={styles["grid"]}>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            {callers.map((caller) => (
              <th key={caller} scope="col">
                {caller}
                <span className={styles["role"]}>{identities.find(({ name }) => name === caller)?.role}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.method} ${row.path}`}>
              <th scope="row">{visibleText(`${row.method} ${row.path}`)}</th>
              {callers.map((caller) => (
                <CallerCell key={caller} {...{ row, caller, findingOf }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CallerCellProps {
  readonly row: AccessOfCallers;
  readonly caller: string;
  readonly findingOf: ReadonlyMap<string, Finding>;
}

function CallerCell({ row, caller, findingOf }: CallerCellProps): ReactNode {
  const access = row.access[caller] ?? "notCalled";
  const violations = violationsOf(row, caller);
  return (
    <td
      className={
        violations.length > 0 ? styles["violation"] : access === "allowed" ? undefined : styles["withheld"]
      }
    >
      {ACCESS_LABELS[access]}
      {violations.map((violation, index) => (
        <div key={index}>{violationInWords(violation, findingOf)}</div>
      ))}
    </td>
  );
}

function violationInWords(
  { finding, expectation }: AccessViolation,
  findingOf: ReadonlyMap<string, Finding>,
): ReactNode {
  if (finding === undefined) return `Expected: ${expectation === "allow" ? "allowed" : "refused"}`;
  const named = findingOf.get(finding);
  if (!named) return "Finding";
  return (
    <a href={`#finding-${named.id}`}>
      Finding<span className="visually-hidden"> {visibleText(named.title)}</span>
    </a>
  );
}
