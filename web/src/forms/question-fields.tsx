import { Trans, useLingui } from "@lingui/react/macro";
import { ChevronDown, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Form } from "../app/use-form.tsx";
import type { Choice, Question, QuestionType } from "../data/form-answers.ts";
import { maritalStatuses, sexes } from "../records/enums.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { CheckField, Group, SelectField, TextArea, TextField } from "../ui/field.tsx";
import styles from "./forms.module.css";
import {
  conditionsFor,
  hasLength,
  hasOptions,
  hasRange,
  isAsked,
  isBroken,
  isYesOrNo,
  newName,
  targetsOf,
} from "./questions.ts";
import { questionTypes, usePersonAttributes } from "./words.ts";

const MEMBERS = [
  "label",
  "type",
  "help",
  "options",
  "min",
  "max",
  "max-length",
  "maps-to",
  "show-if",
];

type Props = {
  form: Form;
  questions: readonly Question[];
  index: number;
};

/** Whether the service rejected a part of the question. Errors find the inputs of closed questions, too. */
export const isWrong = (form: Form, index: number): boolean =>
  [
    form.control(`fields.${index}`),
    ...MEMBERS.map((member) => form.control(`fields.${index}.${member}`)),
  ].some(({ error }) => Boolean(error));

/** The line of a question, which opens its inputs. */
export function QuestionLine({
  questions,
  index,
  isOpen,
  onOpen,
}: Omit<Props, "form"> & { isOpen: boolean; onOpen: (isOpen: boolean) => void }) {
  const { t, i18n } = useLingui();
  const { wordOf } = usePersonAttributes();
  const question = questions[index];
  if (!question) return null;
  const { label, type, "maps-to": target } = question;
  const facts = [
    i18n._(questionTypes[type]),
    question.required && isAsked(type) && t`required`,
    target && t`fills in: ${wordOf(target)}`,
    question["show-if"] && t`with a condition`,
  ];
  return (
    <button
      type="button"
      className={styles.question}
      aria-expanded={isOpen}
      onClick={() => onOpen(!isOpen)}
      data-question={index}
      data-name={`fields.${index}`}
    >
      <span className={styles.questionText}>
        <bdi>{label || t`New question`}</bdi>
        <small>{facts.filter(Boolean).join(" · ")}</small>
      </span>
      <ChevronDown size={16} data-turned={isOpen || undefined} />
    </button>
  );
}

/** The inputs of a question. Closed ones stay in the page, so that errors have their labels. */
export function QuestionFields({
  form,
  questions,
  index,
  isOpen,
  onChange,
  onRemove,
}: Props & {
  isOpen: boolean;
  onChange: (question: Question) => void;
  onRemove: () => void;
}) {
  const error = form.error(`fields.${index}`);
  return (
    <>
      {error && <div className={styles.error}>{error}</div>}
      {isBroken(questions, index) && (
        <p className={styles.error} role="status">
          <Trans>Its condition names a question that does not stand above it.</Trans>
        </p>
      )}
      <div className={styles.questionBody} hidden={!isOpen}>
        <Inputs form={form} questions={questions} index={index} onChange={onChange} />
        <div>
          <Button kind="danger" icon={<Trash2 size={16} />} onClick={onRemove}>
            <Trans>Remove the question</Trans>
          </Button>
        </div>
      </div>
    </>
  );
}

function Inputs({
  form,
  questions,
  index,
  onChange,
}: {
  form: Form;
  questions: readonly Question[];
  index: number;
  onChange: (question: Question) => void;
}) {
  const { t, i18n } = useLingui();
  const question = questions[index] as Question;
  const { type } = question;
  const name = `fields.${index}`;
  const help = form.text(`${name}.help`);
  const range = type === "date" ? "date" : "number";
  const limit = (member: "min" | "max", words: string) => (
    <TextField
      {...form.text(`${name}.${member}`)}
      onChange={({ currentTarget: { value } }) =>
        onChange({
          ...question,
          [member]: value === "" ? null : type === "number" ? Number(value) : value,
        })
      }
      label={words}
      type={range}
      step={type === "number" ? "any" : undefined}
    />
  );
  return (
    <>
      <TextField
        {...form.text(`${name}.label`)}
        label={type === "heading" ? t`Heading` : t`Question`}
        autoComplete="off"
        maxLength={300}
        required
      />
      <SelectField
        {...form.text(`${name}.type`)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...question, "type": value as QuestionType, "maps-to": null })
        }
        label={t`Kind of answer`}
        options={Object.entries(questionTypes).map(
          ([value, words]) => [value, i18n._(words)] as const,
        )}
      />
      {type === "hidden" && (
        <p className={styles.quiet}>
          {question.key.startsWith("new:") ? (
            <Trans>Its name in the address is made when the form is saved.</Trans>
          ) : (
            <Trans>
              Its name in the address is <code>{question.key}</code>. Share has an address to copy.
            </Trans>
          )}
        </p>
      )}
      {hasOptions(type) && (
        <Options
          name={`${name}.options`}
          error={form.error(`${name}.options`)}
          options={question.options ?? []}
          onChange={(options) => onChange({ ...question, options })}
        />
      )}
      {isAsked(type) && type !== "hidden" && (
        <CheckField
          {...checkOf(form, `${name}.required`)}
          label={type === "boolean" ? t`Must be answered` : t`Required`}
        />
      )}
      {type === "heading" ? (
        <TextArea {...help} label={t`Text below it`} rows={2} maxLength={500} />
      ) : (
        <TextField {...help} label={t`Help below it`} autoComplete="off" maxLength={500} />
      )}
      <Target form={form} question={question} name={`${name}.maps-to`} onChange={onChange} />
      {hasLength(type) && (
        <TextField
          {...form.text(`${name}.max-length`)}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...question, "max-length": value === "" ? null : Number(value) })
          }
          label={t`Longest answer, in characters`}
          type="number"
          min={1}
        />
      )}
      {hasRange(type) && (
        <div className={styles.pair}>
          {limit("min", type === "date" ? t`Earliest day` : t`Smallest number`)}
          {limit("max", type === "date" ? t`Latest day` : t`Largest number`)}
        </div>
      )}
      <Condition form={form} questions={questions} index={index} onChange={onChange} />
    </>
  );
}

/** A box to tick has no error of its own. */
function checkOf(form: Form, name: string) {
  const { error: _, ...check } = form.check(name);
  return check;
}

/** What the answer fills in at the person. Values of some attributes are known, so the options follow. */
function Target({
  form,
  question,
  name,
  onChange,
}: {
  form: Form;
  question: Question;
  name: string;
  onChange: (question: Question) => void;
}) {
  const { t, i18n } = useLingui();
  const { custom, wordOf } = usePersonAttributes();
  const targets = targetsOf(question.type, custom);
  if (targets.length === 0) return null;
  const known = (target: string): readonly Choice[] | undefined => {
    const words =
      target === "sex" ? sexes : target === "marital-status" ? maritalStatuses : undefined;
    if (words)
      return Object.entries(words).map(([value, word]) => ({ value, label: i18n._(word) }));
    const own = custom.find(([field]) => target === `custom-properties.${field}`);
    return own?.[1].options?.map(({ value, label }) => ({ value, label: label ?? value }));
  };
  return (
    <SelectField
      {...form.text(name)}
      onChange={({ currentTarget: { value } }) => {
        const options = known(value);
        onChange({
          ...question,
          "maps-to": value || null,
          "label": question.label || (value && wordOf(value)),
          ...(options && hasOptions(question.type) && { options }),
        });
      }}
      label={t`Fills in at the person`}
      options={[["", t`Nothing`], ...targets.map((one) => [one, wordOf(one)] as const)]}
    />
  );
}

function Options({
  name,
  error,
  options,
  onChange,
}: {
  name: string;
  error: ReactNode;
  options: readonly Choice[];
  onChange: (options: Choice[]) => void;
}) {
  const { t } = useLingui();
  return (
    <Group name={name} label={t`Choices`} error={error}>
      {options.map((option, at) => (
        <div key={option.value} className={styles.option}>
          <TextField
            label={t`Choice ${at + 1}`}
            name={`${name}.${at}.label`}
            value={option.label}
            maxLength={300}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) =>
              onChange(options.with(at, { ...option, label: value }))
            }
          />
          <IconButton
            label={t`Remove choice ${at + 1}`}
            icon={<Trash2 size={18} />}
            onClick={() => onChange(options.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          icon={<Plus size={16} />}
          onClick={() =>
            onChange([...options, { value: newName(options.map(({ value }) => value)), label: "" }])
          }
        >
          <Trans>Add a choice</Trans>
        </Button>
      </div>
    </Group>
  );
}

/** The question appears with one answer to an earlier question. */
function Condition({
  form,
  questions,
  index,
  onChange,
}: {
  form: Form;
  questions: readonly Question[];
  index: number;
  onChange: (question: Question) => void;
}) {
  const { t } = useLingui();
  const question = questions[index] as Question;
  const condition = question["show-if"];
  const possible = conditionsFor(questions, index);
  if (possible.length === 0 && !condition) return null;
  const other = questions.find(({ key }) => key === condition?.field);
  const name = `fields.${index}.show-if`;
  const answers =
    other && isYesOrNo(other.type)
      ? [["true", t`yes`] as const, ["false", t`no`] as const]
      : (other?.options ?? []).map(({ value, label }) => [value, label] as const);
  return (
    <div className={styles.pair}>
      <SelectField
        label={t`Show it only after`}
        name={`${name}.field`}
        value={condition?.field ?? ""}
        error={form.error(name)}
        onChange={({ currentTarget: { value } }) => {
          const chosen = questions.find(({ key }) => key === value);
          onChange({
            ...question,
            "show-if": chosen
              ? {
                  field: value,
                  equals: isYesOrNo(chosen.type) ? true : (chosen.options?.[0]?.value ?? ""),
                }
              : null,
          });
        }}
        options={[
          ["", t`Always show it`],
          ...possible.map(({ key, label }) => [key, label] as const),
          ...(condition && !possible.some(({ key }) => key === condition.field)
            ? [[condition.field, other?.label ?? "–"] as const]
            : []),
        ]}
      />
      {condition && (
        <SelectField
          label={t`Answered with`}
          name={`${name}.equals`}
          value={String(condition.equals)}
          onChange={({ currentTarget: { value } }) =>
            onChange({
              ...question,
              "show-if": {
                ...condition,
                equals: other && isYesOrNo(other.type) ? value === "true" : value,
              },
            })
          }
          options={answers}
        />
      )}
    </div>
  );
}
