import { ACTIVE_STATUSES } from "@glovebox/domain";
import { SEVERITIES, type Severity } from "@glovebox/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { GradeBadge } from "../parts/badges.tsx";
import { countText } from "../parts/counts.ts";
import { Page, Panel, TileContent, Tiles, tileClass } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { GRADE_LABELS, SEVERITY_LABELS, keysOf, totalOf } from "../parts/words.ts";
import { NewScanLink } from "../scans/new-scan-link.tsx";
import { ScanTable } from "../scans/scan-table.tsx";
import { TargetTable } from "../targets/target-table.tsx";
import { trpc, type Outputs } from "../trpc.ts";
import styles from "./overview.module.css";

type Overview = Outputs["overview"]["get"];
const SHOWN = 5;

/** What needs attention; every number leads to the list behind it. */
export function OverviewPage(): ReactNode {
  const query = useQuery(trpc.overview.get.queryOptions({}));
  return (
    <Page title="Overview" actions={<NewScanLink />}>
      <Loaded query={query}>{(overview) => <Attention overview={overview} />}</Loaded>
      <WorstTargets grades={query.data?.grades ?? {}} />
      <LastScans />
    </Page>
  );
}

function Attention({ overview }: { overview: Overview }): ReactNode {
  const { newCriticals, open, failedScans, runningScans, expiringAcceptances, usage } = overview;
  return (
    <Tiles>
      <Link
        to="/findings"
        search={{ severity: ["critical"], status: [...ACTIVE_STATUSES], sort: "newest" }}
        className={tileClass}
      >
        <TileContent label="New criticals" value={countText(newCriticals)} note="in the last 7 days" />
      </Link>
      <Link to="/findings" search={{ status: [...ACTIVE_STATUSES] }} className={tileClass}>
        <TileContent
          label="Open findings"
          value={countText(totalOf(open), false)}
          note={severityText(open)}
        />
      </Link>
      <Link to="/scans" search={{ status: "failed" }} className={tileClass}>
        <TileContent label="Failed scans" value={countText(failedScans)} note="in the last 7 days" />
      </Link>
      <Link to="/findings" search={{ status: ["accepted"] }} className={tileClass}>
        <TileContent
          label="Expiring acceptances"
          value={countText(expiringAcceptances)}
          note="in the next 7 days"
        />
      </Link>
      <Link to="/scans" search={{ status: "processing" }} className={tileClass}>
        <TileContent label="Running scans" value={countText(runningScans)} note={usageText(usage)} />
      </Link>
    </Tiles>
  );
}

const severityText = (counts: Readonly<Record<Severity, number>>): string =>
  SEVERITIES.slice(0, 2)
    .map((severity) => `${countText(counts[severity], false)} ${SEVERITY_LABELS[severity].toLowerCase()}`)
    .join(", ");

const usageText = ({ started, scansPerMonth }: Overview["usage"]): string =>
  scansPerMonth === null ? `${started} scans this month` : `${started} of ${scansPerMonth} scans this month`;

function WorstTargets({ grades }: { grades: Overview["grades"] }): ReactNode {
  const query = useQuery(trpc.targets.list.queryOptions({ sort: "worst", limit: SHOWN, offset: 0 }));
  return (
    <Panel title="Targets with the lowest score" flush actions={<GradeCounts grades={grades} />}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No targets yet" action={<NewScanLink />} />
          ) : (
            <TargetTable targets={items} />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** How many targets have each grade. */
const GradeCounts = ({ grades }: { grades: Overview["grades"] }): ReactNode => (
  <ul className={styles["grades"]} aria-label="Targets by grade">
    {keysOf(GRADE_LABELS).map((grade) => {
      const count = grades[grade];
      return count ? (
        <li key={grade}>
          <Link to="/targets" search={{ grade }}>
            <GradeBadge grade={grade} /> {count}
          </Link>
        </li>
      ) : null;
    })}
  </ul>
);

function LastScans(): ReactNode {
  const query = useQuery(trpc.scans.search.queryOptions({ limit: SHOWN, offset: 0 }));
  return (
    <Panel title="Last scans" flush actions={<Link to="/scans">All scans</Link>}>
      <Loaded query={query}>
        {({ items }) => (items.length === 0 ? <Empty title="No scans yet" /> : <ScanTable scans={items} />)}
      </Loaded>
    </Panel>
  );
}
