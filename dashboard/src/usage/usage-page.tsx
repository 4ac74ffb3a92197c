import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { TrendChart } from "../charts/trend-chart.tsx";
import { Facts, Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDay, formatDuration } from "../parts/time.ts";
import { PLAN_LABELS, featuresInWords } from "../parts/words.ts";
import { trpc, type Outputs } from "../trpc.ts";

type Usage = Outputs["usage"]["get"];
type Day = Usage["days"][number];

const DAYS = 30;

/** What the account has used of its plan, and its scans of each day. */
export function UsagePage(): ReactNode {
  const account = useQuery(trpc.account.get.queryOptions({}));
  const usage = useQuery(trpc.usage.get.queryOptions({ days: DAYS }));
  return (
    <Page title="Usage" lead="Months and days are in UTC.">
      <Panel title="Plan">
        <Loaded query={account}>
          {({ plan, requestsPerMinute, features }) => (
            <Facts
              facts={{
                Plan: PLAN_LABELS[plan],
                "Requests per minute": requestsPerMinute.toLocaleString("en"),
                Features: featuresInWords(features),
              }}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="This month">
        <Loaded query={usage}>{(month) => <Facts facts={factsOf(month)} />}</Loaded>
      </Panel>
      <Panel title={`Scans in the last ${DAYS} days`} flush>
        <Loaded query={usage}>{({ days }) => <Days days={days} />}</Loaded>
      </Panel>
    </Page>
  );
}

const factsOf = ({ started, scansPerMonth, renewedInSeconds }: Usage): Record<string, ReactNode> => ({
  "Scans started": started.toLocaleString("en"),
  "Scans left":
    scansPerMonth === null
      ? "Unlimited"
      : `${Math.max(0, scansPerMonth - started).toLocaleString("en")} of ${scansPerMonth.toLocaleString("en")}`,
  "Next month begins in": formatDuration(renewedInSeconds * 1000),
});

function Days({ days }: { days: readonly Day[] }): ReactNode {
  const used = days.filter(({ submitted, completed, failed }) => submitted + completed + failed > 0);
  if (used.length === 0) return <Empty title="No scans in this period" />;
  return (
    <>
      <TrendChart
        label="Scans"
        points={days.map(({ day, submitted }) => ({ at: `${day}T00:00:00Z`, value: submitted }))}
      />
      <Table caption="Scans per day" columns={COLUMNS} rows={used.toReversed()} keyOf={({ day }) => day} />
    </>
  );
}

const COLUMNS: Column<Day>[] = [
  { label: "Day", cell: ({ day }) => formatDay(`${day}T00:00:00Z`) },
  { label: "Started", isNumber: true, cell: ({ submitted }) => submitted },
  { label: "Completed", isNumber: true, cell: ({ completed }) => completed },
  { label: "Failed", isNumber: true, cell: ({ failed }) => failed },
];
