import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from "react";
import styles from "./form.module.css";

interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
}

interface ControlProps {
  readonly id: string;
  readonly className: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

function Field({
  label,
  help,
  problem,
  control,
}: FieldProps & { control: (props: ControlProps) => ReactNode }): ReactNode {
  const id = useId();
  const described = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div className={styles["field"]}>
      <label className={styles["label"]} htmlFor={id}>
        {label}
      </label>
      {control({
        id,
        className: styles["input"]!,
        ...(described && { "aria-describedby": described }),
        ...(problem && { "aria-invalid": true as const }),
      })}
      {help && (
        <span className={styles["help"]} id={`${id}-help`}>
          {help}
        </span>
      )}
      {problem && (
        <span className={styles["problem"]} id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}

export const TextField = ({
  label,
  help,
  problem,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>): ReactNode => (
  <Field {...{ label, help, problem }} control={(props) => <input type="text" {...input} {...props} />} />
);

export const TextArea = ({
  label,
  help,
  problem,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode => (
  <Field {...{ label, help, problem }} control={(props) => <textarea rows={3} {...input} {...props} />} />
);

export interface SelectFieldProps<Value extends string> extends FieldProps {
  readonly value: Value | "";
  /** Values with their names. */
  readonly options: Readonly<Partial<Record<Value, string>>>;
  /** The name of the choice of none, where there is one. */
  readonly none?: string;
  readonly onChange: (value: Value | undefined) => void;
}

export function SelectField<Value extends string>({
  value,
  options,
  none,
  onChange,
  ...field
}: SelectFieldProps<Value>): ReactNode {
  return (
    <Field
      {...field}
      control={(props) => (
        <select
          {...props}
          value={value}
          onChange={({ target }) => onChange((target.value || undefined) as Value)}
        >
          {none !== undefined && <option value="">{none}</option>}
          {Object.entries(options).map(([option, name]) => (
            <option key={option} value={option}>
              {name as string}
            </option>
          ))}
        </select>
      )}
    />
  );
}

export function Checkbox({
  label,
  ...input
}: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return (
    <label className={styles["check"]}>
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }): ReactNode {
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export const FormActions = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["actions"]}>{children}</div>
);

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

/** Uncontrolled: typing is not held up by the URL, which follows on Enter and on leaving the field. */
function SearchField({ label, value, onChange }: SearchProps): ReactNode {
  const submit = (text: string): void => {
    if (text !== (value ?? "")) onChange(text);
  };
  return (
    <div className={styles["search"]}>
      <TextField
        key={value ?? ""}
        label={label}
        type="search"
        data-search=""
        defaultValue={value}
        maxLength={200}
        onBlur={({ currentTarget }) => submit(currentTarget.value.trim())}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && submit(currentTarget.value.trim())}
      />
    </div>
  );
}
