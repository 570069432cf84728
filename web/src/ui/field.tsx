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

/** The help and the error of an input, and the attributes that tie them to it. */
function useNotes({ help, error }: Pick<Frame, "help" | "error">) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    id,
    attributes: {
      "aria-describedby": described || undefined,
      "aria-invalid": error ? true : undefined,
    } as const,
    notes: (
      <>
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
      </>
    ),
  };
}

/** One frame for every input: label, help, input, error. */
export function Field({
  label,
  children,
  ...about
}: Frame & { children: (described: Described) => ReactNode }) {
  const { id, attributes, notes } = useNotes(about);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, ...attributes })}
      {notes}
    </div>
  );
}

type InputOf<Element extends "input" | "textarea" | "select"> = Frame &
  Omit<ComponentProps<Element>, "id" | "className">;

/** `name` is the pointer of the attribute with dots, such as `phones.0.number`. */
export const TextField = ({ label, help, error, ...input }: InputOf<"input">) => (
  <Field label={label} help={help} error={error}>
    {(described) => <input className={styles.input} {...input} {...described} />}
  </Field>
);

export const TextArea = ({ label, help, error, ...input }: InputOf<"textarea">) => (
  <Field label={label} help={help} error={error}>
    {(described) => <textarea className={styles.input} {...input} {...described} />}
  </Field>
);

export function SelectField({
  label,
  help,
  error,
  options,
  ...select
}: InputOf<"select"> & { options: (readonly [value: string, label: string])[] }) {
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
  children,
  ...about
}: Frame & { name?: string; children: ReactNode }) {
  const { attributes, notes } = useNotes(about);
  return (
    <fieldset className={styles.group} data-name={name} tabIndex={-1} {...attributes}>
      <legend className={styles.label}>{label}</legend>
      {children}
      {notes}
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
