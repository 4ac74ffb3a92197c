import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { FormFields, SelectField, TextField } from "../parts/form.tsx";
import { Notice } from "../parts/states.tsx";
import { trpc } from "../trpc.ts";
import { hostOf, type NewScanValues } from "./new-scan-values.ts";

export interface ModeFieldsProps {
  readonly values: NewScanValues;
  readonly error: FieldError | null;
  readonly set: (change: Partial<NewScanValues>) => void;
}

/** Whether the scan may write to its target; nothing where the account may not. */
export function ModeFields({ values, error, set }: ModeFieldsProps): ReactNode {
  const { data: account } = useQuery(trpc.account.get.queryOptions({}));
  if (!account?.activeMode) return null;
  const host = hostOf(values.url);
  return (
    <FormFields>
      <SelectField
        label="Mode"
        value={values.isActive ? "active" : "safe"}
        options={{ safe: "Safe", active: "Active (writes)" }}
        onChange={(mode) => set({ isActive: mode === "active", confirmedHost: "" })}
        help="A safe scan writes nothing that could be stored."
        problem={fieldProblem(error, "mode")}
      />
      {values.isActive && (
        <>
          <Notice>
            <p>
              The scan registers users, creates objects, changes only these, and deletes them again. Scan only
              a test system whose owner has agreed.
            </p>
          </Notice>
          <TextField
            label="Host to write to"
            required
            value={values.confirmedHost}
            onChange={({ target }) => set({ confirmedHost: target.value })}
            autoComplete="off"
            spellCheck={false}
            help={host === undefined ? "Enter the URL of the API first." : `Type ${host} to confirm.`}
          />
        </>
      )}
    </FormFields>
  );
}
