/** The history of a record: the audit entries about it, with the names that its sentences need. */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { type Resource, VestryError } from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const shape = {
  fields: {
    "audit-entries": [
      "occurred-at",
      "action",
      "resource-type",
      "resource-id",
      "changes",
      "omitted",
      "cause",
      "client",
      "actor",
      "subject-person",
    ],
  },
} as const;

export type HistoryEntry = Resource<"audit-entries", typeof shape>;

/** A record with a name. Those with a screen become links. */
export type Named = { type: string; id: string; name: string };

/** The types of the records that members of changes name by id. */
const LINKED: Readonly<Record<string, string>> = {
  "assignee": "people",
  "author": "people",
  "cell": "cells",
  "class": "course-classes",
  "course": "courses",
  "decided-by": "people",
  "granted-by": "people",
  "household": "households",
  "moved-to": "cells",
  "multiplied-from": "cells",
  "parent": "cells",
  "person": "people",
  "recorded-by": "people",
  "reviewed-by": "people",
  "role": "roles",
  "tags": "tags",
};

type Ids = { filter: { id: string[] }; page: { size: number } };
type Read = (ids: Ids, options: { signal: AbortSignal }) => Promise<[id: string, Named][]>;

/** Records with a name of their own, and records that are named after the place to which they belong. */
const READS: Readonly<Record<string, Read>> = {
  "people": async (ids, options) =>
    (await api.people.page({ ...ids, fields: { people: ["full-name"] } }, options)).items.map(
      ({ id, "full-name": name }) => [id, { type: "people", id, name }],
    ),
  "cell-memberships": async (ids, options) =>
    (
      await api.cellMemberships.page(
        {
          ...ids,
          include: ["cell"],
          fields: { "cell-memberships": ["cell"], "cells": ["name"] },
        },
        options,
      )
    ).items.map(({ id, cell }) => [id, { type: "cells", id: cell.id, name: cell.name }]),
  "cells": async (ids, options) =>
    (await api.cells.page({ ...ids, fields: { cells: ["name"] } }, options)).items.map(
      ({ id, name }) => [id, { type: "cells", id, name }],
    ),
  "household-memberships": async (ids, options) =>
    (
      await api.householdMemberships.page(
        {
          ...ids,
          include: ["household"],
          fields: { "household-memberships": ["household"], "households": ["name"] },
        },
        options,
      )
    ).items.map(({ id, household }) => [
      id,
      { type: "households", id: household.id, name: household.name },
    ]),
  "course-enrollments": async (ids, options) =>
    (
      await api.courseEnrollments.page(
        {
          ...ids,
          include: ["class"],
          fields: { "course-enrollments": ["class"], "course-classes": ["name"] },
        },
        options,
      )
    ).items.map((row) => [
      row.id,
      { type: "course-classes", id: row.class.id, name: row.class.name },
    ]),
  "role-assignments": async (ids, options) =>
    (
      await api.roleAssignments.page(
        {
          ...ids,
          include: ["role"],
          fields: { "role-assignments": ["role"], "roles": ["name"] },
        },
        options,
      )
    ).items.map(({ id, role }) => [id, { type: "roles", id: role.id, name: role.name }]),
  "tags": async (ids, options) =>
    (await api.tags.page({ ...ids, fields: { tags: ["name"] } }, options)).items.map(
      ({ id, name }) => [id, { type: "tags", id, name }],
    ),
};

/** A page of the history asks for names this often. Records of other types are shown by their kind. */
const MOST_READS = 3;

const SIZE = 25;

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap(idsIn) : typeof value === "string" ? [value] : [];

/** The ids of the records that the entries mention, by type. */
function mentioned(entries: readonly HistoryEntry[]): Map<string, Set<string>> {
  const found = new Map(Object.keys(READS).map((type) => [type, new Set<string>()]));
  const add = (type: string | undefined, ids: readonly string[]) => {
    for (const id of ids) found.get(type ?? "")?.add(id);
  };
  for (const entry of entries) {
    add("people", idsIn([entry.actor?.id, entry["subject-person"]?.id]));
    if (entry["resource-type"] !== "people") add(entry["resource-type"], [entry["resource-id"]]);
    for (const [member, { from, to }] of Object.entries(entry.changes))
      add(LINKED[member], idsIn([from, to]));
  }
  return found;
}

async function namesIn(
  entries: readonly HistoryEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Named>> {
  const wanted = [...mentioned(entries)].filter(([, ids]) => ids.size > 0).slice(0, MOST_READS);
  const found = await Promise.all(
    wanted.map(async ([type, ids]) => {
      try {
        const id = [...ids].slice(0, 100);
        return (await READS[type]?.({ filter: { id }, page: { size: 100 } }, { signal })) ?? [];
      } catch (error) {
        // A caller who may not read a type sees its kind.
        if (error instanceof VestryError && error.status === 403) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}

/** The changes of a person and of the records about that person, or those of one record. */
export type HistoryOf = { subject: string } | { "resource-id": string };

export const historyOptions = (of: HistoryOf) =>
  infiniteQueryOptions({
    queryKey: keys.list("audit-entries", of),
    queryFn: async ({ pageParam, signal }) => {
      const { items, pageCount = 1 } = await api.auditEntries.page(
        { ...shape, filter: of, page: { number: pageParam, size: SIZE } },
        { signal },
      );
      return { items, pageCount, names: await namesIn(items, signal) };
    },
    initialPageParam: 1,
    getNextPageParam: ({ pageCount }, _pages, page) => (page < pageCount ? page + 1 : undefined),
  });
