import { Trans, useLingui } from "@lingui/react/macro";
import { Pencil } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { mayWrite } from "../app/may.ts";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { changePerson, personAgain, type PersonRecord } from "../data/person.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { orderedPhones, type PhoneValue } from "../ui/phones-field.tsx";

export type PersonField = {
  /** The attributes of the field. Without any of them in the record, the field is left out. */
  names: readonly string[];
  label: ReactNode;
  /** Null leaves the field out of the card until it is edited. */
  shown: ReactNode;
  input: (form: Form) => ReactNode;
};

/** The values of a record by the names that a change uses. */
export function valuesOfPerson(person: PersonRecord, names: readonly string[]): Values {
  const record: Values = { ...person };
  return Object.fromEntries(
    names
      .filter((name) => record[name] !== undefined)
      .map((name) => [
        name,
        name === "phones"
          ? person.phones?.map(typedPhone)
          : name === "tags"
            ? person.tags.map(({ id }) => id)
            : record[name],
      ]),
  );
}

/** A number as people write it. The service reads it back to the same number. */
const typedPhone = ({
  display,
  number,
  ...rest
}: PhoneValue & { display?: string }): PhoneValue => ({
  ...rest,
  number: display ?? number,
});

const isPresent = (person: PersonRecord, names: readonly string[]) =>
  names.some((name) => (person as unknown as Values)[name.split(".")[0] ?? name] !== undefined);

/** Some attributes of a person, which become a form. A caller who may write none of them gets no Edit. */
export function PersonCard({
  person,
  card,
  title,
  fields,
  startsOpen = false,
  above,
}: {
  person: PersonRecord;
  card: string;
  title: ReactNode;
  fields: readonly PersonField[];
  startsOpen?: boolean;
  above?: ReactNode;
}) {
  const { t } = useLingui();
  const draft = useDraft({ type: "people", id: person.id, card });
  const [isOpen, setOpen] = useState(startsOpen);
  const edit = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      edit.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const present = fields.filter(({ names }) => isPresent(person, names));
  if (present.length === 0) return null;
  const isEditable = present.some(({ names }) => names.some((name) => mayWrite(person, name)));
  const shown = present.filter((field) => field.shown !== null && field.shown !== undefined);
  if (isOpen && isEditable)
    return (
      <PersonForm
        person={person}
        card={card}
        title={title}
        fields={present}
        onDone={() => setOpen(false)}
      />
    );
  if (shown.length === 0 && !isEditable && !above) return null;
  return (
    <Card
      title={title}
      action={
        isEditable && (
          <Button
            kind="quiet"
            icon={<Pencil size={15} />}
            ref={edit}
            data-edit={card}
            onClick={() => setOpen(true)}
          >
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {draft.isKept && isEditable && (
        <DraftOffer onContinue={() => setOpen(true)} onDrop={draft.drop} />
      )}
      {above}
      {shown.length > 0 ? (
        <Facts facts={shown.map((field) => [field.label, field.shown] as const)} />
      ) : (
        !above && <span>{t`Nothing entered yet`}</span>
      )}
    </Card>
  );
}

function PersonForm({
  person,
  card,
  title,
  fields,
  onDone,
}: {
  person: PersonRecord;
  card: string;
  title: ReactNode;
  fields: readonly PersonField[];
  onDone: () => void;
}) {
  const writable = fields.filter(({ names }) => names.some((name) => mayWrite(person, name)));
  // A custom field is written as a member of one attribute.
  const names = [
    ...new Set(writable.flatMap((field) => field.names.map((name) => name.split(".")[0] ?? name))),
  ];
  const form = useForm<PersonRecord>({
    base: valuesOfPerson(person, names),
    record: person,
    draft: { type: "people", id: person.id, card },
    send: (changes, options) => changePerson(person.id, changes, options),
    read: () => personAgain(person.id),
    valuesOf: (record) => valuesOfPerson(record, names),
    prepare: (values) =>
      values["phones"] === undefined
        ? values
        : { ...values, phones: orderedPhones(values["phones"] as PhoneValue[]) },
    touches: ["people", "person-duplicates"],
    onSaved: onDone,
    onCancel: onDone,
  });
  return (
    <EditForm form={form} title={title}>
      {fields.map((field) => (
        <Fragment key={field.names.join()}>
          {writable.includes(field)
            ? field.input(form as Form)
            : field.shown !== null && <Facts facts={[[field.label, field.shown]]} />}
        </Fragment>
      ))}
    </EditForm>
  );
}
