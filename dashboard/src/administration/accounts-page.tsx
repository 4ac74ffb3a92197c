import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { FilterChips, chipOf } from "../parts/filter-chips.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { FormActions } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatDay } from "../parts/time.ts";
import { PLAN_LABELS, featuresInWords } from "../parts/words.ts";
import { trpc, type Outputs } from "../trpc.ts";
import { useSearchChange } from "../url/use-search-change.ts";
import { AccountActions } from "./account-actions.tsx";
import { AccountDialog } from "./account-form.tsx";
import { Permitted } from "../session/permitted.tsx";

export type AccountItem = Outputs["accounts"]["list"][number];
type PlanItem = Outputs["plans"]["list"][number];

const PAGE_SIZE = 50;

export const AccountsPage = (): ReactNode => (
  <Permitted permission="accounts:administer" title="Accounts">
    <Accounts />
  </Permitted>
);

/** Every account with its plan, its state and what it has used this month. */
function Accounts(): ReactNode {
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Accounts"
      lead="Each account has its own keys, scans, findings and members."
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          Create an account
        </Button>
      }
    >
      <AllAccounts />
      <Plans />
      {isCreating && <AccountDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function AllAccounts(): ReactNode {
  const search = useSearch({ from: "/accounts" });
  const change = useSearchChange(search);
  const { q, page = 1 } = search;
  const query = useQuery(
    trpc.accounts.list.queryOptions(
      { text: q, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
      { placeholderData: keepPreviousData },
    ),
  );
  const plans = useQuery(trpc.plans.list.queryOptions({})).data ?? [];
  return (
    <Panel title="All accounts" flush>
      <FilterBar search={{ label: "Search", value: q, onChange: (text) => change({ q: text }) }} />
      <FilterChips chips={chipOf("Text", q, { q: undefined })} onChange={change} />
      <Loaded query={query}>
        {(accounts) => (
          <>
            {accounts.length === 0 ? (
              <Empty title="No account matches" />
            ) : (
              <Table caption="Accounts" columns={columnsOf(plans)} rows={accounts} keyOf={({ id }) => id} />
            )}
            <FormActions>
              <Button size="small" disabled={page === 1} onClick={() => change({ page: page - 1 })}>
                Previous
              </Button>
              <Button
                size="small"
                disabled={accounts.length < PAGE_SIZE}
                onClick={() => change({ page: page + 1 })}
              >
                Next
              </Button>
            </FormActions>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const numberOr = (value: number | null | undefined, otherwise: string): string =>
  value?.toLocaleString("en") ?? otherwise;

const columnsOf = (plans: readonly PlanItem[]): Column<AccountItem>[] => {
  const planOf = (account: AccountItem) => plans.find(({ plan }) => plan === account.plan);
  return [
    { label: "Name", cell: ({ name }) => <strong>{name}</strong> },
    { label: "Plan", cell: ({ plan }) => PLAN_LABELS[plan] },
    {
      label: "Status",
      cell: ({ suspendedAt }) => (
        <Badge tone={suspendedAt ? "high" : "good"}>{suspendedAt ? "Suspended" : "Active"}</Badge>
      ),
    },
    {
      label: "Scans this month",
      isNumber: true,
      cell: (account) =>
        `${numberOr(account.started, "0")} of ${numberOr(account.scansPerMonth ?? planOf(account)?.scansPerMonth, "unlimited")}`,
    },
    {
      label: "Requests per minute",
      isNumber: true,
      cell: (account) => numberOr(account.requestsPerMinute ?? planOf(account)?.requestsPerMinute, "–"),
    },
    { label: "Members", isNumber: true, cell: ({ members }) => members },
    { label: "Since", cell: ({ createdAt }) => formatDay(createdAt) },
    { label: "", cell: (account) => <AccountActions account={account} /> },
  ];
};

function Plans(): ReactNode {
  const query = useQuery(trpc.plans.list.queryOptions({}));
  return (
    <Panel title="Plans" note="An account can override these limits." flush>
      <Loaded query={query}>
        {(plans) => <Table caption="Plans" columns={PLAN_COLUMNS} rows={plans} keyOf={({ plan }) => plan} />}
      </Loaded>
    </Panel>
  );
}

const PLAN_COLUMNS: Column<PlanItem>[] = [
  { label: "Plan", cell: ({ plan }) => PLAN_LABELS[plan] },
  { label: "Requests per minute", isNumber: true, cell: (plan) => numberOr(plan.requestsPerMinute, "–") },
  { label: "Scans per month", isNumber: true, cell: (plan) => numberOr(plan.scansPerMonth, "Unlimited") },
  {
    label: "Schedules every",
    isNumber: true,
    cell: (plan) => (plan.minIntervalMinutes === null ? "–" : `${plan.minIntervalMinutes} min`),
  },
  { label: "Features", cell: ({ features }) => featuresInWords(features) },
];
