import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { usePermission } from "../session/use-session.ts";
import { trpc } from "../trpc.ts";
import { runInWords } from "./next-run.ts";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleDialog } from "./schedule-form.tsx";
import { RunOutcome, RunsDialog } from "./schedule-runs.tsx";
import type { ScheduleItem } from "./schedule-values.ts";

/** The schedules of the account. */
export function SchedulesPage(): ReactNode {
  const query = useQuery(trpc.schedules.list.queryOptions({}));
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<ScheduleItem>();
  const mayWrite = usePermission("schedules:write");
  const columns = columnsOf({ now: new Date(), mayWrite, onRuns: setShown });
  return (
    <Page
      title="Schedules"
      lead="Scans that start by themselves. Each counts against the plan, as one that is started by hand."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a schedule
          </Button>
        )
      }
    >
      <Panel title="All schedules" flush>
        <Loaded query={query}>
          {(schedules) =>
            schedules.length === 0 ? (
              <Empty title="No schedules yet">A schedule shows how an API changes from scan to scan.</Empty>
            ) : (
              <Table caption="Schedules" columns={columns} rows={schedules} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      {isCreating && <ScheduleDialog onClose={() => setCreating(false)} />}
      {shown && <RunsDialog schedule={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

interface ColumnOptions {
  readonly now: Date;
  readonly mayWrite: boolean;
  readonly onRuns: (schedule: ScheduleItem) => void;
}

const columnsOf = ({ now, mayWrite, onRuns }: ColumnOptions): Column<ScheduleItem>[] => [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  { label: "Target", cell: ({ url }) => url },
  { label: "Expression", cell: ({ schedule }) => <code>{schedule}</code> },
  { label: "Next run", cell: (schedule) => <NextRun schedule={schedule} now={now} /> },
  { label: "Last run", cell: ({ lastRun }) => (lastRun ? <RunOutcome run={lastRun} /> : "None yet") },
  {
    label: "Runs",
    cell: (schedule) => (
      <Button size="small" onClick={() => onRuns(schedule)}>
        Show<span className="visually-hidden"> the runs of {schedule.name}</span>
      </Button>
    ),
  },
  ...(mayWrite ? [ACTIONS] : []),
];

const ACTIONS: Column<ScheduleItem> = {
  label: "",
  cell: (schedule) => <ScheduleActions schedule={schedule} />,
};

function NextRun({ schedule, now }: { schedule: ScheduleItem; now: Date }): ReactNode {
  const { suspend, nextRunAt, timeZone } = schedule;
  if (suspend) return <Badge tone="neutral">Suspended</Badge>;
  return nextRunAt === null ? "Never" : runInWords(nextRunAt, timeZone, now);
}
