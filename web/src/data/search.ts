import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

const FOUND = 6;

/** The first people whose name, e-mail or telephone number has this text, and how many there are. */
export const foundPeopleOptions = (text: string) =>
  queryOptions({
    queryKey: ["people", "found", text],
    queryFn: ({ signal }) =>
      api.people.page(
        {
          filter: { q: text },
          include: ["cells"],
          fields: {
            people: ["full-name", "photo-url", "email", "phones", "age", "cells"],
            cells: ["name"],
          },
          page: { size: FOUND },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** The first groups whose name, category, neighborhood or city has this text. */
export const foundCellsOptions = (text: string) =>
  queryOptions({
    queryKey: ["cells", "found", text],
    queryFn: ({ signal }) =>
      api.cells.page(
        {
          filter: { q: text },
          fields: { cells: ["name", "category"] },
          sort: "name",
          page: { size: FOUND },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
