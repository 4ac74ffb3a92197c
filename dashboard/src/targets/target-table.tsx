import { ACTIVE_STATUSES } from "@glovebox/domain";
import { SEVERITIES, type Severity } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { GradeBadge, SeverityBadge } from "../parts/badges.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { totalOf } from "../parts/words.ts";
import type { Outputs } from "../trpc.ts";

type TargetRow = Outputs["targets"]["list"]["items"][number];

/** Targets with their last grade and how it came about. */
export const TargetTable = ({ targets }: { targets: readonly TargetRow[] }): ReactNode => (
  <Table caption="Targets" columns={COLUMNS} rows={targets} keyOf={({ id }) => String(id)} />
);

const COLUMNS: Column<TargetRow>[] = [
  {
    label: "Target",
    cell: ({ id, url }) => (
      <Link to="/targets/$targetId" params={{ targetId: String(id) }}>
        {visibleText(url)}
      </Link>
    ),
  },
  { label: "Grade", cell: ({ grade }) => <GradeBadge grade={grade} /> },
  { label: "Score", isNumber: true, cell: ({ score }) => score ?? "–" },
  {
    label: "Tested",
    isNumber: true,
    cell: ({ coverage }) =>
      coverage?.overall === undefined ? "–" : `${Math.floor(coverage.overall * 100)} %`,
  },
  { label: "Open findings", cell: ({ id, open }) => <OpenFindings target={id} open={open} /> },
  { label: "Last change", cell: ({ changedAt }) => formatTime(changedAt) },
];

/** The worst severity with its number, as a link to the findings. */
function OpenFindings({
  target,
  open,
}: {
  target: number;
  open: Readonly<Record<Severity, number>> | null;
}): ReactNode {
  const worst = open && SEVERITIES.find((severity) => open[severity] > 0);
  if (!worst) return open ? "None" : "–";
  return (
    <Link to="/findings" search={{ target, status: [...ACTIVE_STATUSES] }}>
      {totalOf(open)} <SeverityBadge severity={worst} />
    </Link>
  );
}
