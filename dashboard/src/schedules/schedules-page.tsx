import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { PlansWith } from "../plans/plans-with.tsx";
import { usePermission } from "../session/use-session.ts";
import { NextRun } from "./next-run.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleDialog } from "./schedule-form.tsx";
import { SignsInAs } from "./schedule-identity.tsx";
import { RunOutcome, RunsDialog } from "./schedule-runs.tsx";
import type { ScheduleItem } from "@glovebox/contract/schedules";
import { useSchedules } from "./use-schedules.ts";

/** The schedules of the account. */
export function SchedulesPage(): ReactNode {
  const { query, isIncluded } = useSchedules();
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<ScheduleItem>();
  const mayWrite = usePermission("schedules:write");
  const columns = columnsOf({ now: new Date(), mayWrite, onRuns: setShown });
  return (
    <Page
      title="Schedules"
      lead="Scans that start by themselves. Each counts against the plan, as one that is started by hand."
      actions={
        mayWrite &&
        isIncluded && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a schedule
          </Button>
        )
      }
    >
      <Panel title="All schedules" flush>
        {isIncluded === false ? (
          <Empty title="The plan does not include schedules">
            <PlansWith feature="schedules" />
          </Empty>
        ) : (
          <Loaded query={query}>
            {(schedules) => <ScheduleList schedules={schedules} columns={columns} />}
          </Loaded>
        )}
      </Panel>
      {isCreating && <ScheduleDialog onClose={() => setCreating(false)} />}
      {shown && <RunsDialog schedule={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const ScheduleList = ({
  schedules,
  columns,
}: {
  schedules: readonly ScheduleItem[];
  columns: Column<ScheduleItem>[];
}): ReactNode =>
  schedules.length === 0 ? (
    <Empty title="No schedules yet">A schedule shows how an API changes from scan to scan.</Empty>
  ) : (
    <Table caption="Schedules" columns={columns} rows={schedules} keyOf={({ id }) => id} />
  );

const columnsOf = ({
  now,
  mayWrite,
  onRuns,
}: {
  readonly now: Date;
  readonly mayWrite: boolean;
  readonly onRuns: (schedule: ScheduleItem) => void;
}): Column<ScheduleItem>[] => [
  { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
  {
    label: "Target",
    cell: (schedule) => (
      <>
        {schedule.url}
        <SignsInAs schedule={schedule} />
      </>
    ),
  },
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
