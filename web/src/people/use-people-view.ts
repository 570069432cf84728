import { useLingui } from "@lingui/react/macro";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { CsvOrder } from "../app/csv-export.tsx";
import { ofPerson } from "../data/kept.ts";
import { listOf, type PeopleSearch, type SignedSort } from "../data/people-filters.ts";
import { everyPerson, type PersonRow } from "../data/people-list.ts";
import {
  chooseColumns,
  DEFAULT_COLUMNS,
  fieldsOf,
  usePeopleColumns,
} from "../records/people-columns.tsx";
import { type Selection, selectedCount } from "../ui/data-list.tsx";
import { accountTimeZone, today } from "../ui/format.ts";

const route = getRouteApi("/frame/people");

/** The values that the row of a phone always shows: its call, its chip, and the first of its second line. */
const PHONE_COLUMNS = ["phone", "status", "cells"];

/** The list as the address and the device say: its question, its sort, its pages, its columns and their widths. */
export function usePeopleView() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const all = usePeopleColumns();
  const view = search.view ?? ofPerson.get<"pages">("view");
  const [widths, setWidths] = useState<Record<string, number>>(() => ofPerson.get("widths") ?? {});
  const [now] = useState(() => ({ today: today(), timeZone: accountTimeZone() }));

  const ids = search.columns
    ? listOf(search.columns)
    : (ofPerson.get<string[]>("columns") ?? DEFAULT_COLUMNS);
  const columns = chooseColumns(all, ids);
  const added = ids.filter((id) => !DEFAULT_COLUMNS.includes(id));
  const line = chooseColumns(all, [...PHONE_COLUMNS, ...added]);

  const go = (next: (old: PeopleSearch) => PeopleSearch, replace = false) =>
    void navigate({ search: next, replace, resetScroll: false });
  const set = (changes: PeopleSearch, replace = false) =>
    go((old) => ({ ...old, page: undefined, ...changes }), replace);
  const chooseIds = (next: string[] | undefined) => {
    keepOrForget("columns", next);
    go((old) => ({ ...old, columns: next?.join(",") }), true);
  };

  return {
    search,
    now,
    columns,
    widths,
    sort: search.sort ?? "full-name",
    isInPages: view === "pages",
    set,
    setSort: (next: string) => set({ sort: next as SignedSort }),
    clear: () => go(({ sort, columns }) => ({ sort, view, columns })),
    setWidth: (column: string, width: number) => {
      const next = { ...widths, [column]: width };
      setWidths(next);
      ofPerson.set("widths", next);
    },
    columnsChoice: {
      all,
      chosen: columns,
      onChoose: chooseIds,
      onReset: () => {
        chooseIds(undefined);
        setWidths({});
        ofPerson.delete("widths");
      },
    },
    switchPages: () => {
      const next = view === "pages" ? undefined : "pages";
      keepOrForget("view", next);
      set({ view: next });
    },
    linkToPage: (page: number) =>
      ({ to: "/people", search: { ...search, view, page: String(page) } }) as const,
    /** The table and the row of a phone read different fields. */
    fields: (isPhone: boolean) => fieldsOf(isPhone ? line : columns),
    /** The second line of a row on a phone. */
    lineTexts: (person: PersonRow): string[] =>
      line
        .filter(({ id }) => id === "cells" || added.includes(id))
        .flatMap(({ text }) => text(person) || []),
    csvOrder: (chosen: Selection, total: number): CsvOrder => ({
      title: t`People`,
      header: columns.map(({ header }) => header),
      rows: async function* (signal) {
        for await (const person of everyPerson(search, fieldsOf(columns), now, chosen, signal))
          yield columns.map(({ file, text }) => (file ?? text)(person));
      },
      count: selectedCount(chosen, total),
    }),
    /** The chosen people by their names, in the order of the list. */
    names: async (chosen: Selection): Promise<{ id: string; name: string }[]> => {
      const fields = { people: ["full-name"], include: [] } as const;
      const names = [];
      for await (const person of everyPerson(
        search,
        fields,
        now,
        chosen,
        new AbortController().signal,
      ))
        names.push({ id: person.id, name: person["full-name"] });
      return names;
    },
    print: (chosen: Selection) =>
      void navigate({
        to: "/print/people",
        search: {
          ...search,
          columns: ids.join(","),
          page: undefined,
          view: undefined,
          [chosen.isAll ? "except" : "ids"]: [...chosen.ids].join(",") || undefined,
        },
      }),
  };
}

function keepOrForget(name: string, value: unknown): void {
  if (value === undefined) ofPerson.delete(name);
  else ofPerson.set(name, value);
}
