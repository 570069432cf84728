import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import type { NewNote, NewPerson } from "@vestry/sdk";
import { EditForm } from "../app/form.tsx";
import { closeOver } from "../app/opened.ts";
import { type QuickKind, useQuickKinds } from "../app/quick-kinds.ts";
import { recentRecords } from "../app/recent.ts";
import { useSession } from "../app/session.tsx";
import { useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { createNote } from "../data/notes.ts";
import { createPerson } from "../data/people-search.ts";
import { addVisitor } from "../data/quick-add.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { Segments } from "../ui/segments.tsx";
import { toast } from "../ui/toasts.tsx";
import { useAlreadyHere } from "./already-here.tsx";
import { PersonCombo } from "./person-combo.tsx";

/** Adds a record from any page and returns there. What was typed stays until it is saved or canceled. */
export default function QuickAdd({ kind: wanted }: { kind?: QuickKind | undefined }) {
  const { t } = useLingui();
  const kinds = useQuickKinds();
  const [kind, setKind] = useState(wanted ?? kinds[0]?.kind);
  const chosen = kinds.find((one) => one.kind === kind);
  if (!chosen) return null;
  return (
    <Dialog title={chosen.label} onClose={closeOver}>
      {kinds.length > 1 && wanted === undefined && (
        <Segments
          label={t`Kind`}
          value={chosen.kind}
          options={kinds.map((one) => [one.kind, one.label])}
          onChange={setKind}
        />
      )}
      {kind === "note" ? (
        <QuickNoteForm />
      ) : (
        <QuickPersonForm key={kind} isVisitor={kind === "visitor"} />
      )}
    </Dialog>
  );
}

/** A number that was left empty is not sent. */
const withoutEmptyPhone = (values: Values): Values => {
  const [phone] = values["phones"] as { number: string }[];
  return phone?.number.trim() === "" ? { ...values, phones: [] } : values;
};

function QuickPersonForm({ isVisitor }: { isVisitor: boolean }) {
  const { t } = useLingui();
  const { leads } = useSession();
  const [cell, setCell] = useState(leads[0]?.id ?? "");
  const form = useForm({
    base: { "full-name": "", phones: [{ number: "", "is-primary": true }] },
    draft: { type: "people", id: "new", card: isVisitor ? "quick-visitor" : "quick" },
    prepare: withoutEmptyPhone,
    send: (values, intent) =>
      isVisitor
        ? addVisitor(cell, values as NewPerson & Values, intent.idempotencyKey)
        : createPerson(values as NewPerson & Values, intent.idempotencyKey),
    touches: ["people", "cell-memberships", "cells"],
    onSaved: (person) => {
      if (person) toast(t`${person["full-name"]} was added.`);
      closeOver();
    },
    onCancel: closeOver,
  });
  const alreadyHere = useAlreadyHere();
  const save = () => {
    const { "full-name": name, phones } = form.values as {
      "full-name": string;
      "phones": { number: string }[];
    };
    alreadyHere.check({ name, phones: phones.map(({ number }) => number) }, form.submit);
  };
  return (
    <>
      <EditForm form={form} isPlain isFilled onSubmit={save}>
        <TextField
          label={<Trans>Name</Trans>}
          {...form.text("full-name")}
          maxLength={255}
          autoComplete="off"
          autoFocus
        />
        <TextField
          label={<Trans>Phone, if known</Trans>}
          {...form.text("phones.0.number")}
          type="tel"
          dir="ltr"
          autoComplete="off"
        />
        {isVisitor && leads.length > 1 && (
          <SelectField
            label={<Trans>Group</Trans>}
            value={cell}
            onChange={(event) => setCell(event.target.value)}
            options={leads.map(({ id, name }) => [id, name])}
          />
        )}
      </EditForm>
      {alreadyHere.question}
    </>
  );
}

/** A note about the person of the page, or about any other. */
function QuickNoteForm() {
  const { t } = useLingui();
  const [shown] = useState(() => recentRecords().find(({ id }) => location.pathname.endsWith(id)));
  const form = useForm({
    base: { about: shown?.type === "people" ? shown.id : null, text: "" },
    draft: { type: "notes", id: "new", card: "quick" },
    send: ({ about, text }, { idempotencyKey }) =>
      createNote(
        {
          text: (text ?? "") as string,
          // The service says that a note needs a subject.
          ...((about ? { about: { id: about, $type: "people" } } : {}) as Pick<NewNote, "about">),
        },
        idempotencyKey,
      ),
    touches: ["notes"],
    onSaved: () => {
      toast(t`The note was added.`);
      closeOver();
    },
    onCancel: closeOver,
  });
  return (
    <EditForm form={form} isPlain isFilled>
      <PersonCombo {...form.control<string | null>("about")} label={t`About`} />
      <TextArea label={t`Note`} {...form.text("text")} maxLength={20_000} rows={4} autoFocus />
    </EditForm>
  );
}
