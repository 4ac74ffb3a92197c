import type { CheckSummary, CompletedScan, PairCounts } from "@glovebox/contract";
import { CATEGORIES, CATEGORY_KEYS, type Category } from "@glovebox/contract/categories";
import { visibleText } from "@glovebox/contract/visible-text";
import { scopeText } from "@glovebox/domain";
import type { ReactNode } from "react";
import { Panel } from "../parts/page.tsx";
import { Notice } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import styles from "./report.module.css";

/** What was and what was not tested: the first thing to know about a grade. */
export function CoveragePanel({ scan }: { scan: CompletedScan }): ReactNode {
  const { coverage, summary, perimeterOnly, notes } = scan;
  const scope = scopeText(scan.scope);
  return (
    <Panel title="What was tested" note={`${scan.statistics.requests.toLocaleString("en")} requests`}>
      {perimeterOnly && (
        <Notice tone="warning">
          Few operations responded. Little more than the rejection of unauthenticated requests was tested.
        </Notice>
      )}
      {summary && <p className={styles["prose"]}>{visibleText(summary)}</p>}
      {scope && <p className={styles["prose"]}>{visibleText(scope)}</p>}
      <div className={styles["shares"]}>
        <Share label="Of everything applicable" share={coverage.overall} />
        <Share label="Of the operations" share={coverage.operations} />
        <Share label="Of the categories" share={coverage.categories} />
        <Share label="Operations that responded" share={coverage.reached} />
      </div>
      <CategoryCoverage scan={scan} />
      {notes.length > 0 && (
        <ul className={styles["notes"]} aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Share({ label, share }: { label: string; share: number | undefined }): ReactNode {
  if (share === undefined) return null;
  const percent = Math.floor(share * 100);
  return (
    <div>
      <div className={styles["shareHead"]}>
        <span>{label}</span>
        <strong>{percent} %</strong>
      </div>
      <div className={styles["meter"]} aria-hidden="true">
        <div style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

interface Row {
  readonly key: Category;
  readonly reason: string | undefined;
  readonly checks: readonly CheckSummary[];
}

/** Each category with how much of it was decided, and why the rest was not. */
function CategoryCoverage({ scan }: { scan: CompletedScan }): ReactNode {
  const byCategory = Map.groupBy(scan.checks, ({ category }) => category);
  const rows = CATEGORY_KEYS.map((key) => ({
    key,
    reason: scan.categories[key].reason,
    checks: byCategory.get(key) ?? [],
  }));
  const pairsOf = (key: Category) => scan.coverage.pairs?.[key];
  const columns: Column<Row>[] = [
    { label: "Category", cell: ({ key }) => CATEGORIES[key].title },
    {
      label: "Tested",
      isNumber: true,
      cell: ({ key }) => shareText(pairsOf(key)),
    },
    { label: "Behind a refusal", isNumber: true, cell: ({ key }) => pairsOf(key)?.perimeter ?? "–" },
    { label: "Not tested, because", cell: (row) => <Reasons row={row} /> },
  ];
  return (
    <details>
      <summary>By category, and why something was not tested</summary>
      <Table caption="Coverage of each category" columns={columns} rows={rows} keyOf={({ key }) => key} />
    </details>
  );
}

/** Older reports have counts alone. */
function shareText(pairs: PairCounts | undefined): string {
  if (!pairs) return "Does not apply";
  const { applicable, decided, share } = pairs;
  return share === undefined
    ? `${decided} of ${applicable}`
    : `${Math.floor(share * 100)} % of ${applicable.toLocaleString("en")}`;
}

function Reasons({ row: { reason, checks } }: { row: Row }): ReactNode {
  const undecided = checks.filter(({ inconclusive }) => inconclusive > 0).flatMap(({ reasons }) => reasons);
  const reasons = [...new Set(reason ? [reason, ...undecided] : undecided)];
  if (reasons.length === 0) return "–";
  return reasons.length === 1 ? (
    visibleText(reasons[0]!)
  ) : (
    <ul>
      {reasons.slice(0, 5).map((each) => (
        <li key={each}>{visibleText(each)}</li>
      ))}
    </ul>
  );
}
