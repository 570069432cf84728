import { infiniteQueryOptions } from "@tanstack/react-query";
import type { NewNote, NoteChanges, NoteFollowUpStatus, Resource } from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const shape = {
  include: ["author", "assignee", "about"],
  fields: {
    notes: [
      "text",
      "kind",
      "visibility",
      "follow-up-on",
      "follow-up-status",
      "created-at",
      "about",
      "author",
      "assignee",
    ],
    people: ["full-name", "photo-url"],
    households: ["name"],
    cells: ["name"],
  },
} as const;

export type NoteRecord = Resource<"notes", typeof shape>;

const SIZE = 25;

/** The notes about a person, a household or a cell, newest first. */
export const notesAboutOptions = (aboutId: string) =>
  infiniteQueryOptions({
    queryKey: keys.list("notes", { about: aboutId }),
    queryFn: ({ pageParam, signal }) =>
      api.notes.page(
        { ...shape, filter: { about: aboutId }, page: { number: pageParam, size: SIZE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ pageCount = 1 }, _pages, page) =>
      page < pageCount ? page + 1 : undefined,
  });

export type FollowUpFilter = {
  assignee?: string | undefined;
  status: NoteFollowUpStatus;
  until?: string | undefined;
};

/** Notes that ask for a follow-up, the most urgent first. */
export const followUpsOptions = ({ assignee, status, until }: FollowUpFilter) =>
  infiniteQueryOptions({
    queryKey: keys.list("notes", { assignee, status, until }),
    queryFn: ({ pageParam, signal }) =>
      api.notes.page(
        {
          ...shape,
          filter: { assignee, "follow-up-status": status, "follow-up-until": until },
          sort: status === "open" ? "follow-up-on" : "-follow-up-on",
          page: { number: pageParam, size: SIZE },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ pageCount = 1 }, _pages, page) =>
      page < pageCount ? page + 1 : undefined,
  });

export const readNote = (id: string): Promise<NoteRecord> => api.notes.get(id, shape);

export const createNote = (values: NewNote, idempotencyKey: string): Promise<NoteRecord> =>
  api.notes.create(values, { ...shape, idempotencyKey });

export const changeNote = (
  id: string,
  changes: NoteChanges,
  options: { etag?: string | undefined; idempotencyKey?: string | undefined },
): Promise<NoteRecord> => api.notes.update(id, changes, { ...shape, ...options });

export const deleteNote = (id: string, etag: string | undefined): Promise<void> =>
  api.notes.delete(id, { etag });
