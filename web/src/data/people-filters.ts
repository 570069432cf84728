import type { NamedType } from "./names.ts";
import { addDays } from "../ui/format.ts";
import type { PersonFilters, PersonMembershipStatus } from "@vestry/sdk";

/** The day and the time zone of the account, for filters that are relative to today. */
export type Now = { today: string; timeZone: string };

type Parse = (text: string, now: Now) => PersonFilters | undefined;

export const MEMBERSHIP_STATUSES = [
  "prospect",
  "visitor",
  "attender",
  "member",
  "former-member",
  "deceased",
] as const satisfies readonly PersonMembershipStatus[];

export const MISSING = ["email", "phone", "birthdate", "photo"] as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The service takes this many ids in one filter. */
export const MOST_IDS = 100;

export const listOf = (text: string | undefined): string[] =>
  text === undefined || text === "" ? [] : text.split(",");

function oneOf<Value extends string>(text: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

function anyOf<Value extends string>(text: string, values: readonly Value[]): Value[] | undefined {
  const list = [...new Set(listOf(text))].map((one) => oneOf(one, values));
  return list.length > 0 && list.every((one) => one !== undefined) ? list : undefined;
}

function ids(text: string): string[] | undefined {
  const list = [...new Set(listOf(text))];
  return list.length > 0 && list.length <= MOST_IDS && list.every((id) => UUID.test(id))
    ? list
    : undefined;
}

function integer(text: string, smallest: number, largest: number): number | undefined {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= smallest && value <= largest ? value : undefined;
}

/** `18-30`, `65-` or `-12`. */
export function agesOf(text: string): { min?: number; max?: number } | undefined {
  const [, from = "", to = ""] = /^(\d{0,3})-(\d{0,3})$/.exec(text) ?? [];
  if (from === "" && to === "") return undefined;
  const min = from === "" ? undefined : integer(from, 0, 150);
  const max = to === "" ? undefined : integer(to, 0, 150);
  if ((from !== "" && min === undefined) || (to !== "" && max === undefined)) return undefined;
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

const given = <Value, Filters>(value: Value | undefined, filters: (value: Value) => Filters) =>
  value === undefined ? undefined : filters(value);

/** Midnight of a day in a time zone, as the service reads it: `2026-11-01T00:00:00+00:00`. */
function midnight(day: string, timeZone: string): string {
  const name = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(new Date(`${day}T00:00:00Z`))
    .find(({ type }) => type === "timeZoneName")?.value;
  return `${day}T00:00:00${name?.replace("GMT", "") || "+00:00"}`;
}

/** The search parameters of the address that filter people, and the filters of the service that each of them means. */
const PARSERS = {
  q: (text) => (text.trim() === "" || text.length > 255 ? undefined : { q: text }),
  status: (text) =>
    given(anyOf(text, MEMBERSHIP_STATUSES), (list) => ({ "membership-status": list })),
  active: (text) => {
    if (text === "all") return {};
    return text === "false" ? { "is-active": false } : undefined;
  },
  sex: (text) => given(anyOf(text, ["female", "male"]), (list) => ({ sex: list })),
  baptized: (text) =>
    given(oneOf(text, ["true", "false"]), (value) => ({ "is-baptized": value === "true" })),
  age: (text) =>
    given(agesOf(text), ({ min, max }) => ({
      ...(min !== undefined && { "age-min": min }),
      ...(max !== undefined && { "age-max": max }),
    })),
  month: (text) => {
    const months = [...new Set(listOf(text))].map((one) => integer(one, 1, 12));
    return months.length > 0 && months.every((one) => one !== undefined)
      ? { "birth-month": months }
      : undefined;
  },
  cell: (text) =>
    text === "none" ? { "without-cell": true } : given(ids(text), (cell) => ({ cell })),
  tree: (text) => given(ids(text), (list) => ({ "cell-tree": list })),
  course: (text) => given(ids(text), (course) => ({ course })),
  class: (text) => given(ids(text), (list) => ({ "course-class": list })),
  role: (text) => given(ids(text), (role) => ({ role })),
  tag: (text) => given(ids(text), (tag) => ({ tag })),
  household: (text) =>
    text === "none"
      ? { "without-household": true }
      : given(ids(text), (household) => ({ household })),
  missing: (text) => given(anyOf(text, MISSING), (missing) => ({ missing })),
  login: (text) =>
    given(oneOf(text, ["true", "false"]), (value) => ({ "has-login": value === "true" })),
  absent: (text) => given(integer(text, 1, 1000), (least) => ({ "absent-streak-min": least })),
  // The days from today on, so "birthday=7" can be sent as a link that stays true.
  birthday: (text, { today }) =>
    given(integer(text, 1, 365), (days) => ({
      "birthday-from": today.slice(5),
      "birthday-to": addDays(today, days - 1).slice(5),
    })),
  new: (text, { today, timeZone }) => {
    const days = integer(text, 1, 366);
    const first =
      text === "month" ? `${today.slice(0, 7)}-01` : given(days, (n) => addDays(today, -n));
    return given(first, (day) => ({ "created-since": midnight(day, timeZone) }));
  },
} satisfies Record<string, Parse>;

export type PeopleFilterName = keyof typeof PARSERS;
export const PEOPLE_FILTERS = Object.keys(PARSERS) as PeopleFilterName[];

/** Filters whose values are ids, and the type that they name. */
export const NAMED_FILTERS = {
  cell: "cells",
  tree: "cells",
  course: "courses",
  class: "course-classes",
  role: "roles",
  tag: "tags",
  household: "households",
} as const satisfies Partial<Record<PeopleFilterName, NamedType>>;
export type NamedFilter = keyof typeof NAMED_FILTERS;
export const NAMED = Object.keys(NAMED_FILTERS) as NamedFilter[];

const FIELD = /^field\.([a-z][a-z0-9-]{0,62})$/;
export type FieldParameter = `field.${string}`;

export const PEOPLE_SORTS = [
  "full-name",
  "created-at",
  "modified-at",
  "birthdate",
  "birth-month-day",
  "membership-status",
  "last-attended-at",
] as const;
type PeopleSort = (typeof PEOPLE_SORTS)[number];
export type SignedSort = PeopleSort | `-${PeopleSort}`;

const SORTS = PEOPLE_SORTS.flatMap((name): SignedSort[] => [name, `-${name}`]);

export type PeopleQuestion = { [Name in PeopleFilterName]?: string } & {
  [field: FieldParameter]: string | undefined;
};

/** What the address of a list of people can say. */
export type PeopleSearch = PeopleQuestion & {
  sort?: SignedSort;
  view?: "pages";
  page?: string;
  columns?: string;
};

const ANY_DAY: Now = { today: "2000-01-01", timeZone: "UTC" };

/** Keeps what is known and well-formed. Anything else is dropped and is not an error. */
export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  const kept: PeopleSearch = {};
  const text = (name: string) => (typeof search[name] === "string" ? search[name] : undefined);
  for (const name of PEOPLE_FILTERS) {
    const value = text(name);
    if (value !== undefined && PARSERS[name](value, ANY_DAY)) kept[name] = value;
  }
  for (const [name, value] of Object.entries(search))
    if (FIELD.test(name) && typeof value === "string" && value !== "")
      kept[name as FieldParameter] = value;
  const sort = given(text("sort"), (one) => oneOf(one, SORTS));
  if (sort) kept.sort = sort;
  if (search["view"] === "pages") kept.view = "pages";
  if (given(text("page"), (page) => integer(page, 1, 9999))) kept.page = text("page") ?? "1";
  const columns = text("columns");
  if (columns && /^[a-z0-9.,-]{1,2000}$/.test(columns)) kept.columns = columns;
  return kept;
}

/** What is printed of a list: a table or a directory, of some people by their ids, or of all except some. */
export type PrintSearch = PeopleSearch & { layout?: "directory"; ids?: string; except?: string };

export function readPrintSearch(search: Record<string, unknown>): PrintSearch {
  const idsIn = (name: "ids" | "except") => {
    const list = typeof search[name] === "string" ? ids(search[name]) : undefined;
    return list && { [name]: list.join(",") };
  };
  return {
    ...readPeopleSearch(search),
    ...(search["layout"] === "directory" && { layout: "directory" }),
    ...(idsIn("ids") ?? idsIn("except")),
  };
}

/** The filters without the sort and the look of the list. */
export function questionOf(search: PeopleSearch): PeopleQuestion {
  const { sort: _sort, view: _view, page: _page, columns: _columns, ...question } = search;
  return question;
}

/** The filters of the service. People who are not active are left out unless the address asks for them. */
export function peopleFilters(search: PeopleSearch, now: Now): PersonFilters {
  const filters: PersonFilters = search.active === undefined ? { "is-active": true } : {};
  for (const name of PEOPLE_FILTERS) {
    const value = search[name];
    if (value !== undefined) Object.assign(filters, PARSERS[name](value, now));
  }
  for (const [name, value] of Object.entries(search)) {
    const field = FIELD.exec(name)?.[1];
    if (field !== undefined) filters[`custom-properties.${field}`] = value;
  }
  return filters;
}
