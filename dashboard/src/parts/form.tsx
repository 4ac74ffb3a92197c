import {
  useId,
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
} from "react";
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
}: FieldProps & ComponentProps<"input">): ReactNode => (
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

export interface SeveralFieldProps<Value extends string> extends Omit<
  SelectFieldProps<Value>,
  "value" | "options" | "onChange"
> {
  readonly values: readonly Value[] | undefined;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (values: [Value] | undefined) => void;
}

/** Chooses one value of a filter that a link may give several: those are shown as one more choice. */
export function SeveralField<Value extends string>({
  values = [],
  options,
  onChange,
  ...field
}: SeveralFieldProps<Value>): ReactNode {
  const several = values.join(" ");
  const all = values.length > 1 && { [several]: values.map((value) => options[value]).join(" or ") };
  return (
    <SelectField<string>
      {...field}
      value={several}
      options={{ ...options, ...all }}
      onChange={(value) => value !== several && onChange(value === undefined ? undefined : [value as Value])}
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

/** Fields of a form that are together in a panel. */
export const FormFields = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["form"]}>{children}</div>
);

export const FormActions = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles["actions"]}>{children}</div>
);
