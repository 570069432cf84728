import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { type Answers, type Question, shownQuestions } from "../data/form-answers.ts";
import { CheckField, Group, SelectField, TextArea, TextField } from "../ui/field.tsx";
import styles from "./forms.module.css";

/** The form as a phone shows it. Answers stay here, and let the conditions work. */
export function Preview({
  name,
  description,
  questions,
  notice,
}: {
  name: string;
  description?: string | null | undefined;
  questions: readonly Question[];
  notice?: string | null | undefined;
}) {
  const { t } = useLingui();
  const [answers, setAnswers] = useState<Answers>({});
  return (
    <section className={styles.preview} aria-label={t`Preview`}>
      <h2>
        <bdi>{name || t`New form`}</bdi>
      </h2>
      {description && <p className={styles.lines}>{description}</p>}
      {shownQuestions(questions, answers).map((question) => (
        <Asked
          key={question.key}
          question={question}
          value={answers[question.key]}
          onChange={(value) => setAnswers({ ...answers, [question.key]: value })}
        />
      ))}
      {notice && (
        <>
          <p className={`${styles.lines} ${styles.quiet}`}>{notice}</p>
          <CheckField label={<Trans>I agree</Trans>} />
        </>
      )}
      <span className={styles.previewButton} aria-hidden="true">
        <Trans>Send</Trans>
      </span>
    </section>
  );
}

const INPUTS = { email: "email", phone: "tel", number: "number", date: "date" } as const;

function Asked({
  question,
  value,
  onChange,
}: {
  question: Question;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { t } = useLingui();
  const { type, options } = question;
  const title = question.label || t`New question`;
  const label = question.required ? (
    <>
      <bdi>{title}</bdi> *
    </>
  ) : (
    <bdi>{title}</bdi>
  );
  const help = question.help ?? undefined;
  const text = typeof value === "string" ? value : "";
  const several = Array.isArray(value) ? (value as string[]) : [];
  switch (type) {
    case "hidden":
      return null;
    case "heading":
      return (
        <div>
          <h3 className={styles.previewHeading}>
            <bdi>{title}</bdi>
          </h3>
          {help && <p className={styles.lines}>{help}</p>}
        </div>
      );
    case "long-text":
      return (
        <TextArea
          label={label}
          help={help}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case "select":
      return (
        <SelectField
          label={label}
          help={help}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          options={[["", "–"], ...(options ?? []).map((one) => [one.value, one.label] as const)]}
        />
      );
    case "multi-select":
      return (
        <Group label={label} help={help}>
          {(options ?? []).map((option) => (
            <CheckField
              key={option.value}
              label={<bdi>{option.label}</bdi>}
              checked={several.includes(option.value)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(
                  checked
                    ? [...several, option.value]
                    : several.filter((one) => one !== option.value),
                )
              }
            />
          ))}
        </Group>
      );
    case "boolean":
    case "consent":
      return (
        <div>
          <CheckField
            label={label}
            checked={value === true}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />
          {help && <small className={styles.quiet}>{help}</small>}
        </div>
      );
    case "address":
      return <TextArea label={label} help={help} rows={3} />;
    default:
      return (
        <TextField
          label={label}
          help={help}
          type={type === "text" ? "text" : INPUTS[type]}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}
