import type { Member, Person } from "@vestry/sdk";
import { api } from "./client.ts";
import { type Chosen, EVERY_PAGE, everyRow } from "./every-row.ts";
import { keys } from "./keys.ts";
import { MOST_IDS, type Now, type PeopleSearch, peopleFilters } from "./people-filters.ts";
import type { RowsPage, RowsQuestion } from "./rows.ts";

type Named = { id: string; name: string };

/** A person of a list. Attributes that were not asked for, or that the caller may not read, are absent. */
export type PersonRow = Pick<Person, "id" | "full-name"> &
  Partial<Omit<Person, "id" | "$type" | "full-name" | "cells" | "household" | "tags">> & {
    cells?: Named[];
    household?: Partial<Named> | null;
    tags?: Named[];
  };

/** What the columns of a list show. */
export type PeopleFields = {
  people: readonly Member<"people">[];
  include: readonly ("cells" | "household" | "tags")[];
};

const NAME = ["name"] as const;

const shapeOf = ({ people, include }: PeopleFields) => ({
  include,
  fields: { people, cells: NAME, households: NAME, tags: NAME },
});

/** The people that the address asks for, by pages of one hundred. */
export function peopleQuestion(
  search: PeopleSearch,
  { people, include }: PeopleFields,
  now: Now,
): RowsQuestion<PersonRow> {
  const filter = peopleFilters(search, now);
  const { sort } = search;
  const params = keys.list("people", { filter, sort, people, include });
  return {
    params,
    page: (number) => ({
      queryKey: [...params, number],
      queryFn: async ({ signal }): Promise<RowsPage<PersonRow>> => {
        const { items, total } = await api.people.page(
          { filter, sort, ...shapeOf({ people, include }), page: { number } },
          { signal },
        );
        return { items, total };
      },
    }),
  };
}

/** The chosen ones of the people that the address asks for, in the order of the list. */
export function everyPerson(
  search: PeopleSearch,
  fields: PeopleFields,
  now: Now,
  chosen: Chosen,
  signal: AbortSignal,
): AsyncGenerator<PersonRow, void, undefined> {
  const { isAll, ids } = chosen;
  const filter = isAll || ids.size > MOST_IDS ? peopleFilters(search, now) : { id: [...ids] };
  const people = api.people.list(
    { filter, sort: search.sort, ...shapeOf(fields), page: { size: EVERY_PAGE } },
    { signal },
  );
  return everyRow<PersonRow>(people, chosen, signal);
}
