import { visibleText } from "@glovebox/contract/visible-text";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge, GradeBadge, SeverityBadge, type Tone } from "../parts/badges.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { trpc, type Outputs } from "../trpc.ts";

type Comparison = Outputs["scans"]["compare"];
type Difference = Comparison["differences"][number];
type Outcome = Difference["is"];
const OUTCOMES: Record<Outcome, { readonly title: string; readonly tone: Tone }> = {
  new: { title: "New", tone: "critical" },
  changed: { title: "Changed", tone: "medium" },
  fixed: { title: "Fixed", tone: "good" },
  "not retested": { title: "Not retested", tone: "neutral" },
  unchanged: { title: "Unchanged", tone: "low" },
};

const SCAN_COLUMNS: Column<Comparison["older"]>[] = [
  {
    label: "Scan",
    cell: ({ id, createdAt }) => (
      <Link to="/scans/$scanId" params={{ scanId: id }}>
        {formatTime(createdAt)}
      </Link>
    ),
  },
  { label: "Grade", cell: ({ grade }) => <GradeBadge grade={grade} /> },
  { label: "Score", isNumber: true, cell: ({ score }) => score },
];

/** What became of each finding from one scan to a later one. */
export function ComparePage(): ReactNode {
  const { older = "", newer = "" } = useSearch({ from: "/compare" });
  const query = useQuery(trpc.scans.compare.queryOptions({ ids: [older, newer] }));
  return (
    <Page title="Compare two scans" back={<Link to="/scans">All scans</Link>}>
      <Loaded query={query}>
        {({ older: before, newer: after, differences }) => (
          <>
            <Panel title="The two scans" flush>
              <Table
                caption="The two scans"
                columns={SCAN_COLUMNS}
                rows={[before, after]}
                keyOf={({ id }) => id}
              />
            </Panel>
            {(Object.keys(OUTCOMES) as Outcome[]).map((outcome) => (
              <Outcomes key={outcome} outcome={outcome} all={differences} />
            ))}
            {differences.length === 0 && <Empty title="Neither scan has findings" />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Outcomes({ outcome, all }: { outcome: Outcome; all: readonly Difference[] }): ReactNode {
  const rows = all.filter(({ is }) => is === outcome);
  if (rows.length === 0) return null;
  const { title, tone } = OUTCOMES[outcome];
  const columns: Column<Difference>[] = [
    { label: "Severity", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    { label: "Finding", cell: ({ title }) => visibleText(title) },
    { label: "Location", cell: ({ location }) => <code>{visibleText(location)}</code> },
    ...(rows.some(({ detail }) => detail)
      ? [{ label: "What changed", cell: ({ detail }: Difference) => visibleText(detail ?? "–") }]
      : []),
  ];
  return (
    <Panel title={title} actions={<Badge tone={tone}>{rows.length}</Badge>} flush>
      <Table caption={title} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Panel>
  );
}
