import { visibleText } from "@glovebox/contract/visible-text";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { TrendChart } from "../charts/trend-chart.tsx";
import { GradeBadge } from "../parts/badges.tsx";
import { Columns, Facts, Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { formatDuration, formatTime } from "../parts/time.ts";
import { totalOf } from "../parts/words.ts";
import { ScanTable } from "../scans/scan-table.tsx";
import { TargetSchedules } from "../schedules/target-schedules.tsx";
import { trpc, type Outputs } from "../trpc.ts";

const SHOWN_SCANS = 10;
const HOUR_MS = 3_600_000;
const BACK = <Link to="/targets">All targets</Link>;

/** One target: how its score and findings went, and how fast it is fixed. */
export function TargetPage(): ReactNode {
  const { targetId } = useParams({ from: "/targets/$targetId" });
  const query = useQuery(trpc.targets.get.queryOptions({ id: Number(targetId) }));
  if (!query.data)
    return (
      <Page title="Target" back={BACK}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    );
  return <TargetContent target={query.data} />;
}

function TargetContent({ target }: { target: Outputs["targets"]["get"] }): ReactNode {
  const { url, grade, score, changedAt, trend, fixed } = target;
  const scores = trend.map(({ day, score: value }) => ({ at: day, value }));
  const open = trend.map((point) => ({ at: point.day, value: totalOf(point.open) }));
  return (
    <Page title={visibleText(url)} back={BACK}>
      <Panel title="Now">
        <Facts
          facts={{
            Grade: <GradeBadge grade={grade} />,
            Score: score ?? "–",
            "Median time to fix":
              fixed.medianHours === null ? "Nothing fixed yet" : formatDuration(fixed.medianHours * HOUR_MS),
            Fixed: fixed.count,
            "Last change": formatTime(changedAt),
          }}
        />
      </Panel>
      <Columns>
        <Panel title="Score">
          {scores.length > 0 ? (
            <TrendChart label="Score" points={scores} max={100} />
          ) : (
            <Empty title="No report yet" />
          )}
        </Panel>
        <Panel title="Open findings">
          {open.length > 0 ? (
            <TrendChart label="Open findings" points={open} />
          ) : (
            <Empty title="No report yet" />
          )}
        </Panel>
      </Columns>
      <TargetSchedules url={url} />
      <LastScans target={target.id} />
    </Page>
  );
}

function LastScans({ target }: { target: number }): ReactNode {
  const query = useQuery(trpc.scans.search.queryOptions({ target, limit: SHOWN_SCANS, offset: 0 }));
  return (
    <Panel title="Last scans" flush>
      <Loaded query={query}>{({ items }) => <ScanTable scans={items} />}</Loaded>
    </Panel>
  );
}
