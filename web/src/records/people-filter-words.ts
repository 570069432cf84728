import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { useQueries } from "@tanstack/react-query";
import { useSession } from "../app/session.tsx";
import { type NamedType, namesOptions } from "../data/names.ts";
import {
  agesOf,
  listOf,
  NAMED,
  NAMED_FILTERS,
  type NamedFilter,
  PEOPLE_FILTERS,
  type PeopleFilterName,
  type PeopleQuestion,
  type PeopleSearch,
} from "../data/people-filters.ts";
import { formatList, formatMonth } from "../ui/format.ts";
import { useCellWords } from "./cell-words.ts";
import { missingNames, sexes } from "./enums.ts";
import { useMembershipWords } from "./membership-status.tsx";

export type FilterWords = {
  /** The name of the search parameter. */
  name: keyof PeopleQuestion;
  /** "Status: Member". */
  words: string;
  /** "Member". */
  value: string;
};

/** The set filters in words, without the search text. */
export function usePeopleFilterWords(search: PeopleSearch): FilterWords[] {
  const { t, i18n } = useLingui();
  const cellWords = useCellWords();
  const statusWords = useMembershipWords();
  const { people: customFields = {} } = useSession().account["custom-properties"];

  // Two filters name groups, and each type is read once.
  const wanted = new Map<NamedType, string[]>();
  for (const name of NAMED)
    if (search[name] !== undefined && search[name] !== "none") {
      const type = NAMED_FILTERS[name];
      wanted.set(type, [...(wanted.get(type) ?? []), ...listOf(search[name])]);
    }
  const named = useQueries({
    queries: [...wanted].map(([type, ids]) => namesOptions(type, ids)),
  }).flatMap(({ data = [] }) => data);
  const listed = (name: PeopleFilterName, words: (value: string) => string) =>
    formatList(listOf(search[name]).map(words), "disjunction");

  const namesOf = (name: NamedFilter) =>
    listed(name, (id) => named.find((one) => one.id === id)?.name ?? "…");

  const words: Record<PeopleFilterName, () => readonly [value: string, words: string]> = {
    q: () => ["", ""],
    status: () => {
      const value = listed("status", (one) =>
        statusWords(one as Parameters<typeof statusWords>[0]),
      );
      return [value, t`Status: ${value}`];
    },
    active: () =>
      search.active === "all"
        ? [t`Active or not`, t`Active or not`]
        : [t`Not active`, t`Not active`],
    sex: () => {
      const value = listed("sex", (one) => i18n._(sexes[one as keyof typeof sexes]));
      return [value, t`Sex: ${value}`];
    },
    baptized: () =>
      search.baptized === "true"
        ? [t`Yes`, t({ message: "Baptized", context: "filter" })]
        : [t`No`, t`Not baptized`],
    age: () => {
      const { min, max } = agesOf(search.age ?? "") ?? {};
      if (min === undefined) return [t`up to ${max}`, t`Age: up to ${max}`];
      if (max === undefined) return [t`from ${min}`, t`Age: from ${min}`];
      return [t`${min} to ${max}`, t`Age: ${min} to ${max}`];
    },
    month: () => {
      const value = listed("month", (one) => formatMonth(Number(one)));
      return [value, t`Birthday: ${value}`];
    },
    cell: () => {
      const value = search.cell === "none" ? t`none at all` : namesOf("cell");
      return [value, t`${cellWords.one}: ${value}`];
    },
    tree: () => {
      const value = namesOf("tree");
      return [value, t`${cellWords.one} and those below: ${value}`];
    },
    course: () => {
      const value = namesOf("course");
      return [value, t`Course: ${value}`];
    },
    class: () => {
      const value = namesOf("class");
      return [value, t`Class: ${value}`];
    },
    role: () => {
      const value = namesOf("role");
      return [value, t`Role: ${value}`];
    },
    tag: () => {
      const value = namesOf("tag");
      return [value, t`Tag: ${value}`];
    },
    household: () => {
      const value = search.household === "none" ? t`none at all` : namesOf("household");
      return [value, t`Household: ${value}`];
    },
    missing: () => {
      const value = listed("missing", (one) =>
        i18n._(missingNames[one as keyof typeof missingNames]),
      );
      return [value, t`Not known: ${value}`];
    },
    login: () => (search.login === "true" ? [t`Yes`, t`Can log in`] : [t`No`, t`Cannot log in`]),
    birthday: () => {
      const days = Number(search.birthday);
      const value = plural(days, { one: "next # day", other: "next # days" });
      return [value, t`Birthday: ${value}`];
    },
    absent: () => {
      const value = search.absent ?? "";
      return [value, t`Missed in a row: at least ${value}`];
    },
    new: () => {
      const days = search.new ?? "";
      if (days === "month") return [t`this month`, t`Added this month`];
      const value = plural(Number(days), { one: "last # day", other: "last # days" });
      return [value, t`Added: ${value}`];
    },
  };

  const set: FilterWords[] = [];
  for (const name of PEOPLE_FILTERS) {
    if (name === "q" || search[name] === undefined) continue;
    const [value, sentence] = words[name]();
    set.push({ name, value, words: sentence });
  }
  for (const [name, value] of Object.entries(search)) {
    if (!name.startsWith("field.") || value === undefined) continue;
    const field = name.slice("field.".length);
    const definition = customFields[field];
    const label = definition?.label ?? field;
    const shown =
      definition?.type === "boolean"
        ? value === "true"
          ? t`Yes`
          : t`No`
        : (definition?.options?.find((option) => option.value === value)?.label ?? value);
    set.push({ name: name as `field.${string}`, value: shown, words: t`${label}: ${shown}` });
  }
  return set;
}
