import type { Plan } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog } from "../parts/dialog.tsx";
import { Checkbox, SelectField, TextField } from "../parts/form.tsx";
import { PLAN_LABELS } from "../parts/words.ts";
import { PlanFacts } from "../plans/plan-facts.tsx";
import { afterChange, trpc } from "../trpc.ts";
import type { AccountItem } from "./accounts-page.tsx";

const numberOf = (text: string): number | null => (text === "" ? null : Number(text));

/** Creates an account, or changes the given one: its name, its plan and its own limits. */
export function AccountDialog({
  account,
  onClose,
}: {
  account?: AccountItem;
  onClose: () => void;
}): ReactNode {
  const initial: Terms = account ?? NEW_ACCOUNT;
  const [name, setName] = useState(initial.name);
  const [plan, setPlan] = useState<Plan>(initial.plan);
  const [requests, setRequests] = useState(String(initial.requestsPerMinute ?? ""));
  const [scans, setScans] = useState(String(initial.scansPerMonth ?? ""));
  const [activeMode, setActiveMode] = useState(initial.activeMode);
  const limits = { requestsPerMinute: numberOf(requests), scansPerMonth: numberOf(scans) };
  const { save, isPending, problem } = useSave(account, onClose);
  return (
    <FormDialog
      title={account ? `Change ${account.name}` : "Create an account"}
      action={account ? "Save" : "Create"}
      isDisabled={isPending}
      onSubmit={() => save({ name, plan, activeMode, ...limits })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
        problem={problem}
      />
      <SelectField
        label="Plan"
        value={plan}
        options={PLAN_LABELS}
        onChange={(value) => value && setPlan(value)}
      />
      <PlanFacts plan={plan} />
      <LimitFields {...{ requests, setRequests, scans, setScans }} />
      <ActiveModeField value={activeMode} onChange={setActiveMode} />
    </FormDialog>
  );
}

const ActiveModeField = ({
  value,
  onChange,
}: {
  value: boolean;
  onChange: (value: boolean) => void;
}): ReactNode => (
  <Checkbox
    label="Allow active scans, which write to their targets"
    checked={value}
    onChange={({ target }) => onChange(target.checked)}
  />
);

const LimitFields = ({
  requests,
  setRequests,
  scans,
  setScans,
}: {
  requests: string;
  setRequests: (value: string) => void;
  scans: string;
  setScans: (value: string) => void;
}): ReactNode => (
  <>
    <LimitField
      label="Requests per minute (overrides the plan)"
      min={1}
      value={requests}
      onChange={setRequests}
    />
    <LimitField label="Scans per month (overrides the plan)" min={0} value={scans} onChange={setScans} />
  </>
);

const LimitField = ({
  label,
  min,
  value,
  onChange,
}: {
  label: string;
  min: number;
  value: string;
  onChange: (value: string) => void;
}): ReactNode => (
  <TextField
    {...{ label, min, value }}
    type="number"
    help="Leave empty to use the limit of the plan."
    onChange={({ target }) => onChange(target.value)}
  />
);

type Terms = Pick<AccountItem, "name" | "plan" | "requestsPerMinute" | "scansPerMonth" | "activeMode">;

const NEW_ACCOUNT: Terms = {
  name: "",
  plan: "free",
  requestsPerMinute: null,
  scansPerMonth: null,
  activeMode: false,
};

function useSave(account: AccountItem | undefined, onClose: () => void) {
  const create = useMutation(
    trpc.accounts.create.mutationOptions({
      onSuccess: afterChange((_, { name }) => `${name} was created.`, onClose),
    }),
  );
  const update = useMutation(
    trpc.accounts.update.mutationOptions({
      onSuccess: afterChange((_, { name }) => `${name} was changed.`, onClose),
    }),
  );
  return {
    save: (
      terms: Pick<AccountItem, "name" | "plan" | "requestsPerMinute" | "scansPerMonth" | "activeMode">,
    ) => (account ? update.mutate({ ...terms, accountId: account.id }) : create.mutate(terms)),
    isPending: create.isPending || update.isPending,
    problem: (create.error ?? update.error)?.message,
  };
}
