import { Trans, useLingui } from "@lingui/react/macro";
import { Pencil, Plus } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { DraftOffer, EditForm, useDraft } from "../app/form.tsx";
import { mayWrite } from "../app/may.ts";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { changePerson, personAgain, type PersonRecord } from "../data/person.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts } from "../ui/card.tsx";
import { orderedPhones, type PhoneValue } from "../ui/phones-field.tsx";
import { Banner } from "../ui/states.tsx";

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

const attributeOf = (name: string) => name.split(".")[0] ?? name;
const keyOf = ({ names }: PersonField) => names.join();

const isPresent = (person: PersonRecord, { names }: PersonField) =>
  names.some((name) => (person as unknown as Values)[attributeOf(name)] !== undefined);

const isWritable = (person: PersonRecord, { names }: PersonField) =>
  names.some((name) => mayWrite(person, name));

/** Some attributes of a person, which become a form. A caller who may write none of them gets no Edit. */
export function PersonCard({
  person,
  card,
  title,
  fields,
  startsOpen = false,
  above,
  add,
}: {
  person: PersonRecord;
  card: string;
  title: ReactNode;
  fields: readonly PersonField[];
  startsOpen?: boolean;
  above?: ReactNode;
  /** "Add an address": the button that stands for an empty card. */
  add?: string;
}) {
  const { t } = useLingui();
  const draft = useDraft({ type: "people", id: person.id, card });
  const present = fields.filter((field) => isPresent(person, field));
  const isEditable = present.some((field) => isWritable(person, field));
  const [isOpen, setOpen] = useState(startsOpen && isEditable);
  const edit = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      edit.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const shown = present.filter((field) => field.shown !== null && field.shown !== undefined);
  if (isOpen)
    return (
      <PersonForm
        person={person}
        card={card}
        title={title}
        fields={fields}
        onDone={() => setOpen(false)}
      />
    );
  if (present.length === 0) return null;
  if (shown.length === 0 && !isEditable && !above) return null;
  if (shown.length === 0 && add !== undefined && !draft.isKept)
    return (
      <div>
        <Button
          kind="quiet"
          icon={<Plus size={16} />}
          ref={edit}
          data-edit={card}
          onClick={() => setOpen(true)}
        >
          {add}
        </Button>
      </div>
    );
  const [only] = shown;
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
      {shown.length === 1 && only && only.label === title ? (
        // The heading says already what it is.
        <div>{only.shown}</div>
      ) : shown.length > 0 ? (
        <Facts facts={shown.map((field) => [field.label, field.shown] as const)} />
      ) : (
        !above && <span>{t`Nothing entered yet`}</span>
      )}
    </Card>
  );
}

/** A form over some attributes of a person. */
export const usePersonForm = (
  person: PersonRecord,
  card: string,
  names: readonly string[],
  onDone: () => void,
) =>
  useForm<PersonRecord>({
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
  // A right that is lost while the form is open takes no input away.
  const [opened] = useState(() => {
    const present = fields.filter((field) => isPresent(person, field));
    const writable = present.filter((field) => isWritable(person, field));
    return {
      present: new Set(present.map(keyOf)),
      writable: new Set(writable.map(keyOf)),
      names: writable.flatMap(({ names }) => names),
    };
  });
  // A custom field is written as a member of one attribute.
  const names = [...new Set(opened.names.map(attributeOf))];
  const form = usePersonForm(person, card, names, onDone);
  return (
    <EditForm form={form} title={title}>
      {!fields.some((field) => isWritable(person, field)) && <Lost />}
      {fields
        .filter((field) => opened.present.has(keyOf(field)))
        .map((field) => (
          <Fragment key={keyOf(field)}>
            {opened.writable.has(keyOf(field))
              ? field.input(form as Form)
              : field.shown !== null && <Facts facts={[[field.label, field.shown]]} />}
          </Fragment>
        ))}
    </EditForm>
  );
}

/** What was typed stays, so that it can be copied. */
export const Lost = () => (
  <Banner tone="bad">
    <Trans>You may no longer change this. What you entered is still here, and is not saved.</Trans>
  </Banner>
);
