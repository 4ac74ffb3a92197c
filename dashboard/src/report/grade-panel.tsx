import type { CompletedScan, Scoring } from "@glovebox/contract";
import { CATEGORIES } from "@glovebox/contract/categories";
import { visibleText } from "@glovebox/contract/visible-text";
import type { ReactNode } from "react";
import { ConfidenceBadge, GradeBadge, SeverityBadge } from "../parts/badges.tsx";
import { Panel } from "../parts/page.tsx";
import { Table, type Column } from "../parts/table.tsx";
import styles from "./report.module.css";
import type { TriagedScore } from "./triaged-score.ts";

export interface GradePanelProps {
  readonly scan: CompletedScan;
  readonly triaged: TriagedScore | undefined;
}

/** The grade, with and without what was triaged, and every deduction that led to it. */
export function GradePanel({ scan, triaged }: GradePanelProps): ReactNode {
  const { grade, score, scoring } = scan;
  const limits = scoring.limits ?? [];
  return (
    <Panel title="Grade and why">
      <div className={styles["hero"]}>
        <GradeBadge grade={grade} size="large" />
        <div>
          <p>
            The categories average <strong>{scoring.weightedMean.toFixed(1)}</strong> points of 100, by
            weight.{" "}
            {limits.length === 0
              ? `Nothing limits them: the score is ${score}.`
              : `What limits them leaves a score of ${score}.`}
          </p>
          {triaged && <WithoutTriaged triaged={triaged} />}
          <ul className={styles["notes"]}>
            {limits.map(({ by, deducted, reason }) => (
              <li key={by}>
                <strong>−{deducted.toFixed(1)}</strong> {visibleText(reason)}
              </li>
            ))}
          </ul>
        </div>
      </div>
      {scoring.deductions.length > 0 && <Deductions scan={scan} />}
    </Panel>
  );
}

const WithoutTriaged = ({ triaged: { score, grade, count } }: { triaged: TriagedScore }): ReactNode => (
  <p>
    Without {count === 1 ? "the finding that is" : `the ${count} findings that are`} accepted or false
    positive, the score is <strong>{score}</strong> and the grade <strong>{grade}</strong>.
  </p>
);

function Deductions({ scan }: { scan: CompletedScan }): ReactNode {
  const titles = new Map(scan.findings.map(({ id, title }) => [id, title]));
  const columns: Column<Scoring["deductions"][number]>[] = [
    { label: "Severity", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    {
      label: "Finding",
      cell: ({ finding }) => (
        <a href={`#finding-${finding}`}>{visibleText(titles.get(finding) ?? finding)}</a>
      ),
    },
    { label: "Confidence", cell: ({ confidence }) => <ConfidenceBadge confidence={confidence} /> },
    { label: "Locations", isNumber: true, cell: ({ places }) => places ?? 1 },
    { label: "Category", cell: ({ category }) => CATEGORIES[category].title },
    { label: "Points", isNumber: true, cell: ({ points }) => `−${points.toFixed(1)}` },
  ];
  return (
    <details>
      <summary>
        {scan.scoring.deductions.length} {scan.scoring.deductions.length === 1 ? "deduction" : "deductions"}{" "}
        from categories
      </summary>
      <Table
        caption="Deductions from the scores of categories"
        columns={columns}
        rows={scan.scoring.deductions}
        keyOf={({ finding, category }) => `${category} ${finding}`}
      />
    </details>
  );
}
