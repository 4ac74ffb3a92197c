import type { Plan } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Form, FormActions, SelectField, TextField } from "../parts/form.tsx";
import { notify } from "../parts/toasts.tsx";
import { PLAN_LABELS } from "../parts/words.ts";
import { PlanFacts } from "../plans/plan-facts.tsx";
import { refreshAll, trpc } from "../trpc.ts";
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
  const [name, setName] = useState(account?.name ?? "");
  const [plan, setPlan] = useState<Plan>(account?.plan ?? "free");
  const [requests, setRequests] = useState(String(account?.requestsPerMinute ?? ""));
  const [scans, setScans] = useState(String(account?.scansPerMonth ?? ""));
  const { save, isPending, problem } = useSave(account, onClose);
  return (
    <Dialog title={account ? `Change ${account.name}` : "Create an account"} isOpen onClose={onClose}>
      <Form
        onSubmit={() =>
          save({ name, plan, requestsPerMinute: numberOf(requests), scansPerMonth: numberOf(scans) })
        }
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
        <LimitField label="Own requests per minute" min={1} value={requests} onChange={setRequests} />
        <LimitField label="Own scans per month" min={0} value={scans} onChange={setScans} />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isPending}>
            {account ? "Save" : "Create"}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

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
    help="Empty: as the plan has it."
    onChange={({ target }) => onChange(target.value)}
  />
);

type Terms = Pick<AccountItem, "name" | "plan" | "requestsPerMinute" | "scansPerMonth">;

function useSave(account: AccountItem | undefined, onClose: () => void) {
  const saved =
    (done: string) =>
    async (_: unknown, terms: Pick<Terms, "name">): Promise<void> => {
      onClose();
      await refreshAll();
      notify(`${terms.name} was ${done}.`);
    };
  const create = useMutation(trpc.accounts.create.mutationOptions({ onSuccess: saved("created") }));
  const update = useMutation(trpc.accounts.update.mutationOptions({ onSuccess: saved("changed") }));
  return {
    save: (terms: Terms) =>
      account ? update.mutate({ ...terms, accountId: account.id }) : create.mutate(terms),
    isPending: create.isPending || update.isPending,
    problem: (create.error ?? update.error)?.message,
  };
}
