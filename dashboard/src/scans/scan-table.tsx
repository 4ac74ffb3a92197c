import { visibleText } from "@glovebox/contract/visible-text";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { GradeBadge, ScanBadge } from "../parts/badges.tsx";
import { Checkbox } from "../parts/form.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import type { Selection } from "../parts/use-selection.ts";
import type { Outputs } from "../trpc.ts";

type ScanItem = Outputs["scans"]["search"]["items"][number];

/** Scans, each a link to its page; with a selection, also with checkboxes. */
export function ScanTable({
  scans,
  selection,
}: {
  scans: readonly ScanItem[];
  selection?: Selection<string>;
}): ReactNode {
  const columns: Column<ScanItem>[] = [
    ...(selection ? [selectColumn(selection)] : []),
    {
      label: "Target",
      cell: ({ id, url }) => (
        <Link to="/scans/$scanId" params={{ scanId: id }}>
          {visibleText(url)}
        </Link>
      ),
    },
    { label: "Status", cell: ({ status }) => <ScanBadge status={status} /> },
    { label: "Grade", cell: ({ grade }) => <GradeBadge grade={grade} /> },
    { label: "Score", isNumber: true, cell: ({ score }) => score ?? "–" },
    {
      label: "Findings",
      isNumber: true,
      cell: ({ status, findingsCount }) => (status === "completed" ? findingsCount : "–"),
    },
    { label: "Started", cell: ({ createdAt }) => formatTime(createdAt) },
  ];
  return <Table caption="Scans" columns={columns} rows={scans} keyOf={({ id }) => id} />;
}

const selectColumn = ({ selected, toggle }: Selection<string>): Column<ScanItem> => ({
  label: "",
  cell: ({ id, url, status }) => (
    <Checkbox
      label={<span className="visually-hidden">Compare {url}</span>}
      checked={selected.includes(id)}
      disabled={status !== "completed" || (selected.length >= 2 && !selected.includes(id))}
      onChange={() => toggle(id)}
    />
  ),
});
