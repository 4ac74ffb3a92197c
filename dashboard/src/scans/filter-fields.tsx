import type { ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { TextArea } from "../parts/form.tsx";

/** Filters as text: one on each line. */
export interface FilterValues {
  readonly include: string;
  readonly exclude: string;
}

export interface FilterFieldsProps {
  readonly values: FilterValues;
  readonly error: FieldError | null;
  readonly set: (change: Partial<FilterValues>) => void;
}

/** Which operations a scan calls. */
export const FilterFields = ({ values, error, set }: FilterFieldsProps): ReactNode => (
  <>
    <TextArea
      label="Include only"
      value={values.include}
      onChange={({ target }) => set({ include: target.value })}
      autoComplete="off"
      spellCheck={false}
      help="One filter a line: a method, a path pattern, both, tag:NAME or id:OPERATION_ID. Empty: all operations."
      problem={fieldProblem(error, "include")}
    />
    <TextArea
      label="Exclude"
      value={values.exclude}
      onChange={({ target }) => set({ exclude: target.value })}
      autoComplete="off"
      spellCheck={false}
      help="Operations that are never called, such as POST /orders/* or tag:billing."
      problem={fieldProblem(error, "exclude")}
    />
  </>
);

/** The filters of a field; undefined where it is empty. */
export function filtersIn(text: string): string[] | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length > 0 ? lines : undefined;
}
