import { Trans, useLingui } from "@lingui/react/macro";
import { EditForm } from "../app/form.tsx";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { changeNote, createNote, type NoteRecord, readNote } from "../data/notes.ts";
import { noteVisibilities } from "../records/enums.ts";
import { PersonCombo } from "../records/person-combo.tsx";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { addDays, today } from "../ui/format.ts";
import styles from "./person.module.css";

type About = { id: string; $type: "people" | "households" | "cells" };

const valuesOf = (note: NoteRecord): Values => ({
  "text": note.text,
  "kind": note.kind,
  "visibility": note.visibility,
  "follow-up-on": note["follow-up-on"],
  "assignee": note.assignee?.id ?? null,
});

const EMPTY: Values = {
  "text": "",
  "kind": null,
  "visibility": "scope",
  "follow-up-on": null,
  "assignee": null,
};

/** A note, with a day and a person for the follow-up if it needs one. */
export function NoteForm({
  about,
  note,
  onDone,
}: {
  about: About;
  note?: NoteRecord;
  onDone: () => void;
}) {
  const { t, i18n } = useLingui();
  const subject = { id: about.id, $type: about.$type };
  const form = useForm<NoteRecord>({
    base: note ? valuesOf(note) : EMPTY,
    record: note,
    draft: { type: "notes", id: note?.id ?? `new-${about.id}`, card: "note" },
    send: (changes, options) =>
      note
        ? changeNote(note.id, changes, options)
        : createNote({ ...(changes as { text: string }), about: subject }, options.idempotencyKey),
    read: note && (() => readNote(note.id)),
    valuesOf,
    touches: ["notes"],
    onSaved: onDone,
    onCancel: onDone,
  });
  const follow = form.control<string | null>("follow-up-on");
  const days = [
    [t`Tomorrow`, 1],
    [t`In a week`, 7],
    [t`In a month`, 30],
  ] as const;
  return (
    <EditForm form={form as Form} isPlain submit={<Trans>Save the note</Trans>}>
      <TextArea {...form.text("text")} label={t`Note`} maxLength={20_000} rows={4} autoFocus />
      <TextField
        {...form.text("kind")}
        label={t`Kind`}
        help={t`For example call, visit or prayer.`}
        maxLength={40}
        autoComplete="off"
        list="note-kinds"
      />
      <datalist id="note-kinds">
        {[t`call`, t`visit`, t`prayer`, t`conversation`].map((word) => (
          <option key={word}>{word}</option>
        ))}
      </datalist>
      <SelectField
        {...form.text("visibility")}
        label={t`Who reads it`}
        help={t`You and the person who follows up always read it.`}
        options={Object.entries(noteVisibilities).map(
          ([value, words]) => [value, i18n._(words)] as const,
        )}
      />
      <DateField key={follow.value} {...follow} label={t`Follow up on`} />
      <div className={styles.chips}>
        {days.map(([label, count]) => (
          <Button key={count} onClick={() => follow.onChange(addDays(today(), count))}>
            {label}
          </Button>
        ))}
      </div>
      {follow.value !== null && (
        <PersonCombo {...form.control<string | null>("assignee")} label={t`Who follows up`} />
      )}
    </EditForm>
  );
}
