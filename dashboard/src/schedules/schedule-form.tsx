import type { ConcurrencyPolicy } from "@glovebox/contract/schedule";
import type { ScheduleItem } from "@glovebox/contract/schedules";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { FilterFields } from "../scans/filter-fields.tsx";
import { CONTEXT_LABELS } from "../parts/words.ts";
import { afterChange, trpc } from "../trpc.ts";
import { changeOf, creationOf, newValues, valuesOf, type ScheduleValues } from "./schedule-values.ts";
import { ScheduleIdentity } from "./schedule-identity.tsx";
import { usePreview } from "./use-preview.ts";

const POLICIES: Record<ConcurrencyPolicy, string> = {
  Forbid: "Skip the run",
  Replace: "Cancel that scan",
  Allow: "Start another",
};
const UTC = "Etc/UTC";
const ZONES = [UTC, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== UTC)];
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface ScheduleDialogProps {
  /** Undefined: a new one. */
  readonly schedule?: ScheduleItem;
  readonly onClose: () => void;
}

/** Creates or changes a schedule. */
export function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps): ReactNode {
  const [values, setValues] = useState(schedule ? valuesOf(schedule) : newValues(OWN_ZONE));
  const create = useMutation(
    trpc.schedules.create.mutationOptions({ onSuccess: afterChange(`${values.name} was created.`, onClose) }),
  );
  const update = useMutation(
    trpc.schedules.update.mutationOptions({ onSuccess: afterChange(`${values.name} was changed.`, onClose) }),
  );
  const submit = (): void =>
    schedule ? update.mutate(changeOf(schedule.id, values)) : create.mutate(creationOf(values));
  const fields = {
    values,
    error: create.error ?? update.error,
    set: (change: Partial<ScheduleValues>) => setValues({ ...values, ...change }),
  };
  return (
    <FormDialog
      title={schedule ? `Edit ${schedule.name}` : "Create a schedule"}
      action={schedule ? "Save" : "Create"}
      isDisabled={create.isPending || update.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TargetFields {...fields} />
      <ScheduleIdentity {...fields} />
      <FilterFields {...fields} />
      <TimeFields {...fields} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly values: ScheduleValues;
  readonly error: FieldError | null;
  readonly set: (change: Partial<ScheduleValues>) => void;
}

function TargetFields({ values, error, set }: FieldsProps): ReactNode {
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={100}
        value={values.name}
        onChange={({ target }) => set({ name: target.value })}
        problem={fieldProblem(error, "name")}
      />
      <TextField
        label="URL of the API"
        type="url"
        required
        placeholder="https://"
        autoComplete="off"
        value={values.url}
        onChange={({ target }) => set({ url: target.value })}
        help="HTTPS, with the base path of the API."
        problem={fieldProblem(error, "url")}
      />
      <TextField
        label="URL of its OpenAPI document"
        type="url"
        autoComplete="off"
        value={values.specUrl}
        onChange={({ target }) => set({ specUrl: target.value })}
        help="Without it, Glovebox discovers the operations."
        problem={fieldProblem(error, "specUrl")}
      />
      <SelectField
        label="Kind of API"
        value={values.context ?? ""}
        none="Not specified"
        options={CONTEXT_LABELS}
        onChange={(context) => set({ context })}
      />
    </>
  );
}

function TimeFields({ values, error, set }: FieldsProps): ReactNode {
  const { problems, words } = usePreview(values);
  const zones = ZONES.includes(values.timeZone) ? ZONES : [values.timeZone, ...ZONES];
  return (
    <>
      <TextField
        label="Cron expression"
        required
        maxLength={100}
        placeholder="30 2 * * *"
        autoComplete="off"
        value={values.schedule}
        onChange={({ target }) => set({ schedule: target.value })}
        help={
          words ??
          "Minute, hour, day of month, month, day of week: 30 2 * * 1-5 is at 02:30 from Monday to Friday."
        }
        problem={problems.schedule ?? fieldProblem(error, "schedule")}
      />
      <SelectField
        label="Time zone"
        value={values.timeZone}
        options={Object.fromEntries(zones.map((zone) => [zone, zone]))}
        onChange={(timeZone) => timeZone && set({ timeZone })}
        problem={problems.timeZone ?? fieldProblem(error, "timeZone")}
      />
      <SelectField
        label="If the previous scan is still running"
        value={values.concurrencyPolicy}
        options={POLICIES}
        onChange={(concurrencyPolicy) => concurrencyPolicy && set({ concurrencyPolicy })}
      />
      <NumberField
        label="Maximum random start delay, in seconds"
        field="jitterSeconds"
        range={[0, 3600]}
        {...{ values, error, set }}
      />
      <NumberField
        label="Starting deadline, in seconds"
        field="startingDeadlineSeconds"
        range={[60, 86_400]}
        {...{ values, error, set }}
      />
      <NumberField label="Runs to keep" field="historyLimit" range={[1, 100]} {...{ values, error, set }} />
    </>
  );
}

interface NumberFieldProps extends FieldsProps {
  readonly label: string;
  readonly field: "jitterSeconds" | "startingDeadlineSeconds" | "historyLimit";
  readonly range: readonly [number, number];
}

const NumberField = ({
  label,
  field,
  range: [min, max],
  values,
  error,
  set,
}: NumberFieldProps): ReactNode => (
  <TextField
    {...{ label, min, max }}
    type="number"
    required
    value={values[field]}
    onChange={({ target }) => set({ [field]: target.value })}
    problem={fieldProblem(error, field)}
  />
);
