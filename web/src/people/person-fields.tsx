import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { useSession } from "../app/session.tsx";
import type { Form } from "../app/use-form.tsx";
import type { PersonRecord } from "../data/person.ts";
import { admissionMethods, maritalStatuses, membershipStatuses, sexes } from "../records/enums.ts";
import { AddressField, AddressText, type AddressValue } from "../ui/address-field.tsx";
import { countries, countryName } from "../ui/countries.ts";
import { BirthdayField, DateField } from "../ui/date-field.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { formatDate, formatMonthDay } from "../ui/format.ts";
import { PhonesField, type PhoneValue } from "../ui/phones-field.tsx";
import { Ltr, VisuallyHidden } from "../ui/text.tsx";
import { LANGUAGES } from "../app/languages.ts";
import { EmailsField, IdentityDocumentsField } from "./lists-field.tsx";
import type { PersonField } from "./person-card.tsx";
import styles from "./person.module.css";
import { PhoneLines } from "./phone-lines.tsx";
import { TagsField, TagsText } from "./tags-field.tsx";

type Choices<Value extends string> = Readonly<Record<Value, MessageDescriptor>>;

type PersonCards = "contact" | "address" | "emergency" | "church" | "personal" | "sensitive";

/** The fields of the cards of a person, with their words, their values and their inputs. */
export function usePersonFields(person: PersonRecord): Record<PersonCards, PersonField[]> {
  const { t, i18n } = useLingui();
  const { account } = useSession();

  const text = (
    name: string,
    label: string,
    value: string | null | undefined,
    more: { help?: ReactNode; type?: string; dir?: "ltr"; maxLength?: number } = {},
  ): PersonField => ({
    names: [name],
    label,
    shown: value ? <bdi>{value}</bdi> : null,
    input: (form) => <TextField {...form.text(name)} label={label} autoComplete="off" {...more} />,
  });

  const date = (name: string, label: string, value: string | null | undefined): PersonField => ({
    names: [name],
    label,
    shown: value ? formatDate(value, "long") : null,
    input: (form) => <DateField {...form.control<string | null>(name)} label={label} />,
  });

  const choice = <Value extends string>(
    name: string,
    label: string,
    words: Choices<Value>,
    value: Value | null | undefined,
  ): PersonField => ({
    names: [name],
    label,
    shown: value ? i18n._(words[value]) : null,
    input: (form) => (
      <SelectField
        {...form.text(name)}
        label={label}
        options={[
          ["", "–"],
          ...Object.entries(words).map(
            ([key, word]) => [key, i18n._(word as MessageDescriptor)] as const,
          ),
        ]}
      />
    ),
  });

  const labels = account.settings["member-statuses"] ?? {};
  const statusWords = (status: keyof typeof membershipStatuses) =>
    labels[status] ?? i18n._(membershipStatuses[status]);

  const { phones = [] } = person;
  const contact: PersonField[] = [
    {
      names: ["phones"],
      label: phones.length > 1 ? t`Phones` : t`Phone`,
      shown: phones.length > 0 ? <PhoneLines person={person} phones={phones} /> : null,
      input: (form) => (
        <PhonesField
          {...form.control<PhoneValue[]>("phones")}
          label={t`Phones`}
          errorOf={inputErrors(form, "phones")}
        />
      ),
    },
    {
      ...text("email", t`E-mail`, person.email, {
        type: "email",
        dir: "ltr",
        maxLength: 254,
        help: person["has-login"]
          ? t`This is the log-in name. The person logs in with the new address from then on.`
          : t`After an invitation, the person logs in with this address.`,
      }),
      shown: person.email ? (
        <a href={`mailto:${person.email}`}>
          <Ltr>{person.email}</Ltr>
        </a>
      ) : null,
    },
    {
      names: ["other-emails"],
      label: t`Other e-mail addresses`,
      shown: person["other-emails"]?.length ? (
        <ul>
          {person["other-emails"].map((email) => (
            <li key={email}>
              <a href={`mailto:${email}`}>
                <Ltr>{email}</Ltr>
              </a>
            </li>
          ))}
        </ul>
      ) : null,
      input: (form) => (
        <EmailsField
          {...form.control<string[]>("other-emails")}
          label={t`Other e-mail addresses`}
          errorOf={inputErrors(form, "other-emails")}
        />
      ),
    },
  ];

  const address: PersonField[] = [
    {
      names: ["address"],
      label: t`Address`,
      shown: person.address ? <AddressText address={person.address} /> : null,
      input: (form) => (
        <AddressField
          {...form.control<AddressValue | null>("address")}
          label={<VisuallyHidden>{t`Address`}</VisuallyHidden>}
          errorOf={inputErrors(form, "address")}
          defaultCountry={account.settings.country}
        />
      ),
    },
  ];

  const emergency: PersonField[] = [
    {
      names: ["emergency-contact"],
      label: t`In an emergency`,
      shown: person["emergency-contact"] ? (
        <EmergencyContact contact={person["emergency-contact"]} />
      ) : null,
      input: (form) => <EmergencyInputs form={form} />,
    },
  ];

  const status = person["membership-status"];
  const isMember = status === "member";
  const since =
    (isMember && person["member-since"]) || person["membership-status-changed-at"]?.slice(0, 10);
  const church: PersonField[] = [
    {
      names: ["membership-status"],
      label: t`Status`,
      shown: (
        <>
          {status && statusWords(status)}{" "}
          {since && <span className={styles.quiet}>{t`since ${formatDate(since, "month")}`}</span>}
        </>
      ),
      input: (form) => (
        <SelectField
          {...form.text("membership-status")}
          label={t`Status`}
          options={(Object.keys(membershipStatuses) as (keyof typeof membershipStatuses)[]).map(
            (status) => [status, statusWords(status)] as const,
          )}
        />
      ),
    },
    // The status shows the day of a member.
    {
      ...date("member-since", t`Member since`, person["member-since"]),
      ...(isMember && { shown: null }),
    },
    choice("admission-method", t`Received by`, admissionMethods, person["admission-method"]),
    date("decision-date", t`Decision`, person["decision-date"]),
    {
      names: ["is-baptized"],
      label: t`Baptized`,
      shown:
        person["is-baptized"] === true ? t`yes` : person["is-baptized"] === false ? t`no` : null,
      input: (form) => <ThreeStates form={form} name="is-baptized" label={t`Baptized`} />,
    },
    date("baptism-date", t`Day of baptism`, person["baptism-date"]),
    text("previous-church", t`Previous church`, person["previous-church"], { maxLength: 200 }),
    date("left-at", t`Left on`, person["left-at"]),
    text("left-reason", t`Reason for leaving`, person["left-reason"], { maxLength: 500 }),
    {
      names: ["tags"],
      label: t`Tags`,
      shown: person.tags?.length > 0 ? <TagsText tags={person.tags} /> : null,
      input: (form) => (
        <TagsField {...form.control<string[]>("tags")} label={t`Tags`} kept={person.tags} />
      ),
    },
  ];

  const personal: PersonField[] = [
    { ...text("full-name", t`Full name`, person["full-name"], { maxLength: 255 }), shown: null },
    text("preferred-name", t`Called`, person["preferred-name"], { maxLength: 100 }),
    { ...text("first-name", t`First name`, person["first-name"], { maxLength: 120 }), shown: null },
    { ...text("last-name", t`Last name`, person["last-name"], { maxLength: 120 }), shown: null },
    text("former-name", t`Former name`, person["former-name"], { maxLength: 120 }),
    {
      names: ["birthdate", "birth-month-day"],
      label: t`Birthday`,
      shown: person.birthdate
        ? formatDate(person.birthdate, "long")
        : person["birth-month-day"]
          ? formatMonthDay(person["birth-month-day"])
          : null,
      input: (form) => {
        const birthdate = form.control<string | null>("birthdate");
        const monthDay = form.control<string | null>("birth-month-day");
        return (
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
        );
      },
    },
    choice("sex", t`Sex`, sexes, person.sex),
    choice("marital-status", t`Marital status`, maritalStatuses, person["marital-status"]),
    date("wedding-date", t`Wedding`, person["wedding-date"]),
    text("occupation", t`Occupation`, person.occupation, { maxLength: 120 }),
    {
      names: ["nationality"],
      label: t`Nationality`,
      shown: person.nationality ? countryName(person.nationality) : null,
      input: (form) => (
        <SelectField
          {...form.text("nationality")}
          label={t`Nationality`}
          options={[["", "–"], ...countries()]}
        />
      ),
    },
    {
      names: ["locale"],
      label: t`Language`,
      shown: person.locale ? languageName(person.locale) : null,
      input: (form) => (
        <SelectField
          {...form.text("locale")}
          label={t`Language`}
          help={t`For this app and for mail to this person.`}
          options={localeOptions(person.locale)}
        />
      ),
    },
    date("deathdate", t`Died on`, person.deathdate),
  ];

  const sensitive: PersonField[] = [
    {
      names: ["identity-documents"],
      label: t`Identity documents`,
      shown: person["identity-documents"]?.length ? (
        <ul>
          {person["identity-documents"].map(({ kind, number, country }, index) => (
            <li key={index}>
              <bdi>{kind}</bdi> <Ltr>{number}</Ltr> {country && countryName(country)}
            </li>
          ))}
        </ul>
      ) : null,
      input: (form) => (
        <IdentityDocumentsField
          {...form.control<{ kind: string; number: string; country?: string | null }[]>(
            "identity-documents",
          )}
          label={t`Identity documents`}
          errorOf={inputErrors(form, "identity-documents")}
        />
      ),
    },
    {
      names: ["medical-notes"],
      label: t`Medical notes`,
      shown: person["medical-notes"] ? (
        <span className={styles.lines}>{person["medical-notes"]}</span>
      ) : null,
      input: (form) => (
        <TextArea {...form.text("medical-notes")} label={t`Medical notes`} maxLength={2000} />
      ),
    },
  ];

  return { contact, address, emergency, church, personal, sensitive };
}

/** The errors of the inputs inside a group. Each input is a place of its own. */
export const inputErrors = (form: Form, group: string) => (path: string) =>
  form.control(`${group}.${path}`).error;

const languageName = (locale: string) =>
  new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale;

function localeOptions(current: string | null | undefined): (readonly [string, string])[] {
  const known = Object.entries(LANGUAGES);
  const isKnown = !current || known.some(([tag]) => tag === current);
  return [["", "–"], ...known, ...(isKnown ? [] : [[current, languageName(current)] as const])];
}

/** Yes, no, or not known. */
export function ThreeStates({
  form,
  name,
  label,
  help,
}: {
  form: Form;
  name: string;
  label: ReactNode;
  help?: ReactNode;
}) {
  const { t } = useLingui();
  const { value, onChange, ...rest } = form.control<boolean | null | undefined>(name);
  return (
    <SelectField
      {...rest}
      label={label}
      help={help}
      value={value === true ? "yes" : value === false ? "no" : ""}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === "" ? null : currentTarget.value === "yes")
      }
      options={[
        ["", "–"],
        ["yes", t`yes`],
        ["no", t`no`],
      ]}
    />
  );
}

function EmergencyContact({
  contact: { name, phone, relationship },
}: {
  contact: NonNullable<PersonRecord["emergency-contact"]>;
}) {
  return (
    <>
      <bdi>{name}</bdi> {relationship && <span className={styles.quiet}>{relationship}</span>}{" "}
      {phone && (
        <a href={`tel:${phone}`}>
          <Ltr>{phone}</Ltr>
        </a>
      )}
    </>
  );
}

function EmergencyInputs({ form }: { form: Form }) {
  const { t } = useLingui();
  const { value, onChange } = form.control<Record<string, string | null> | null>(
    "emergency-contact",
  );
  const input = (part: "name" | "phone" | "relationship", label: string, maxLength: number) => (
    <TextField
      name={`emergency-contact.${part}`}
      label={label}
      maxLength={maxLength}
      autoComplete="off"
      type={part === "phone" ? "tel" : "text"}
      value={value?.[part] ?? ""}
      onChange={({ currentTarget }) => {
        const next = { ...value, [part]: currentTarget.value };
        onChange(Object.values(next).every((one) => !one) ? null : next);
      }}
      error={form.control(`emergency-contact.${part}`).error}
    />
  );
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{t`In an emergency`}</legend>
      {input("name", t`Name`, 200)}
      {input("phone", t`Phone`, 40)}
      {input("relationship", t`Relationship`, 60)}
    </fieldset>
  );
}
