import { visibleText } from "@glovebox/contract/visible-text";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { ConfidenceBadge, SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Facts, Page, Panel } from "../parts/page.tsx";
import { Loaded, Notice } from "../parts/states.tsx";
import { formatDay, formatTime } from "../parts/time.ts";
import { STATUS_LABELS } from "../parts/words.ts";
import { FindingDetails } from "../report/finding-details.tsx";
import { usePermission } from "../session/use-session.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { DECISIONS_OF, EVENT_LABELS } from "./decisions.ts";
import styles from "./findings.module.css";
import { TriageDialog } from "./triage-dialog.tsx";

type FindingOverTime = Outputs["findings"]["get"];

/** One finding over all scans of its target: its status and its history. */
export function FindingPage(): ReactNode {
  const { findingId } = useParams({ from: "/findings/$findingId" });
  const query = useQuery(trpc.findings.get.queryOptions({ id: Number(findingId) }));
  const back = <Link to="/findings">All findings</Link>;
  if (!query.data)
    return (
      <Page title="Finding" back={back}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  const finding = query.data;
  return (
    <Page
      title={visibleText(finding.title)}
      back={back}
      lead={<code>{visibleText(finding.place)}</code>}
      actions={<Triage finding={finding} />}
    >
      <StatusPanel finding={finding} />
      <LastProof finding={finding} />
      <History finding={finding} />
    </Page>
  );
}

function Triage({ finding: { id, status } }: { finding: FindingOverTime }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!usePermission("findings:triage")) return null;
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Triage
      </Button>
      {isOpen && (
        <TriageDialog subject={{ ids: [id] }} offered={DECISIONS_OF[status]} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function StatusPanel({ finding }: { finding: FindingOverTime }): ReactNode {
  const { status, severity, confidence, targetUrl, targetId, firstSeenAt, lastSeenAt, fixedAt, mark } =
    finding;
  return (
    <Panel title="Status">
      {mark && (
        <Notice>
          <strong>{STATUS_LABELS[mark.status]}</strong>: {mark.reason}
          <div className={styles["when"]}>
            {[mark.by && `By ${mark.by}`, mark.expiresAt && `until ${formatTime(mark.expiresAt)}`]
              .filter(Boolean)
              .join(", ")}
          </div>
        </Notice>
      )}
      <Facts
        facts={{
          Status: <StatusBadge status={status} />,
          Severity: <SeverityBadge severity={severity} />,
          Confidence: <ConfidenceBadge confidence={confidence} />,
          Target: (
            <Link to="/targets/$targetId" params={{ targetId: String(targetId) }}>
              {targetUrl}
            </Link>
          ),
          "First seen": formatDay(firstSeenAt),
          "Last seen": formatDay(lastSeenAt),
          Fixed: fixedAt ? formatDay(fixedAt) : undefined,
        }}
      />
    </Panel>
  );
}

/** The finding in the report of the last scan that saw it; a report may be deleted after its retention. */
function LastProof({ finding: { id, findingId, lastScanId } }: { finding: FindingOverTime }): ReactNode {
  const query = useQuery(trpc.findings.proof.queryOptions({ id }));
  return (
    <Panel
      title="Proof"
      flush
      actions={
        <Link to="/scans/$scanId" params={{ scanId: lastScanId }} hash={`finding-${findingId}`}>
          The last scan that saw it
        </Link>
      }
    >
      {query.data === null ? (
        <ReportDeleted />
      ) : (
        <Loaded query={query}>{(found) => <FindingDetails finding={found} />}</Loaded>
      )}
    </Panel>
  );
}

const ReportDeleted = (): ReactNode => <Notice>The report of that scan is no longer kept.</Notice>;

function History({ finding: { history } }: { finding: FindingOverTime }): ReactNode {
  return (
    <Panel title="History">
      <ol className={styles["history"]}>
        {history.toReversed().map(({ at, event, toStatus, reason, by, scanId }) => (
          <li key={`${at} ${event}`}>
            {EVENT_LABELS[event]} <StatusBadge status={toStatus} />
            {reason && <div>{reason}</div>}
            <div className={styles["when"]}>
              {formatTime(at)}
              {by && `, by ${by}`}
              {scanId && (
                <>
                  {", "}
                  <Link to="/scans/$scanId" params={{ scanId }}>
                    scan
                  </Link>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
