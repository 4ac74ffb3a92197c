import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Panel } from "../parts/page.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { NextRun } from "./next-run.tsx";
import type { ScheduleItem } from "@glovebox/contract/schedules";
import { useSchedules } from "./use-schedules.ts";

/** When the target is scanned next, by the schedules of this address; nothing where there are none. */
export function TargetSchedules({ url }: { url: string }): ReactNode {
  const { query } = useSchedules();
  const own = (query.data ?? []).filter((schedule) => schedule.url === url);
  if (own.length === 0) return null;
  return (
    <Panel title="Next scans" flush>
      <Table caption="Next scans" columns={columnsAt(new Date())} rows={own} keyOf={({ id }) => id} />
    </Panel>
  );
}

const columnsAt = (now: Date): Column<ScheduleItem>[] => [
  { label: "Schedule", cell: ({ name }) => <Link to="/schedules">{name}</Link> },
  { label: "Next run", cell: (schedule) => <NextRun schedule={schedule} now={now} /> },
];
