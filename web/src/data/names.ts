import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

export type Named = { id: string; name: string };

const fields = {
  "cells": ["name"],
  "courses": ["name"],
  "course-classes": ["name"],
  "roles": ["name"],
  "tags": ["name"],
  "households": ["name"],
} as const;
export type NamedType = keyof typeof fields;

type Ask = { ids: string[] } | { text: string };
type Read = (ask: Ask, options: { signal: AbortSignal }) => Promise<{ items: Named[] }>;

const ROWS = 12;

/** Either the records of these ids, or the first ones that match a text. */
const filterBy = <Name extends string>(ask: Ask, name: Name) => {
  if ("ids" in ask) return { filter: { id: ask.ids } };
  const text = ask.text.trim();
  return { filter: text === "" ? {} : { [name]: text }, page: { size: ROWS } };
};

const READS: Record<NamedType, Read> = {
  "cells": (ask, options) => api.cells.page({ ...filterBy(ask, "q"), fields }, options),
  "courses": (ask, options) => api.courses.page({ ...filterBy(ask, "q"), fields }, options),
  "course-classes": (ask, options) =>
    api.courseClasses.page({ ...filterBy(ask, "q"), fields }, options),
  "roles": (ask, options) => api.roles.page({ ...filterBy(ask, "name"), fields }, options),
  "tags": (ask, options) => api.tags.page({ ...filterBy(ask, "name"), fields }, options),
  "households": (ask, options) => api.households.page({ ...filterBy(ask, "q"), fields }, options),
};

const read = async (type: NamedType, ask: Ask, signal: AbortSignal): Promise<Named[]> => {
  const { items } = await READS[type](ask, { signal });
  return items.map(({ id, name }) => ({ id, name }));
};

/** The names of some records. Records that the caller may not read are absent. */
export const namesOptions = (type: NamedType, ids: string[]) =>
  queryOptions({
    queryKey: keys.list(type, { names: ids }),
    queryFn: ({ signal }) => read(type, { ids }, signal),
    staleTime: 300_000,
  });

/** The first records that match a text, for a field that searches. */
export const searchNames = (type: NamedType, text: string, signal: AbortSignal) =>
  read(type, { text }, signal);
