import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { searchPeople } from "./people-search.ts";

const FOUND = 6;

/** The first people whose name, e-mail or telephone number has this text. */
export const foundPeopleOptions = (text: string) =>
  queryOptions({
    queryKey: ["people", "found", text],
    queryFn: ({ signal }) => searchPeople(text, signal),
    placeholderData: keepPreviousData,
  });

/** The first groups whose name, category, neighborhood or city has this text. */
export const foundCellsOptions = (text: string) =>
  queryOptions({
    queryKey: ["cells", "found", text],
    queryFn: async ({ signal }) => {
      const { items } = await api.cells.page(
        {
          filter: { q: text },
          fields: { cells: ["name", "category"] },
          sort: "name",
          page: { size: FOUND },
        },
        { signal },
      );
      return items;
    },
    placeholderData: keepPreviousData,
  });
