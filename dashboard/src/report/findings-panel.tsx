import { instancesOf, locationName } from "@glovebox/domain";
import { SEVERITIES, type Finding, type Severity } from "@glovebox/contract";
import { visibleText } from "@glovebox/contract/visible-text";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { SeverityBadge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/page.tsx";
import { Empty } from "../parts/states.tsx";
import { SEVERITY_LABELS } from "../parts/words.ts";
import { FindingDetails } from "./finding-details.tsx";
import { groupByCheck, type CheckGroup } from "./grouping.ts";
import styles from "./report.module.css";

export interface FindingsPanelProps {
  readonly findings: readonly Finding[];
  /** What is known of a finding beyond the report: `badge` is beside its title, `link` with its details. */
  readonly recordOf?: ((finding: Finding) => FindingRecord | undefined) | undefined;
}

export interface FindingRecord {
  readonly badge: ReactNode;
  readonly link: ReactNode;
}

/** Findings by check; each opens inline, by a click or by the fragment of the URL. */
export function FindingsPanel({ findings, recordOf }: FindingsPanelProps): ReactNode {
  const note = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  const [shown, setShown] = useState<Severity>();
  // A link to a finding leads to it regardless of the filter.
  useEffect(() => {
    const showAll = (): void => {
      if (globalThis.location.hash.startsWith("#finding-")) setShown(undefined);
    };
    addEventListener("hashchange", showAll);
    return () => removeEventListener("hashchange", showAll);
  }, []);
  const matching = shown ? findings.filter(({ severity }) => severity === shown) : findings;
  return (
    <Panel
      title="Findings"
      note={note}
      flush
      id="findings"
      actions={<SeverityFilter {...{ findings, shown, setShown }} />}
    >
      {findings.length === 0 && (
        <Empty title="No findings">No check found a weakness in what was tested.</Empty>
      )}
      {groupByCheck(matching).map((group) => (
        <Group key={group.check} group={group} recordOf={recordOf} />
      ))}
    </Panel>
  );
}

interface SeverityFilterProps extends Pick<FindingsPanelProps, "findings"> {
  readonly shown: Severity | undefined;
  readonly setShown: (severity: Severity | undefined) => void;
}

/** How many findings there are of each severity; each number shows only those. */
function SeverityFilter({ findings, shown, setShown }: SeverityFilterProps): ReactNode {
  return (
    <div className={styles["severities"]} role="group" aria-label="Severity">
      {SEVERITIES.map((severity) => {
        const count = findings.filter((finding) => finding.severity === severity).length;
        const isShown = shown === severity;
        return count === 0 ? null : (
          <Button
            key={severity}
            size="small"
            look={isShown ? "primary" : "plain"}
            aria-pressed={isShown}
            onClick={() => setShown(isShown ? undefined : severity)}
          >
            {SEVERITY_LABELS[severity]} {count}
          </Button>
        );
      })}
    </div>
  );
}

/** Several findings of one check share a heading. */
function Group({
  group: { check, findings },
  recordOf,
}: { group: CheckGroup } & Pick<FindingsPanelProps, "recordOf">): ReactNode {
  return (
    <div className={styles["group"]}>
      {findings.length > 1 && (
        <div className={styles["groupHead"]}>
          <h3>
            {visibleText(findings[0]!.title)} <span className={styles["count"]}>{findings.length}</span>
          </h3>
          <code>{check}</code>
        </div>
      )}
      {findings.map((finding) => (
        <FindingRow key={finding.id} finding={finding} record={recordOf?.(finding)} />
      ))}
    </div>
  );
}

/** The details are rendered when they are first opened: a report may have thousands of exchanges. */
function FindingRow({ finding, record }: { finding: Finding; record: FindingRecord | undefined }): ReactNode {
  const { id, severity, title, location } = finding;
  const fragment = `#finding-${id}`;
  const [isOpen, setOpen] = useState(() => globalThis.location.hash === fragment);
  const row = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const follow = (): void => {
      if (globalThis.location.hash !== fragment) return;
      setOpen(true);
      // The browser looked for it before the report was loaded.
      row.current?.scrollIntoView();
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [fragment]);
  const instances = instancesOf(finding).length;
  return (
    <details
      ref={row}
      className={styles["finding"]}
      id={`finding-${id}`}
      data-row=""
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <SeverityBadge severity={severity} />
        <span className={styles["findingTitle"]}>
          <strong>{visibleText(title)}</strong>
          <code className={styles["location"]}>
            {visibleText(locationName(location))}
            {instances > 1 && ` and ${instances - 1} more`}
          </code>
        </span>
        {record?.badge}
      </summary>
      {isOpen && record && <div className={styles["record"]}>{record.link}</div>}
      {isOpen && <FindingDetails finding={finding} />}
    </details>
  );
}
