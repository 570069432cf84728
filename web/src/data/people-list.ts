import type { Member, Person } from "@vestry/sdk";
import { api } from "./client.ts";
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

/** The service allows 300 requests in 20 seconds. This pace leaves some of them for the screen. */
const PAGE_MS = 80;
const PAGE = 100;

/** Some people by their ids, or all of the filter without those of the ids. */
export type Chosen = { isAll: boolean; ids: ReadonlySet<string> };

/** The chosen ones of the people that the address asks for, in the order of the list. */
export async function* everyPerson(
  search: PeopleSearch,
  fields: PeopleFields,
  now: Now,
  { isAll, ids }: Chosen,
  signal: AbortSignal,
): AsyncGenerator<PersonRow, void, undefined> {
  const filter = isAll || ids.size > MOST_IDS ? peopleFilters(search, now) : { id: [...ids] };
  let read = 0;
  let startedAt = performance.now();
  for await (const person of api.people.list(
    { filter, sort: search.sort, ...shapeOf(fields), page: { size: PAGE } },
    { signal },
  )) {
    if (ids.has(person.id) !== isAll) yield person;
    read += 1;
    if (read % PAGE > 0) continue;
    const rest = PAGE_MS - (performance.now() - startedAt);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    signal.throwIfAborted();
    startedAt = performance.now();
  }
}
