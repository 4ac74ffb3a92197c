import type { Decision } from "@glovebox/domain";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog } from "../parts/dialog.tsx";
import { SelectField, TextArea, TextField } from "../parts/form.tsx";
import { afterChange, trpc, type Inputs, type Outputs } from "../trpc.ts";
import { DECISION_LABELS, readDecision, type DecisionForm } from "./decisions.ts";

type Preview = Outputs["findings"]["preview"];

/** Which findings, by a filter or by their ids. */
export type FindingFilter = Inputs["findings"]["preview"]["filter"];

export interface TriageDialogProps {
  /** Which findings it is about. */
  readonly subject: FindingFilter;
  /** What may be decided; the first is chosen. */
  readonly offered?: readonly Decision[];
  readonly onClose: () => void;
}

const ALL = Object.keys(DECISION_LABELS) as Decision[];

/** Decides about findings: what, why and until when. It says first how many change. */
export function TriageDialog({ subject, offered = ALL, onClose }: TriageDialogProps): ReactNode {
  const [form, setForm] = useState<DecisionForm>({ event: offered[0]!, reason: "", until: "" });
  const [problems, setProblems] = useState<{ reason?: string; until?: string }>({});
  const preview = useQuery(trpc.findings.preview.queryOptions({ filter: subject, event: form.event }));
  const decide = useMutation(
    trpc.findings.decide.mutationOptions({
      onSuccess: afterChange(
        ({ changed }) => (changed === 1 ? "One finding was changed." : `${changed} findings were changed.`),
        onClose,
      ),
    }),
  );
  const submit = (): void => {
    const read = readDecision(form, new Date().toISOString().slice(0, 10));
    setProblems("problems" in read ? read.problems : {});
    if ("decision" in read && preview.data)
      decide.mutate({ filter: subject, decision: read.decision, matching: preview.data.matching });
  };
  const count = preview.data?.changing;
  const options = Object.fromEntries(offered.map((decision) => [decision, DECISION_LABELS[decision]]));
  return (
    <FormDialog
      title="Decide"
      description={<PreviewText preview={preview.data} />}
      action={DECISION_LABELS[form.event]}
      isDisabled={decide.isPending || count === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField<Decision>
        label="Decision"
        value={form.event}
        options={options}
        onChange={(event) => event && setForm({ ...form, event })}
      />
      <TextArea
        label="Reason"
        required
        maxLength={2000}
        value={form.reason}
        problem={problems.reason}
        onChange={({ target }) => setForm({ ...form, reason: target.value })}
      />
      {form.event === "accepted" && (
        <TextField
          label="Until"
          type="date"
          required
          value={form.until}
          problem={problems.until}
          help="Afterwards it counts again."
          onChange={({ target }) => setForm({ ...form, until: target.value })}
        />
      )}
    </FormDialog>
  );
}

/** How many findings change, and how many stay because the decision does not apply to their status. */
function PreviewText({ preview }: { preview: Preview | undefined }): string {
  if (!preview) return "Counting…";
  const { matching, changing } = preview;
  const changes = changing === 1 ? "One finding changes." : `${changing} findings change.`;
  const rest = matching - changing;
  return rest > 0 ? `${changes} ${rest} of those that match stay as they are.` : changes;
}
