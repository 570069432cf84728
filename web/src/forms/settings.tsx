import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Pencil, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { mayWrite } from "../app/may.ts";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { type FormRecord, readForm, saveForm } from "../data/forms.ts";
import { namesOptions } from "../data/names.ts";
import { peopleNamesOptions } from "../data/people-search.ts";
import { useCellWords } from "../records/cell-words.ts";
import { PersonCombo } from "../records/person-combo.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Card, Facts, Line, Lines } from "../ui/card.tsx";
import { CheckField, Group, TextArea, TextField } from "../ui/field.tsx";
import { accountTimeZone, formatMoment, formatNumber } from "../ui/format.ts";
import { Ltr } from "../ui/text.tsx";
import styles from "./forms.module.css";
import { momentOf, wallOf } from "../ui/moments.ts";
import { NamedField } from "./named-field.tsx";

/** What a form is called, what follows from a submission, when it is open, and what becomes of the data. */
export function Settings({ form }: { form: FormRecord }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <About form={form} />
        <Opening form={form} />
      </div>
      <div className={styles.column}>
        <Following form={form} />
        <Privacy form={form} />
      </div>
    </div>
  );
}

/** Some settings, which become a form. */
function SettingsCard({
  record,
  card,
  title,
  names,
  facts,
  children,
}: {
  record: FormRecord;
  card: string;
  title: ReactNode;
  names: readonly (keyof FormRecord)[];
  facts: (readonly [ReactNode, ReactNode] | false)[];
  children: (form: Form) => ReactNode;
}) {
  const { t } = useLingui();
  const draft = useDraft({ type: "forms", id: record.id, card });
  const [isOpen, setOpen] = useState(false);
  const isEditable = names.some((name) => mayWrite(record, name));
  if (isOpen)
    return (
      <SettingsForm
        record={record}
        card={card}
        title={title}
        names={names}
        onDone={() => setOpen(false)}
      >
        {children}
      </SettingsForm>
    );
  const isEmpty = facts.every((fact) => fact === false || !fact[1]);
  return (
    <Card
      title={title}
      action={
        isEditable && (
          <Button kind="quiet" icon={<Pencil size={15} />} onClick={() => setOpen(true)}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {draft.isKept && isEditable && (
        <DraftOffer onContinue={() => setOpen(true)} onDrop={draft.drop} />
      )}
      {isEmpty ? <span>{t`Nothing entered yet`}</span> : <Facts facts={facts} />}
    </Card>
  );
}

function SettingsForm({
  record,
  card,
  title,
  names,
  onDone,
  children,
}: {
  record: FormRecord;
  card: string;
  title: ReactNode;
  names: readonly (keyof FormRecord)[];
  onDone: () => void;
  children: (form: Form) => ReactNode;
}) {
  const valuesOf = (one: FormRecord): Values =>
    Object.fromEntries(
      names.map((name) => [name, name === "owner" ? (one.owner?.id ?? null) : one[name]]),
    );
  const form = useForm<FormRecord>({
    base: valuesOf(record),
    record,
    draft: { type: "forms", id: record.id, card },
    send: (changes, options) => saveForm(record.id, changes, options),
    read: () => readForm(record.id),
    valuesOf,
    touches: ["forms"],
    onSaved: onDone,
    onCancel: onDone,
  });
  return (
    <EditForm form={form as Form} title={title} isFilled={false}>
      {children(form as Form)}
    </EditForm>
  );
}

function About({ form: record }: { form: FormRecord }) {
  const { t } = useLingui();
  const { cell, course, owner } = record;
  const place = cell ?? course;
  return (
    <SettingsCard
      record={record}
      card="about"
      title={<Trans>About</Trans>}
      names={["name", "description", "slug", "owner"]}
      facts={[
        [t`Name`, <bdi key="name">{record.name}</bdi>],
        [
          t`Introduction`,
          record.description && <span className={styles.lines}>{record.description}</span>,
        ],
        [t`Short address`, record.slug && <Ltr>{record.slug}</Ltr>],
        [t`Belongs to`, place?.name && <bdi>{place.name}</bdi>],
        [t`In charge`, owner?.["full-name"] && <bdi>{owner["full-name"]}</bdi>],
      ]}
    >
      {(form) => (
        <>
          <TextField {...form.text("name")} label={t`Name`} maxLength={200} autoComplete="off" />
          <TextArea
            {...form.text("description")}
            label={t`Introduction`}
            help={t`Visitors read it above the questions.`}
            maxLength={5000}
          />
          <TextField
            {...form.text("slug")}
            label={t`Short address`}
            help={t`Small letters, digits and hyphens, such as "new-here". Printed codes stop working when it changes.`}
            dir="ltr"
            autoComplete="off"
            maxLength={80}
          />
          <PersonCombo {...form.control<string | null>("owner")} label={t`In charge`} />
        </>
      )}
    </SettingsCard>
  );
}

function Opening({ form: record }: { form: FormRecord }) {
  const { t } = useLingui();
  const zone = accountTimeZone();
  const moment = (form: Form, name: string, label: string) => {
    const { value, onChange, ...rest } = form.control<string | null>(name);
    return (
      <TextField
        {...rest}
        label={label}
        type="datetime-local"
        value={value ? wallOf(value, zone) : ""}
        onChange={({ currentTarget: { value: wall } }) =>
          onChange(wall === "" ? null : momentOf(wall, zone))
        }
      />
    );
  };
  const [opens, closes, most, hourly] = [
    record["opens-at"],
    record["closes-at"],
    record["max-submissions"],
    record["max-per-hour"],
  ];
  return (
    <SettingsCard
      record={record}
      card="opening"
      title={<Trans>When it is open</Trans>}
      names={["opens-at", "closes-at", "max-submissions", "max-per-hour", "requires-login"]}
      facts={[
        [t`From`, opens && formatMoment(opens)],
        [t`Until`, closes && formatMoment(closes)],
        [t`At most`, most && formatNumber(most)],
        [t`In an hour at most`, hourly && formatNumber(hourly)],
        [
          t`For`,
          record["requires-login"] ? t`people with a log-in` : t`everybody who has the address`,
        ],
      ]}
    >
      {(form) => (
        <>
          <div className={styles.pair}>
            {moment(form, "opens-at", t`From`)}
            {moment(form, "closes-at", t`Until`)}
          </div>
          <TextField
            {...numberOf(form, "max-submissions")}
            label={t`Closes after this many were sent`}
            min={1}
          />
          <TextField
            {...numberOf(form, "max-per-hour")}
            label={t`Takes at most in an hour`}
            help={t`Raise it before a whole congregation scans the code.`}
            min={10}
            max={10000}
            required
          />
          <CheckField
            {...checkOf(form, "requires-login")}
            label={t`Only for people with a log-in`}
          />
        </>
      )}
    </SettingsCard>
  );
}

const numberOf = (form: Form, name: string) => {
  const { onChange, ...rest } = form.text(name);
  return {
    ...rest,
    type: "number",
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ currentTarget: { value: (value === "" ? null : Number(value)) as never } }),
  } as const;
};

/** A box to tick has no error of its own. */
function checkOf(form: Form, name: string) {
  const { error: _, ...check } = form.check(name);
  return check;
}

function Following({ form: record }: { form: FormRecord }) {
  const { t } = useLingui();
  const { one: cellWord } = useCellWords();
  const actions = record.actions ?? {};
  const [cell, courseClass, notified] = [
    actions["add-to-cell"] ?? null,
    actions["enroll-in-class"] ?? null,
    actions.notify ?? [],
  ];
  const cells = useQuery({ ...namesOptions("cells", [cell ?? ""]), enabled: cell !== null });
  const classes = useQuery({
    ...namesOptions("course-classes", [courseClass ?? ""]),
    enabled: courseClass !== null,
  });
  const people = useQuery({ ...peopleNamesOptions(notified), enabled: notified.length > 0 });
  const names = notified.flatMap((id) => people.data?.get(id) ?? []);
  return (
    <SettingsCard
      record={record}
      card="following"
      title={<Trans>After somebody sends it</Trans>}
      names={["actions", "confirmation-message", "confirmation-email"]}
      facts={[
        [
          t`Person`,
          actions["create-or-match-person"]
            ? t`is linked or added when you accept`
            : t`is not linked`,
        ],
        [cellWord, cells.data?.[0] && <bdi>{cells.data[0].name}</bdi>],
        [t`Class`, classes.data?.[0] && <bdi>{classes.data[0].name}</bdi>],
        [t`Gets a mail`, names.length > 0 ? <bdi>{names.join(", ")}</bdi> : null],
        [
          t`Thanks`,
          record["confirmation-message"] && (
            <span className={styles.lines}>{record["confirmation-message"]}</span>
          ),
        ],
        [
          t`E-mail address`,
          record["confirmation-email"] ? t`is confirmed by a link that is mailed to it` : null,
        ],
      ]}
    >
      {(form) => (
        <>
          <CheckField
            {...checkOf(form, "actions.create-or-match-person")}
            label={t`Link to a person, or add a new one`}
          />
          <NamedField
            {...form.control<string | null>("actions.add-to-cell")}
            type="cells"
            label={t`Then add to: ${cellWord}`}
          />
          <NamedField
            {...form.control<string | null>("actions.enroll-in-class")}
            type="course-classes"
            label={t`Then enroll in the class`}
          />
          <Notified {...form.control<readonly string[] | null>("actions.notify")} />
          <TextArea
            {...form.text("confirmation-message")}
            label={t`Thanks`}
            help={t`Visitors read it after they sent the form.`}
            maxLength={2000}
          />
          <CheckField
            {...checkOf(form, "confirmation-email")}
            label={t`Mail a link, so that visitors confirm their e-mail address`}
          />
        </>
      )}
    </SettingsCard>
  );
}

/** The people who get a mail when somebody sends the form. */
function Notified({
  name,
  value,
  onChange,
  error,
}: {
  name: string;
  value: readonly string[] | null;
  onChange: (ids: readonly string[]) => void;
  error?: ReactNode;
}) {
  const { t } = useLingui();
  const ids = value ?? [];
  const { data: names } = useQuery({ ...peopleNamesOptions(ids), enabled: ids.length > 0 });
  return (
    <Group
      name={name}
      label={t`Gets a mail`}
      help={t`The mail says that something arrived. It contains no answers.`}
      error={error}
    >
      {ids.length > 0 && (
        <Lines>
          {ids.map((id) => {
            const person = names?.get(id) ?? "…";
            return (
              <Line key={id} title={person}>
                <IconButton
                  label={t`Remove ${person}`}
                  icon={<X size={18} />}
                  onClick={() => onChange(ids.filter((one) => one !== id))}
                />
              </Line>
            );
          })}
        </Lines>
      )}
      {ids.length < 10 && (
        <PersonCombo
          key={ids.length}
          name={`${name}.add`}
          label={t`Add a person`}
          value={null}
          exclude={ids}
          onChange={(id) => id && onChange([...ids, id])}
        />
      )}
    </Group>
  );
}

function Privacy({ form: record }: { form: FormRecord }) {
  const { t } = useLingui();
  const days = record["retention-days"];
  return (
    <SettingsCard
      record={record}
      card="privacy"
      title={<Trans>Privacy</Trans>}
      names={["privacy-notice", "retention-days", "challenge"]}
      facts={[
        [
          t`Privacy notice`,
          record["privacy-notice"] && (
            <span className={styles.lines}>{record["privacy-notice"]}</span>
          ),
        ],
        [t`Answers are deleted after`, t`${formatNumber(days)} days`],
        [t`Robots`, record.challenge === "pow" ? t`are slowed down` : t`are not slowed down`],
      ]}
    >
      {(form) => {
        const { value, onChange, ...challenge } = form.control<string>("challenge");
        return (
          <>
            <TextArea
              {...form.text("privacy-notice")}
              label={t`Privacy notice`}
              help={t`Say what the answers are used for. Visitors must agree before they send.`}
              maxLength={20000}
            />
            <TextField
              {...numberOf(form, "retention-days")}
              label={t`Delete answers after days`}
              min={30}
              max={1825}
            />
            <CheckField
              name={challenge.name}
              label={t`Slow down robots`}
              checked={value === "pow"}
              onChange={({ currentTarget: { checked } }) => onChange(checked ? "pow" : "none")}
            />
          </>
        );
      }}
    </SettingsCard>
  );
}
