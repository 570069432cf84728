import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { holdsEverywhere } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { ofPerson } from "../data/kept.ts";
import {
  type FieldParameter,
  type PeopleSearch,
  questionOf,
  readPeopleSearch,
} from "../data/people-filters.ts";
import { useCellWords } from "../records/cell-words.ts";
import styles from "./list.module.css";

/** A question with a name. It holds the filter, the sort and the columns, and not the people. */
type SavedList = { name: string; search: PeopleSearch };

const KEPT = "people-lists";
const MOST = 50;

function keptLists(): SavedList[] {
  const kept = ofPerson.get<unknown>(KEPT);
  return Array.isArray(kept)
    ? kept.flatMap(({ name, search }: Partial<SavedList>) =>
        typeof name === "string" ? [{ name, search: readPeopleSearch({ ...search }) }] : [],
      )
    : [];
}

/** The lists that this person saved on this device. */
export function useSavedLists() {
  const [lists, setLists] = useState(keptLists);
  const keep = (next: SavedList[]) => {
    setLists(next);
    ofPerson.set(KEPT, next);
  };
  return {
    lists,
    isFull: lists.length >= MOST,
    save: (name: string, search: PeopleSearch) =>
      keep([...lists.filter((list) => list.name !== name), { name, search }].slice(0, MOST)),
    remove: (name: string) => keep(lists.filter((list) => list.name !== name)),
  };
}

export type SavedLists = ReturnType<typeof useSavedLists>;

/** Whether the address asks for a list: the same filters, and the sort and the columns that the list names. */
function asksFor({ search: list }: SavedList, search: PeopleSearch): boolean {
  const filters = Object.entries({ ...questionOf(list), ...questionOf(search) });
  return (
    filters.every(([name]) => list[name as FieldParameter] === search[name as FieldParameter]) &&
    (list.sort === undefined || list.sort === search.sort) &&
    (list.columns === undefined || list.columns === search.columns)
  );
}

/** The saved list that is open. */
export const openList = (lists: SavedList[], search: PeopleSearch) =>
  lists.find((list) => asksFor(list, search));

/** Lists stand above the rows as links, so each of them can be opened in a new tab. */
export function ListTabs({ search, saved }: { search: PeopleSearch; saved: SavedList[] }) {
  const { t } = useLingui();
  const { one: cellWord } = useCellWords();
  const seesAllCells = holdsEverywhere(useSession(), "cell-memberships:read");
  const lists: SavedList[] = [
    { name: t`Everybody`, search: {} },
    { name: t`New this month`, search: { new: "month", sort: "-created-at" } },
    ...(seesAllCells ? [{ name: t`${cellWord}: none at all`, search: { cell: "none" } }] : []),
    { name: t({ message: "Missing", context: "people" }), search: { absent: "3" } },
    ...saved,
  ];
  // A saved list with the filters of a built-in one wins.
  const current = lists.findLast((list) => asksFor(list, search));
  return (
    <nav className={styles.tabs} aria-label={t`Lists`}>
      {lists.map((list, at) => (
        <Link
          key={`${at} ${list.name}`}
          to="/people"
          search={{ ...list.search, view: search.view }}
          resetScroll={false}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={list === current ? "page" : undefined}
        >
          <bdi>{list.name}</bdi>
        </Link>
      ))}
    </nav>
  );
}
