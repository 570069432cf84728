import { type ComponentProps, type ReactNode, useId } from "react";
import styles from "./field.module.css";

type Frame = {
  label: ReactNode;
  help?: ReactNode;
  /** The words of the service for this field. */
  error?: ReactNode;
};

type Described = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

/** One frame for every input: label, help, input, error. */
export function Field({
  label,
  help,
  error,
  children,
}: Frame & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {help && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </div>
  );
}

/** `name` is the pointer of the attribute with dots, such as `phones.0.number`. */
export function TextField({
  label,
  help,
  error,
  ...input
}: Frame & Omit<ComponentProps<"input">, "id" | "className">) {
  return (
    <Field label={label} help={help} error={error}>
      {(described) => <input className={styles.input} {...input} {...described} />}
    </Field>
  );
}

export function TextArea({
  label,
  help,
  error,
  ...input
}: Frame & Omit<ComponentProps<"textarea">, "id" | "className">) {
  return (
    <Field label={label} help={help} error={error}>
      {(described) => <textarea className={styles.input} {...input} {...described} />}
    </Field>
  );
}

export function SelectField({
  label,
  help,
  error,
  options,
  ...select
}: Frame &
  Omit<ComponentProps<"select">, "id" | "className"> & {
    options: (readonly [value: string, label: string])[];
  }) {
  return (
    <Field label={label} help={help} error={error}>
      {(described) => (
        <select className={styles.input} {...select} {...described}>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Several inputs with one label. An error about all of them stands under the group. */
export function Group({
  name,
  label,
  help,
  error,
  children,
}: Frame & { name?: string; children: ReactNode }) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset
      className={styles.group}
      data-name={name}
      tabIndex={-1}
      aria-describedby={described || undefined}
      aria-invalid={error ? true : undefined}
    >
      <legend className={styles.label}>{label}</legend>
      {children}
      {help && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          {error}
        </span>
      )}
    </fieldset>
  );
}

export function CheckField({
  label,
  ...input
}: { label: ReactNode; type?: "checkbox" | "radio" } & Omit<
  ComponentProps<"input">,
  "type" | "className"
>) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}
