import { useLingui } from "@lingui/react/macro";
import type { CustomFieldDefinition, Member } from "@vestry/sdk";
import type { ReactNode } from "react";
import { holds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import type { PeopleFields, PersonRow } from "../data/people-list.ts";
import type { Column } from "../ui/data-list.tsx";
import {
  dateOf,
  formatDate,
  formatList,
  formatMoment,
  formatMonthDay,
  formatNumber,
} from "../ui/format.ts";
import { firstPhone } from "../ui/reach-links.ts";
import { Ltr } from "../ui/text.tsx";
import { useCellWords } from "./cell-words.ts";
import { customFields } from "./custom-fields.ts";
import { admissionMethods, maritalStatuses, sexes } from "./enums.ts";
import { MembershipStatus, useMembershipWords } from "./membership-status.tsx";

/** A column of people: what it reads, its text for files and prints, and its look where that is more than the text. */
export type PersonColumn = Column<PersonRow> & {
  text: (person: PersonRow) => string;
  /** Its value in a file, where programs read it: a number without spaces, a day as in ISO 8601. */
  file?: ((person: PersonRow) => string) | undefined;
  reads: readonly Member<"people">[];
  include?: PeopleFields["include"][number];
};

export const DEFAULT_COLUMNS = ["email", "phone", "status", "cells"];

/** All columns that the caller can read, the name first. */
export function usePeopleColumns(): PersonColumn[] {
  const { t, i18n } = useLingui();
  const { one: cellWord } = useCellWords();
  const session = useSession();
  const statusWords = useMembershipWords();
  const seesDetails = holds(session, "person-details:read");
  const yesOrNo = (value: boolean | null | undefined) =>
    typeof value === "boolean" ? (value ? t`Yes` : t`No`) : "";

  const shown = {
    yesOrNo,
    day: (date: string | null | undefined) => (date ? formatDate(date) : ""),
    moment: (at: string | null | undefined) => (at ? formatMoment(at, "day") : ""),
  };
  const filed = {
    yesOrNo,
    day: (date: string | null | undefined) => date ?? "",
    moment: (at: string | null | undefined) => (at ? dateOf(at) : ""),
  };

  const plain = (
    id: string,
    header: string,
    reads: PersonColumn["reads"],
    text: PersonColumn["text"],
    more: Partial<PersonColumn> = {},
  ): PersonColumn => ({
    id,
    header,
    reads,
    text,
    cell: (person): ReactNode => <bdi title={text(person)}>{text(person)}</bdi>,
    width: [120, 1],
    ...more,
  });

  const dated =
    (kind: "day" | "moment") =>
    (
      id: string,
      header: string,
      read: Member<"people">,
      of: (person: PersonRow) => string | null | undefined,
      more: Partial<PersonColumn> = {},
    ) =>
      plain(id, header, [read], (person) => shown[kind](of(person)), {
        file: (person) => filed[kind](of(person)),
        ...more,
      });
  const [day, moment] = [dated("day"), dated("moment")];

  const columns: PersonColumn[] = [
    plain("name", t`Name`, ["full-name", "photo-url"], (person) => person["full-name"], {
      sort: "full-name",
      width: [240, 2],
    }),
    plain("email", t`E-mail`, ["email"], (person) => person.email ?? "", {
      width: [160, 1.5],
      cell: ({ email }) => email && <Ltr>{email}</Ltr>,
    }),
    plain("phone", t`Phone`, ["phones"], phoneOf, {
      file: (person) => firstPhone(person.phones)?.number ?? "",
      width: [140, 1.25],
      cell: (person) => phoneOf(person) && <Ltr>{phoneOf(person)}</Ltr>,
    }),
    plain(
      "status",
      t`Status`,
      ["membership-status"],
      ({ "membership-status": status }) => (status ? statusWords(status) : ""),
      {
        sort: "membership-status",
        width: [150, 1],
        cell: ({ "membership-status": status }) => status && <MembershipStatus status={status} />,
      },
    ),
    plain("cells", cellWord, ["cells"], ({ cells = [] }) => formatList(cells.map(nameOf)), {
      include: "cells",
      width: [130, 1.2],
    }),
    plain("preferred-name", t`Called`, ["preferred-name"], (p) => p["preferred-name"] ?? ""),
    plain(
      "birth-month-day",
      t`Birthday`,
      ["birth-month-day"],
      (p) => (p["birth-month-day"] ? formatMonthDay(p["birth-month-day"]) : ""),
      { file: (p) => p["birth-month-day"] ?? "", sort: "birth-month-day" },
    ),
    day(
      "last-attended",
      t`Last attended`,
      "attendance-summary",
      (p) => p["attendance-summary"]?.["last-attended-at"],
      { sort: "last-attended-at" },
    ),
    plain("absent", t`Missed in a row`, ["attendance-summary"], (p) =>
      numberText(p["attendance-summary"]?.["absent-streak"]),
    ),
    plain("rate", t`Came in 90 days`, ["attendance-summary"], (p) => {
      const rate = p["attendance-summary"]?.["rate-90d"];
      return typeof rate === "number" ? formatNumber(rate / 100, { style: "percent" }) : "";
    }),
    moment("created-at", t`Added`, "created-at", (p) => p["created-at"], {
      sort: "created-at",
    }),
    moment("modified-at", t`Changed`, "modified-at", (p) => p["modified-at"], {
      sort: "modified-at",
    }),
    plain("is-active", t`Active`, ["is-active"], (p) => yesOrNo(p["is-active"])),
  ];
  // The reduced view has no more attributes than these.
  if (!seesDetails && !holds(session, "people:write")) return columns;
  columns.push(
    day("birthdate", t`Born on`, "birthdate", (p) => p.birthdate, { sort: "birthdate" }),
    plain("age", t`Age`, ["age"], (p) => numberText(p.age)),
    plain("sex", t`Sex`, ["sex"], ({ sex }) => (sex ? i18n._(sexes[sex]) : "")),
    plain(
      "marital-status",
      t`Marital status`,
      ["marital-status"],
      ({ "marital-status": status }) => (status ? i18n._(maritalStatuses[status]) : ""),
    ),
    day("wedding-date", t`Wedding`, "wedding-date", (p) => p["wedding-date"]),
    plain("occupation", t`Occupation`, ["occupation"], (p) => p.occupation ?? ""),
    plain("former-name", t`Former name`, ["former-name"], (p) => p["former-name"] ?? ""),
    plain("other-emails", t`Other e-mails`, ["other-emails"], (p) =>
      formatList(p["other-emails"] ?? []),
    ),
    plain("address", t`Address`, ["address"], addressOf, { width: [180, 1.5] }),
    plain("city", t`City`, ["address"], (p) => p.address?.city ?? ""),
    plain("household", t`Household`, ["household"], (p) => p.household?.name ?? "", {
      include: "household",
    }),
    plain("tags", t`Tags`, ["tags"], ({ tags = [] }) => formatList(tags.map(nameOf)), {
      include: "tags",
    }),
    day("member-since", t`Member since`, "member-since", (p) => p["member-since"]),
    plain(
      "admission-method",
      t`Admitted by`,
      ["admission-method"],
      ({ "admission-method": method }) => (method ? i18n._(admissionMethods[method]) : ""),
    ),
    day("decision-date", t`Decision`, "decision-date", (p) => p["decision-date"]),
    plain("is-baptized", t`Baptized`, ["is-baptized"], (p) => yesOrNo(p["is-baptized"])),
    day("baptism-date", t`Baptized on`, "baptism-date", (p) => p["baptism-date"]),
    plain(
      "previous-church",
      t`Previous church`,
      ["previous-church"],
      (p) => p["previous-church"] ?? "",
    ),
    day("left-at", t`Left on`, "left-at", (p) => p["left-at"]),
    plain("left-reason", t`Reason for leaving`, ["left-reason"], (p) => p["left-reason"] ?? ""),
    day("deathdate", t`Died on`, "deathdate", (p) => p.deathdate),
    plain("has-login", t`Can log in`, ["has-login"], (p) => yesOrNo(p["has-login"])),
    moment("last-login-at", t`Last log-in`, "last-login-at", (p) => p["last-login-at"]),
  );
  // A field for a person holds an id, which says nothing to a reader.
  for (const [name, definition] of customFields(session.account["custom-properties"].people))
    if (definition.type !== "person") {
      const text = (words: typeof shown | typeof filed) => (person: PersonRow) =>
        customText(definition, person["custom-properties"]?.[name], words);
      columns.push(
        plain(`field.${name}`, definition.label ?? name, ["custom-properties"], text(shown), {
          file: text(filed),
        }),
      );
    }
  return columns;
}

function customText(
  { type, options = [] }: CustomFieldDefinition,
  value: unknown,
  words: {
    yesOrNo: (value: boolean) => string;
    day: (date: string) => string;
    moment: (at: string) => string;
  },
): string {
  const labelOf = (one: unknown) =>
    options.find((option) => option.value === one)?.label ?? `${one as string | number}`;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return formatList(value.map(labelOf));
  if (typeof value === "boolean") return words.yesOrNo(value);
  if (typeof value === "number") return formatNumber(value);
  if (typeof value !== "string") return "";
  if (type === "date") return words.day(value);
  if (type === "timestamp") return words.moment(value);
  return labelOf(value);
}

const nameOf = ({ name }: { name: string }) => name;

const numberText = (value: number | null | undefined) =>
  typeof value === "number" ? formatNumber(value) : "";

function phoneOf(person: PersonRow): string {
  const phone = firstPhone(person.phones);
  return phone?.display ?? phone?.number ?? "";
}

const addressOf = ({ address }: PersonRow): string =>
  [
    [address?.street, address?.number].filter(Boolean).join(" "),
    address?.complement,
    address?.neighborhood,
    [address?.["postal-code"], address?.city].filter(Boolean).join(" "),
  ]
    .filter(Boolean)
    .join(", ");

/** The chosen columns after the name. Names that do not exist, or that the caller may not read, are left out. */
export function chooseColumns(
  all: readonly PersonColumn[],
  ids: readonly string[],
): PersonColumn[] {
  const [name, ...others] = all;
  const chosen = ids.flatMap((id) => others.find((column) => column.id === id) ?? []);
  return name === undefined ? chosen : [name, ...chosen];
}

/** What must be read for some columns. */
export function fieldsOf(columns: readonly PersonColumn[]): PeopleFields {
  const people = new Set(columns.flatMap(({ reads }) => reads));
  const include = new Set(columns.flatMap((column) => column.include ?? []));
  return { people: [...people].sort(), include: [...include].sort() };
}
