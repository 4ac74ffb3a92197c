import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge, GradeBadge, ScanBadge, type Tone } from "../parts/badges.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { trpc } from "../trpc.ts";
import { runInWords } from "./run-in-words.ts";
import type { ScheduleItem, ScheduleRun } from "@glovebox/contract/schedules";

const OUTCOMES: Record<ScheduleRun["outcome"], readonly [label: string, tone: Tone]> = {
  started: ["Started", "good"],
  skipped: ["Skipped", "neutral"],
  missed: ["Missed", "medium"],
  failed: ["Refused", "critical"],
};

/** What became of a run. */
export function RunOutcome({
  run: { outcome, missed, scanId, scanStatus },
}: {
  run: ScheduleRun;
}): ReactNode {
  if (outcome === "started" && scanId !== null && scanStatus !== null)
    return (
      <Link to="/scans/$scanId" params={{ scanId }}>
        <ScanBadge status={scanStatus} />
      </Link>
    );
  const [label, tone] = OUTCOMES[outcome];
  return (
    <Badge tone={tone}>
      {outcome === "missed" ? `${label}: ${missed < 100 ? missed : "100 or more"}` : label}
    </Badge>
  );
}

/** The last runs of a schedule. */
export function RunsDialog({
  schedule,
  onClose,
}: {
  schedule: ScheduleItem;
  onClose: () => void;
}): ReactNode {
  const { id, name, timeZone, historyLimit } = schedule;
  const query = useQuery(trpc.schedules.runs.queryOptions({ id }));
  const description = `The last ${historyLimit}, newest first. Missed since it was created: ${schedule.missedRuns}.`;
  return (
    <Dialog title={`Runs of ${name}`} description={description} isOpen onClose={onClose}>
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <Empty title="No runs yet" />
          ) : (
            <Table
              caption={`Runs of ${name}`}
              columns={columnsOf(timeZone, new Date())}
              rows={runs}
              keyOf={({ decidedAt, outcome }) => `${decidedAt} ${outcome}`}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}

const columnsOf = (timeZone: string, now: Date): Column<ScheduleRun>[] => [
  {
    label: "When",
    cell: ({ scheduledAt, decidedAt }) => runInWords(scheduledAt ?? decidedAt, timeZone, now),
  },
  { label: "Outcome", cell: (run) => <RunOutcome run={run} /> },
  { label: "Grade", cell: ({ grade }) => <GradeBadge grade={grade} /> },
  { label: "Why", cell: ({ reason }) => reason ?? "–" },
];
