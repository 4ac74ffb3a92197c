import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pathInAccount } from "../account.ts";
import { Badge } from "../parts/badges.tsx";
import { Facts, Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDuration, formatTime } from "../parts/time.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { Permitted } from "../session/permitted.tsx";

type QueuedScan = Outputs["service"]["queue"][number];

const REFRESH = { refetchInterval: 5_000 };

export const QueuePage = (): ReactNode => (
  <Permitted permission="accounts:administer" title="Queue">
    <Queue />
  </Permitted>
);

/** The scans of all accounts that have not ended, and the last that failed. */
function Queue(): ReactNode {
  const state = useQuery(trpc.service.state.queryOptions({}, REFRESH));
  const queue = useQuery(trpc.service.queue.queryOptions({}, REFRESH));
  const failures = useQuery(trpc.service.failures.queryOptions({}, REFRESH));
  return (
    <Page title="Queue" lead="The scans of all accounts.">
      <Panel title="Now">
        <Loaded query={state}>{(now) => <Facts facts={factsOf(now)} />}</Loaded>
      </Panel>
      <Panel title="Running and waiting" note="Oldest first." flush>
        <Loaded query={queue}>
          {(scans) =>
            scans.length === 0 ? (
              <Empty title="No scans are running or waiting" />
            ) : (
              <Table caption="Running and waiting" columns={COLUMNS} rows={scans} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
      <Panel title="Last failures" note="Cancelled scans are not listed." flush>
        <Loaded query={failures}>
          {(scans) =>
            scans.length === 0 ? (
              <Empty title="No scans have failed" />
            ) : (
              <Table caption="Last failures" columns={FAILED} rows={scans} keyOf={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

const factsOf = ({
  running,
  waiting,
  oldestWaitingSeconds,
  schema,
  cluster,
}: Outputs["service"]["state"]): Record<string, ReactNode> => ({
  Running: running,
  Waiting: waiting,
  "Longest wait": oldestWaitingSeconds === null ? undefined : formatDuration(oldestWaitingSeconds * 1000),
  "Database schema": schema,
  Cluster:
    cluster === "unreachable"
      ? "unreachable: no scan can start"
      : (cluster ?? "none: scans run on this machine"),
});

const COLUMNS: Column<QueuedScan>[] = [
  { label: "Target", cell: (scan) => <ScanLink scan={scan} /> },
  { label: "Account", cell: ({ accountName }) => accountName },
  {
    label: "Status",
    cell: ({ isRunning }) => (
      <Badge tone={isRunning ? "running" : "neutral"}>{isRunning ? "Running" : "Waiting"}</Badge>
    ),
  },
  {
    label: "Waits for",
    cell: ({ waitsFor }) =>
      waitsFor ? (
        <div>
          <code>{waitsFor.reason}</code>
          <div>{waitsFor.message}</div>
        </div>
      ) : (
        "–"
      ),
  },
  { label: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
  { label: "Submitted", cell: ({ createdAt }) => formatTime(createdAt) },
];

const FAILED: Column<Outputs["service"]["failures"][number]>[] = [
  { label: "Target", cell: (scan) => <ScanLink scan={scan} /> },
  { label: "Account", cell: ({ accountName }) => accountName },
  {
    label: "Reason",
    cell: ({ code, message }) => (
      <div>
        <code>{code}</code>
        <div>{message}</div>
      </div>
    ),
  },
  { label: "Ended", cell: ({ endedAt }) => formatTime(endedAt) },
];

/** The page of a scan is in its account. */
const ScanLink = ({
  scan: { id, url, accountId, accountName },
}: {
  scan: Pick<QueuedScan, "id" | "url" | "accountId" | "accountName">;
}): ReactNode => <a href={pathInAccount({ id: accountId, name: accountName }, `/scans/${id}`)}>{url}</a>;
