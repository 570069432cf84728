import { queryOptions } from "@tanstack/react-query";
import type { CellMembershipCellRole, NewPerson, PersonPhone } from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";
import { isNumber, type Sameness, samenessOf, type Typed } from "./same-person.ts";

/** A person in a list of choices. */
export type FoundPerson = {
  id: string;
  "full-name": string;
  // Absent if the caller reads the names alone.
  "photo-url"?: string | null | undefined;
  email?: string | null | undefined;
  phones?: PersonPhone[] | undefined;
};

const fields = { people: ["full-name", "photo-url", "email", "phones"] } as const;
const CHOICES = 6;

/** People by a part of their name, e-mail address or telephone number. */
export async function searchPeople(q: string, signal?: AbortSignal): Promise<FoundPerson[]> {
  const { items } = await api.people.page(
    { filter: { q }, fields, page: { size: CHOICES } },
    { signal },
  );
  return items;
}

/**
 * People who may be the one that is typed in: those with the telephone number or the e-mail address first, then those with the
 * name.
 */
export async function similarPeople(
  { name, phone, email }: { name: string; phone: string; email: string },
  signal?: AbortSignal,
): Promise<FoundPerson[]> {
  const digits = phone.replace(/\D/g, "");
  const found = await Promise.all([
    digits.length < 6 ? [] : searchPeople(phone.trim(), signal),
    email.includes("@") ? searchPeople(email.trim(), signal) : [],
    name.trim().length < 3 ? [] : searchPeople(name.trim(), signal),
  ]);
  return [...new Map(found.flat().map((one) => [one.id, one])).values()].slice(0, CHOICES);
}

export const similarPeopleOptions = (typed: { name: string; phone: string; email: string }) =>
  queryOptions({
    queryKey: keys.list("people", { similar: typed }),
    queryFn: ({ signal }) => similarPeople(typed, signal),
  });

/** The people of the church who may be the one that is typed in. */
export async function samePeople(typed: Typed): Promise<{ person: FoundPerson; by: Sameness }[]> {
  const numbers = (typed.phones ?? []).filter(isNumber);
  const email = typed.email?.includes("@") ? typed.email.trim() : undefined;
  const hasBirthday = Boolean(typed.birthdate ?? typed.monthDay);
  const filters = [
    ...numbers.map((phone) => ({ phone })),
    ...(email ? [{ email }] : []),
    ...(hasBirthday && typed.name.trim() !== "" ? [{ name: typed.name.trim() }] : []),
  ];
  const pages = await Promise.all(
    filters.map((filter) =>
      api.people.page({
        filter,
        fields: {
          people: [
            "full-name",
            "photo-url",
            "email",
            "other-emails",
            "phones",
            "birthdate",
            "birth-month-day",
          ],
        },
        page: { size: 20 },
      }),
    ),
  );
  const found = new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one]));
  return [...found.values()].flatMap((person) => {
    const by = samenessOf(typed, person);
    return by ? [{ person, by }] : [];
  });
}

export const createPerson = (values: NewPerson, idempotencyKey: string) =>
  api.people.create(values, {
    idempotencyKey,
    fields: { people: ["full-name", "email", "phones", "membership-status", "photo-url"] },
  });

/** Groups by a part of their name. */
export async function searchGroups(q: string, signal?: AbortSignal) {
  const { items } = await api.cells.page(
    {
      filter: { q, "status": ["planned", "active", "in-recess"] },
      fields: { cells: ["name"] },
      page: { size: CHOICES },
    },
    { signal },
  );
  return items;
}

export const addToGroup = (
  cellId: string,
  personId: string,
  role: CellMembershipCellRole,
  idempotencyKey: string,
) =>
  api.cellMemberships.create(
    { "cell": cellId, "person": personId, "cell-role": role },
    { idempotencyKey },
  );

/** The names of people by their ids. Those whom the caller cannot see are absent. */
export const peopleNamesOptions = (ids: readonly string[]) =>
  queryOptions({
    queryKey: keys.list("people", { names: ids }),
    queryFn: async ({ signal }) => {
      const { items } = await api.people.page(
        { filter: { id: ids }, fields: { people: ["full-name"] } },
        { signal },
      );
      return new Map(items.map((person) => [person.id, person["full-name"]]));
    },
    staleTime: 300_000,
  });
