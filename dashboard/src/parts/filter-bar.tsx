import { useEffect, useRef, type ReactNode } from "react";
import styles from "./form.module.css";
import { TextField } from "./form.tsx";

/** The filters above a list; their values are in the URL. `/` focuses the search. */
export function FilterBar({ search, children }: { search?: SearchProps; children?: ReactNode }): ReactNode {
  return (
    <div className={styles["filters"]} role="search">
      {search && <SearchField {...search} />}
      {children}
    </div>
  );
}

interface SearchProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Uncontrolled: typing is not held up by the URL, which follows on Enter, on leaving the field, and after a pause. */
function SearchField({ label, value, onChange }: SearchProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const submit = (): void => {
    clearTimeout(pause.current);
    const text = field.current?.value.trim() ?? "";
    if (field.current && text !== (value ?? "")) onChange(text);
  };
  const latest = useRef(submit);
  useEffect(() => void (latest.current = submit));
  const submitLater = (): void => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current(), SEARCH_PAUSE_MS);
  };
  useEffect(() => () => clearTimeout(pause.current), []);
  // The URL may change otherwise, as when the filter is removed.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = value ?? "";
  }, [value]);
  return (
    <div className={styles["search"]}>
      <TextField
        ref={field}
        label={label}
        type="search"
        data-search=""
        defaultValue={value}
        maxLength={200}
        onBlur={submit}
        onInput={submitLater}
        onKeyDown={({ key }) => key === "Enter" && submit()}
      />
    </div>
  );
}

const SEARCH_PAUSE_MS = 400;
