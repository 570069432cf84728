import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { EditForm } from "../app/form.tsx";
import { useHolds } from "../app/may.ts";
import { type Form, useForm } from "../app/use-form.tsx";
import type { Values } from "../data/conflict.ts";
import { addMember, createHousehold } from "../data/households.ts";
import { changePerson } from "../data/person.ts";
import type { Typed } from "../data/same-person.ts";
import {
  addToGroup,
  createPerson,
  searchGroups,
  similarPeopleOptions,
} from "../data/people-search.ts";
import { useAlreadyHere } from "../records/already-here.tsx";
import { useCellWords } from "../records/cell-words.ts";
import { householdRoles, membershipStatuses } from "../records/enums.ts";
import { useMembershipWords } from "../records/membership-status.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Line, Lines } from "../ui/card.tsx";
import { ComboField, type Option } from "../ui/combo-field.tsx";
import { BirthdayField } from "../ui/date-field.tsx";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { Page } from "../ui/page.tsx";
import { orderedPhones, PhonesField, type PhoneValue } from "../ui/phones-field.tsx";
import { inputErrors } from "./person-fields.tsx";
import styles from "./person.module.css";

const route = getRouteApi("/frame/people/new");

/** What stays for the next person: the status, the group and the household. */
type Kept = { status: string; group: Option | null; family: Family | null };
type Family = { id: string; name: string };
/** What the form asks besides the attributes of the person. */
type Place = {
  "group": Option | null;
  "family": Family | null;
  "is-family": boolean;
  "household-role": Role;
};
type Role = keyof typeof householdRoles;
type Added = { id: string; name: string };

const textIn = (values: Values, name: string) => (values[name] as string | null | undefined) ?? "";

/** A new person, or one after the other. A family shares a household. */
export function NewPerson() {
  const { t } = useLingui();
  const start = route.useSearch();
  const [turn, setTurn] = useState(0);
  const [kept, setKept] = useState<Kept>({ status: "visitor", group: null, family: null });
  const [added, setAdded] = useState<readonly Added[]>([]);
  return (
    <Page
      title={<Trans>New person</Trans>}
      documentTitle={t`New person · People`}
      back={{ to: "/people", label: t`Back to the people` }}
    >
      <div className={styles.narrow}>
        <NewPersonForm
          key={turn}
          start={turn === 0 ? start : {}}
          kept={kept}
          isFirst={turn === 0}
          onNext={(next, person) => {
            setKept(next);
            setAdded([person, ...added]);
            setTurn(turn + 1);
          }}
        />
        <div aria-live="polite">
          {added.length > 0 && (
            <Card title={<Trans>Added just now</Trans>}>
              <Lines>
                {added.map(({ id, name }) => (
                  <Line
                    key={id}
                    face={<Avatar name={name} />}
                    title={
                      <Link to="/people/$id" params={{ id }}>
                        {name}
                      </Link>
                    }
                  />
                ))}
              </Lines>
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

function NewPersonForm({
  start,
  kept,
  isFirst,
  onNext,
}: {
  start: { name?: string; phone?: string };
  kept: Kept;
  isFirst: boolean;
  onNext: (kept: Kept, person: Added) => void;
}) {
  const { t, i18n } = useLingui();
  const { one: cellWord } = useCellWords();
  const statusWords = useMembershipWords();
  const navigate = useNavigate();
  const mayGroup = useHolds("cell-memberships:write");
  const mayHousehold = useHolds("households:write");
  const isOffice = useHolds("people:write");
  const isAnother = useRef(false);
  const progress = useRef<{ id?: string; name?: string; groupId?: string; family?: Family }>({});

  const base: Values = {
    "full-name": start.name ?? "",
    "phones": [{ "number": start.phone ?? "", "is-primary": true }],
    "email": null,
    "birthdate": null,
    "birth-month-day": null,
    "membership-status": isOffice ? kept.status : "prospect",
    "group": kept.group,
    "family": kept.family,
    "is-family": kept.family !== null,
    "household-role": kept.family ? "child" : "head",
  };

  /** The person, then the place in the group and in the household. Another attempt continues where the last one failed. */
  async function send(changes: Values, { idempotencyKey }: { idempotencyKey: string }) {
    const done = progress.current;
    const {
      group,
      family,
      "is-family": isFamily,
      "household-role": role,
      ...attributes
    } = changes as Values & Place;
    const person = done.id
      ? await changePerson(done.id, attributes, {})
      : await createPerson(
          { ...attributes, "full-name": textIn(attributes, "full-name") },
          idempotencyKey,
        );
    done.id = person.id;
    done.name = person["full-name"];
    if (group && done.groupId !== group.id) {
      await addToGroup(group.id, person.id, "participant", `${idempotencyKey}-group`);
      done.groupId = group.id;
    }
    if (isFamily && !done.family) {
      if (family)
        await addMember(
          { household: family.id, person: person.id, "household-role": role },
          `${idempotencyKey}-household`,
        );
      const last = done.name.split(/\s+/u).at(-1) ?? done.name;
      done.family =
        family ??
        (await createHousehold(
          { "name": t`Family ${last}`, "primary-contact": person.id },
          `${idempotencyKey}-household`,
        ));
    }
    return person;
  }

  const form = useForm({
    base,
    draft: { type: "people", id: "new", card: "new" },
    send,
    prepare: (values) => ({ ...values, phones: orderedPhones(values["phones"] as PhoneValue[]) }),
    touches: ["people", "households", "cells", "cell-memberships", "person-duplicates"],
    onSaved: () => {
      const { id, name: added = "", family = null } = progress.current;
      if (!id) return;
      const status = textIn(form.values, "membership-status");
      if (isAnother.current) {
        onNext({ status, group: group.value, family }, { id, name: added });
      } else void navigate({ to: "/people/$id", params: { id } });
    },
    onCancel: () => void navigate({ to: "/people" }),
  });

  const alreadyHere = useAlreadyHere();
  const name = textIn(form.values, "full-name");
  const phones = form.values["phones"] as PhoneValue[];
  const save = (addsAnother: boolean) => {
    isAnother.current = addsAnother;
    // Another attempt after the person was added continues with the group and the household.
    if (progress.current.id) return form.submit();
    const { birthdate: day, "birth-month-day": ofYear, email } = form.values;
    const typed = { name, phones: phones.map(({ number }) => number), email, birthdate: day };
    alreadyHere.check({ ...typed, monthDay: ofYear } as Typed, form.submit);
  };
  const group = form.control<Option | null>("group");
  const { value: family } = form.control<Family | null>("family");
  const isFamily = form.check("is-family");
  const home = <bdi>{family?.name}</bdi>;
  const birthdate = form.control<string | null>("birthdate");
  const monthDay = form.control<string | null>("birth-month-day");
  return (
    <>
      <EditForm
        form={form as Form}
        submit={<Trans>Save</Trans>}
        extra={
          <Button onClick={() => save(true)} busy={form.isBusy || alreadyHere.isChecking}>
            <Trans>Save and add another</Trans>
          </Button>
        }
        onSubmit={() => save(false)}
      >
        <TextField
          {...form.text("full-name")}
          label={t`Full name`}
          autoComplete="off"
          autoFocus
          maxLength={255}
          required
        />
        <Similar name={name} phone={phones[0]?.number ?? ""} email={textIn(form.values, "email")} />
        <PhonesField
          {...form.control<PhoneValue[]>("phones")}
          label={t`Phones`}
          errorOf={inputErrors(form as Form, "phones")}
        />
        <TextField
          {...form.text("email")}
          label={t`E-mail`}
          type="email"
          dir="ltr"
          autoComplete="off"
          maxLength={254}
        />
        <BirthdayField
          {...birthdate}
          monthDay={monthDay.value}
          error={birthdate.error ?? monthDay.error}
          label={t`Birthday`}
          help={t`Leave the year empty if it is not known.`}
          onChange={(day, ofYear) =>
            form.change({ ...form.values, "birthdate": day, "birth-month-day": ofYear })
          }
        />
        {isOffice && (
          <SelectField
            {...form.text("membership-status")}
            label={t`Status`}
            options={(Object.keys(membershipStatuses) as (keyof typeof membershipStatuses)[]).map(
              (status) => [status, statusWords(status)] as const,
            )}
          />
        )}
        {mayGroup && (
          <ComboField
            {...group}
            label={cellWord}
            search={async (text, signal) =>
              (await searchGroups(text, signal)).map((cell) => ({ id: cell.id, label: cell.name }))
            }
          />
        )}
        {mayHousehold &&
          (family ? (
            <>
              <CheckField label={<Trans>In the household {home}</Trans>} {...isFamily} />
              {isFamily.checked && (
                <SelectField
                  {...form.text("household-role")}
                  label={t`Place in the household`}
                  options={Object.entries(householdRoles).map(
                    ([value, words]) => [value, i18n._(words)] as const,
                  )}
                />
              )}
            </>
          ) : (
            <CheckField
              label={
                isFirst ? (
                  <Trans>Start a household for this family</Trans>
                ) : (
                  <Trans>Make a household</Trans>
                )
              }
              {...isFamily}
            />
          ))}
      </EditForm>
      {alreadyHere.question}
    </>
  );
}

const PAUSE_MS = 300;

/** People who may be the same. The next key asks again. */
function Similar(typed: { name: string; phone: string; email: string }) {
  const [asked, setAsked] = useState(typed);
  const { name, phone, email } = typed;
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ name, phone, email }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name, phone, email]);
  const { data } = useQuery({
    ...similarPeopleOptions(asked),
    enabled: asked.name.trim().length >= 3 || asked.phone.length >= 6 || asked.email.includes("@"),
    placeholderData: (previous) => previous,
  });
  return (
    <div aria-live="polite">
      {data !== undefined && data.length > 0 && (
        <div className={styles.similar}>
          <h2>
            <Trans>Perhaps already here</Trans>
          </h2>
          <Lines>
            {data.map((person) => (
              <Line
                key={person.id}
                face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
                title={
                  <Link to="/people/$id" params={{ id: person.id }}>
                    {person["full-name"]}
                  </Link>
                }
                detail={[person.phones?.[0]?.display, person.email].filter(Boolean).join(" · ")}
              />
            ))}
          </Lines>
        </div>
      )}
    </div>
  );
}
