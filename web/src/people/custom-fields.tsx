import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CustomFieldDefinition } from "@vestry/sdk";
import { useSession } from "../app/session.tsx";
import type { Form } from "../app/use-form.tsx";
import { peopleNamesOptions } from "../data/people-search.ts";
import { PersonCombo } from "../records/person-combo.tsx";
import { DateField } from "../ui/date-field.tsx";
import { CheckField, Group, SelectField, TextArea, TextField } from "../ui/field.tsx";
import { formatDate, formatList, formatMoment, formatNumber } from "../ui/format.ts";
import { Ltr } from "../ui/text.tsx";
import type { PersonField } from "./person-card.tsx";
import { ThreeStates } from "./person-fields.tsx";
import styles from "./person.module.css";

type Definitions = Record<string, CustomFieldDefinition | null> | undefined;

/** Up to this many options are boxes side by side. */
const BOXES = 8;

/** The fields that the church defines for a type of record, in its order. */
export function useCustomFields(
  type: "people" | "households",
  values: Readonly<Record<string, unknown>> | undefined,
): PersonField[] {
  const { account } = useSession();
  const definitions: Definitions = account["custom-properties"]?.[type];
  return Object.entries(definitions ?? {})
    .flatMap(([name, definition]) =>
      definition === null || definition.archived ? [] : [{ name, definition }],
    )
    .sort((one, other) => (one.definition.order ?? 0) - (other.definition.order ?? 0))
    .map(({ name, definition }) => {
      const value = values?.[name];
      const isEmpty = value === undefined || value === null || value === "";
      return {
        names: [`custom-properties.${name}`],
        label: definition.label ?? name,
        shown: isEmpty ? null : <CustomValue definition={definition} value={value} />,
        input: (form: Form) => (
          <CustomInput form={form} name={name} definition={definition} stored={value} />
        ),
      };
    });
}

const wordOf = ({ options = [] }: CustomFieldDefinition, value: unknown): string =>
  options.find((option) => option.value === value)?.label ?? String(value);

function CustomValue({ definition, value }: { definition: CustomFieldDefinition; value: unknown }) {
  const { t } = useLingui();
  const text = typeof value === "string" ? value : "";
  switch (definition.type) {
    case "integer":
    case "decimal":
      return typeof value === "number"
        ? formatNumber(value, { maximumFractionDigits: 10 })
        : JSON.stringify(value);
    case "boolean":
      return value === true ? t`yes` : t`no`;
    case "date":
      return formatDate(text, "long");
    case "timestamp":
      return formatMoment(text);
    case "email":
      return (
        <a href={`mailto:${text}`}>
          <Ltr>{text}</Ltr>
        </a>
      );
    case "phone":
      return (
        <a href={`tel:${text}`}>
          <Ltr>{text}</Ltr>
        </a>
      );
    case "url":
      return (
        <a href={text} target="_blank" rel="noreferrer noopener">
          <Ltr>{text}</Ltr>
        </a>
      );
    case "select":
      return <bdi>{wordOf(definition, value)}</bdi>;
    case "multi-select":
      return <bdi>{formatList((value as unknown[]).map((one) => wordOf(definition, one)))}</bdi>;
    case "person":
      return <PersonName id={text} />;
    case "text":
      return <span className={styles.lines}>{text}</span>;
    case "string":
      return <bdi>{text}</bdi>;
  }
}

/** The name of a person that a field refers to. The reader may not be allowed to see this person. */
function PersonName({ id }: { id: string }) {
  const { data: names } = useQuery(peopleNamesOptions([id]));
  const name = names?.get(id);
  if (names === undefined) return <span aria-busy="true">…</span>;
  if (name === undefined) return <Trans>a person whom you cannot see</Trans>;
  return (
    <Link to="/people/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Digits and a sign become a number. Anything else stays as typed, and the service says what is wrong. */
function numberFrom(text: string): number | string | null {
  const plain = text.trim().replace(",", ".");
  if (plain === "") return null;
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}

function CustomInput({
  form,
  name,
  definition,
  stored,
}: {
  form: Form;
  name: string;
  definition: CustomFieldDefinition;
  stored: unknown;
}) {
  const { t } = useLingui();
  const path = `custom-properties.${name}`;
  const frame = { label: definition.label ?? name, help: definition.help };
  const options = definition.options ?? [];
  const isStored = (value: string) =>
    stored === value || (Array.isArray(stored) && stored.includes(value));
  // An archived option stays where it is stored, and can only be removed.
  const choices = options.filter(({ value, archived }) => !archived || isStored(value));
  const word = (option: (typeof options)[number]) =>
    option.archived
      ? t`${option.label ?? option.value} (no longer used)`
      : (option.label ?? option.value);
  const text = (type: string, more: { dir?: "ltr"; inputMode?: "decimal" | "numeric" } = {}) => (
    <TextField
      {...form.text(path)}
      {...frame}
      {...more}
      type={type}
      autoComplete="off"
      maxLength={definition["max-length"]}
    />
  );
  switch (definition.type) {
    case "string":
      return text("text");
    case "email":
      return text("email", { dir: "ltr" });
    case "phone":
      return text("tel", { dir: "ltr" });
    case "url":
      return text("url", { dir: "ltr" });
    case "text":
      return <TextArea {...form.text(path)} {...frame} maxLength={definition["max-length"]} />;
    case "integer":
    case "decimal":
      return <NumberInput form={form} path={path} frame={frame} type={definition.type} />;
    case "boolean":
      return <ThreeStates form={form} name={path} {...frame} />;
    case "date":
      return <DateField {...form.control<string | null>(path)} {...frame} />;
    case "timestamp":
      return <TimestampInput form={form} path={path} frame={frame} />;
    case "select":
      return (
        <SelectField
          {...form.text(path)}
          {...frame}
          options={[["", "–"], ...choices.map((option) => [option.value, word(option)] as const)]}
        />
      );
    case "multi-select": {
      const { value, onChange, error } = form.control<string[] | null | undefined>(path);
      const chosen = value ?? [];
      return (
        <Group name={path} {...frame} error={error}>
          <div className={choices.length > BOXES ? styles.manyBoxes : styles.boxes}>
            {choices.map((option) => (
              <CheckField
                key={option.value}
                label={
                  <bdi className={option.archived ? styles.quiet : undefined}>{word(option)}</bdi>
                }
                checked={chosen.includes(option.value)}
                onChange={({ currentTarget }) => {
                  const next = currentTarget.checked
                    ? [...chosen, option.value]
                    : chosen.filter((one) => one !== option.value);
                  onChange(next.length === 0 ? null : next);
                }}
              />
            ))}
          </div>
        </Group>
      );
    }
    case "person":
      return <PersonCombo {...form.control<string | null | undefined>(path)} {...frame} />;
  }
}

type Frame = { label: string; help: string | undefined };

function NumberInput({
  form,
  path,
  frame,
  type,
}: {
  form: Form;
  path: string;
  frame: Frame;
  type: "integer" | "decimal";
}) {
  const { value, onChange, ...rest } = form.control<number | string | null | undefined>(path);
  return (
    <TextField
      {...rest}
      {...frame}
      // The text is kept while it is typed, so that "1." can become "1.5".
      defaultValue={value ?? ""}
      inputMode={type === "integer" ? "numeric" : "decimal"}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(numberFrom(currentTarget.value))}
    />
  );
}

/** A day and a time. The browser shows and reads it in its own zone. */
function TimestampInput({ form, path, frame }: { form: Form; path: string; frame: Frame }) {
  const { value, onChange, ...rest } = form.control<string | null | undefined>(path);
  return (
    <TextField
      {...rest}
      {...frame}
      type="datetime-local"
      value={localOf(value)}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value);
        onChange(Number.isNaN(moment.getTime()) ? null : moment.toISOString());
      }}
    />
  );
}

function localOf(moment: string | null | undefined): string {
  if (!moment) return "";
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
