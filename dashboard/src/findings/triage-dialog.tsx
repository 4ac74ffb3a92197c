import type { Decision } from "@glovebox/domain";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog } from "../parts/dialog.tsx";
import { countText, counted } from "../parts/counts.ts";
import { SelectField, TextArea, TextField } from "../parts/form.tsx";
import { afterChange, trpc, type Inputs, type Outputs } from "../trpc.ts";
import { DECISION_LABELS, readDecision, type DecisionForm } from "./decisions.ts";

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
        ({ changed }) => `${counted(changed, "finding was", "findings were")} changed.`,
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
  const isTooMany = preview.data !== undefined && preview.data.matching > preview.data.most;
  return (
    <FormDialog
      title="Triage findings"
      description={<PreviewText preview={preview.data} />}
      action={DECISION_LABELS[form.event]}
      isDisabled={decide.isPending || count === 0 || isTooMany}
      onSubmit={submit}
      onClose={onClose}
    >
      {!isTooMany && <DecisionFields {...{ form, setForm, problems, offered }} />}
    </FormDialog>
  );
}

interface DecisionFieldsProps extends Required<Pick<TriageDialogProps, "offered">> {
  readonly form: DecisionForm;
  readonly setForm: (form: DecisionForm) => void;
  readonly problems: { readonly reason?: string; readonly until?: string };
}

function DecisionFields({ form, setForm, problems, offered }: DecisionFieldsProps): ReactNode {
  const options = Object.fromEntries(offered.map((decision) => [decision, DECISION_LABELS[decision]]));
  return (
    <>
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
          help="After this day, the finding is open again."
          onChange={({ target }) => setForm({ ...form, until: target.value })}
        />
      )}
    </>
  );
}

/** How many findings change, and how many stay because the decision does not apply to their status; or that they are too many. */
function PreviewText({ preview }: { preview: Outputs["findings"]["preview"] | undefined }): string {
  if (!preview) return "Counting…";
  const { matching, changing, most } = preview;
  if (matching > most)
    return `More than ${counted(most, "finding")} match. Narrow the filter: at most ${countText(most)} can be triaged together.`;
  const changes = `${counted(changing, "finding changes", "findings change")}.`;
  const rest = matching - changing;
  return rest > 0
    ? `${changes} ${counted(rest, "matching finding keeps its", "matching findings keep their")} status.`
    : changes;
}
