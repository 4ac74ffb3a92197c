import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./form.module.css";

/** A filter of a list that is in force, and how the list is without it. */
export interface FilterChip<Change> {
  readonly label: string;
  readonly without: Change;
}

export interface FilterChipsProps<Change> {
  readonly chips: readonly FilterChip<Change>[];
  readonly onChange: (change: Change) => void;
}

/** Every filter in force, each with a button that removes it: a link may bring filters that no control of the page shows. */
export function FilterChips<Change>({ chips, onChange }: FilterChipsProps<Change>): ReactNode {
  if (chips.length === 0) return null;
  return (
    <ul className={styles["chips"]} aria-label="Active filters">
      {chips.map(({ label, without }) => (
        <li key={label} className={styles["chip"]}>
          <span>{label}</span>
          <Button size="small" look="quiet" onClick={() => onChange(without)} aria-label={`Remove ${label}`}>
            ✕
          </Button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button size="small" onClick={() => onChange(withoutAll(chips))}>
            Clear all filters
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Each chip of a filter with several values leaves the others: every field that any of them changes is left out. */
const withoutAll = <Change,>(chips: readonly FilterChip<Change>[]): Change => {
  const fields = chips.flatMap(({ without }) => Object.keys(without as object));
  return Object.fromEntries(fields.map((field) => [field, undefined])) as Change;
};

/** The chip of a filter with one value; none where it is not set. */
export const chipOf = <Change,>(
  name: string,
  value: string | undefined,
  without: Change,
): FilterChip<Change>[] => (value === undefined ? [] : [{ label: `${name}: ${value}`, without }]);

/** The chips of a filter with several values: each is removed alone. */
export const chipsOf = <Value extends string, Change>(
  name: string,
  values: readonly Value[] | undefined,
  {
    labels,
    without,
  }: { labels: Readonly<Record<Value, string>>; without: (rest: Value[] | undefined) => Change },
): FilterChip<Change>[] =>
  (values ?? []).map((value) => {
    const rest = (values ?? []).filter((each) => each !== value);
    return { label: `${name}: ${labels[value]}`, without: without(rest.length > 0 ? rest : undefined) };
  });
