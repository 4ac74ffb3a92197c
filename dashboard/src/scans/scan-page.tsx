import type { Scan } from "@glovebox/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { ScanBadge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Loaded, Loading, Notice } from "../parts/states.tsx";
import { formatDuration, formatTime } from "../parts/time.ts";
import { notify } from "../parts/toasts.tsx";
import { Report } from "../report/report.tsx";
import { usePermission } from "../session/use-session.ts";
import { refreshAll, trpc } from "../trpc.ts";
import { ScanProgress } from "./scan-progress.tsx";

type Processing = Extract<Scan, { status: "processing" }>;
type Failed = Extract<Scan, { status: "failed" }>;

/** One scan: its progress, its report, or why it failed. */
export function ScanPage(): ReactNode {
  const { scanId } = useParams({ from: "/scans/$scanId" });
  const query = useQuery(trpc.scans.get.queryOptions({ id: scanId }));
  if (!query.data)
    return (
      <Page title="Scan" back={<Link to="/scans">All scans</Link>}>
        {query.error ? <Loaded query={query}>{() => null}</Loaded> : <Loading />}
      </Page>
    );
  const { scan } = query.data;
  return (
    <Page
      title={scan.url}
      lead={<ScanLead scan={scan} />}
      back={<Link to="/scans">All scans</Link>}
      actions={<ScanActions scan={scan} />}
    >
      <ScanContent scan={scan} />
    </Page>
  );
}

function ScanLead({ scan }: { scan: Scan }): ReactNode {
  const duration = scan.status === "completed" && `, took ${formatDuration(scan.statistics.durationMs)}`;
  return (
    <>
      <ScanBadge status={scan.status} /> Started {formatTime(scan.createdAt)}
      {duration} · <code>{scan.id}</code>
    </>
  );
}

function ScanContent({ scan }: { scan: Scan }): ReactNode {
  if (scan.status === "processing") return <ScanProgress scan={scan} />;
  return scan.status === "failed" ? <Failure scan={scan} /> : <Report scan={scan} />;
}

const Failure = ({ scan: { error } }: { scan: Failed }): ReactNode => (
  <Panel title="Why it failed">
    <Notice tone="error">
      <p>
        <strong>{error.message}</strong>
      </p>
      <code>{error.code}</code>
    </Notice>
  </Panel>
);

function ScanActions({ scan }: { scan: Scan }): ReactNode {
  const mayWrite = usePermission("scans:write");
  return mayWrite && scan.status === "processing" ? <CancelScan scan={scan} /> : null;
}

function CancelScan({ scan: { id } }: { scan: Processing }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const cancel = useMutation(
    trpc.scans.cancel.mutationOptions({
      async onSuccess() {
        setAsked(false);
        await refreshAll();
        notify("The scan was cancelled.");
      },
    }),
  );
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        Cancel the scan
      </Button>
      <Confirm
        title="Cancel this scan?"
        description="What it has found so far is lost. It still counts against the plan."
        action="Cancel the scan"
        isOpen={isAsked}
        isPending={cancel.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => cancel.mutate({ id })}
      />
    </>
  );
}
