import type { CompletedScan } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ScanBadge, StatusBadge } from "../parts/badges.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Loaded, Notice } from "../parts/states.tsx";
import { formatDuration, formatTime } from "../parts/time.ts";
import type { FindingRecord } from "../report/findings-panel.tsx";
import { JournalPanel } from "../report/journal-panel.tsx";
import { Report } from "../report/report.tsx";
import { triagedScore } from "../report/triaged-score.ts";
import { useReport } from "../report/use-report.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { ExportMenu } from "./export-menu.tsx";
import { ScanActions } from "./scan-actions.tsx";
import { ScanProgress } from "./scan-progress.tsx";

type Scan = Outputs["scans"]["get"]["scan"];

/** One scan: its progress, its report, or why it failed. */
export function ScanPage(): ReactNode {
  const { scanId } = useParams({ from: "/scans/$scanId" });
  const query = useQuery(trpc.scans.get.queryOptions({ id: scanId }));
  if (!query.data)
    return (
      <Page title="Scan" back={<Link to="/scans">All scans</Link>}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  const { scan, identityNames } = query.data;
  return (
    <Page
      title={visibleText(scan.url)}
      lead={<ScanLead scan={scan} identityNames={identityNames} />}
      back={<Link to="/scans">All scans</Link>}
      actions={
        <>
          {scan.status === "completed" && <ExportMenu id={scan.id} />}
          <ScanActions scan={scan} hasIdentities={identityNames !== null} />
        </>
      }
    >
      <ScanContent scan={scan} />
    </Page>
  );
}

const names = new Intl.ListFormat("en");

const ScanLead = ({
  scan: { id, status, createdAt, mode, include, exclude },
  identityNames,
}: {
  scan: Scan;
  identityNames: readonly string[] | null;
}): ReactNode => (
  <>
    <ScanBadge status={status} /> Started {formatTime(createdAt)}
    {status === "completed" && <Duration id={id} />} · <code>{id}</code>
    {mode === "active" && " · Active (writes)"}
    {identityNames && ` · Signed in as ${names.format(identityNames)}`}
    {include && ` · Only ${names.format(include)}`}
    {exclude && ` · Without ${names.format(exclude)}`}
  </>
);

function Duration({ id }: { id: string }): ReactNode {
  const { data: scan } = useReport(id);
  return scan && `, took ${formatDuration(scan.statistics.durationMs)}`;
}

function ScanContent({ scan }: { scan: Scan }): ReactNode {
  if (scan.status === "processing") return <ScanProgress scan={scan} />;
  return scan.status === "failed" ? <Failure scan={scan} /> : <Completed id={scan.id} />;
}

function Completed({ id }: { id: string }): ReactNode {
  const report = useReport(id);
  return <Loaded query={report}>{(scan) => <CompletedReport scan={scan} />}</Loaded>;
}

function CompletedReport({ scan }: { scan: CompletedScan }): ReactNode {
  const { data: triage } = useQuery(
    trpc.scans.triage.queryOptions(
      { id: scan.id },
      { refetchInterval: ({ state }) => (isIndexed(scan, state) ? false : INDEXED_EVERY_MS) },
    ),
  );
  const records = triage?.records;
  return (
    <Report
      scan={scan}
      triaged={triage && triagedScore(scan, triage)}
      recordOf={({ id }) => records?.[id] && shownRecord(records[id])}
    />
  );
}

/** Findings are recorded a moment after their scan has ended. */
const INDEXED_EVERY_MS = 2_000;
const MAX_POLLS = 10;

/** Whether the records of its findings are there, or have been asked for often enough. */
const isIndexed = (
  { findings }: CompletedScan,
  { data, dataUpdateCount }: { data: Outputs["scans"]["triage"] | undefined; dataUpdateCount: number },
): boolean =>
  findings.length === 0 || dataUpdateCount >= MAX_POLLS || Object.keys(data?.records ?? {}).length > 0;

/** What has become of a finding since: its status now, and the record with its history, where it is triaged. */
const shownRecord = ({ id, status }: Outputs["scans"]["triage"]["records"][string]): FindingRecord => ({
  badge: <StatusBadge status={status} />,
  link: (
    <Link to="/findings/$findingId" params={{ findingId: String(id) }}>
      View history and triage
    </Link>
  ),
});

const Failure = ({ scan: { error, journal } }: { scan: Extract<Scan, { status: "failed" }> }): ReactNode => (
  <>
    <Panel title="Why it failed">
      <Notice tone="error">
        <p>
          <strong>{visibleText(error.message)}</strong>
        </p>
        <code>{error.code}</code>
      </Notice>
    </Panel>
    {journal && <JournalPanel journal={journal} />}
  </>
);
