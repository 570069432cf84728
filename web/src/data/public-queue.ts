/** What people outside of the church sent, and what waits for a decision: one list for each kind. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { api } from "./client.ts";
import { firstAnswer, nameInAnswers } from "./form-answers.ts";
import { questionsOf } from "./forms.ts";
import { keys } from "./keys.ts";

export type QueueKind = "form-submissions" | "cell-join-requests" | "course-enrollment-requests";

export type QueueOrder = "oldest" | "newest";

export const orderOf = (text: string | undefined): QueueOrder =>
  text === "newest" ? "newest" : "oldest";

/** Of each kind, for one page of the queue. */
export const QUEUE_SIZE = 50;

export type QueueEntry = {
  kind: QueueKind;
  id: string;
  $etag?: string | undefined;
  /** Empty if nothing in the answers names the visitor. */
  name: string;
  photo?: string | null | undefined;
  /** The first answer, or the message of a request. */
  says: string;
  /** The form, the group or the class. */
  place: { id: string; name?: string | undefined };
  at: string;
};

type Read = { entries: QueueEntry[]; total: number; pageCount: number | undefined };

/** The service does not notify the app of arrivals, so an open queue asks every half minute. */
const paged = {
  refetchInterval: 30_000,
  initialPageParam: 1,
  getNextPageParam: ({ pageCount = 1 }: Read, _pages: unknown, page: number) =>
    page < pageCount ? page + 1 : undefined,
};

const sorted = <Name extends string>(name: Name, order: QueueOrder) =>
  order === "newest" ? (`-${name}` as const) : name;

const submissions = (size: number, order: QueueOrder) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.list("form-submissions", { queue: size, order }),
    queryFn: async ({ pageParam, signal }): Promise<Read> => {
      const { items, total, pageCount } = await api.formSubmissions.page(
        {
          filter: { status: ["new"] },
          sort: sorted("submitted-at", order),
          include: ["form"],
          fields: {
            "form-submissions": ["submitted-at", "answers", "form"],
            "forms": ["name", "fields"],
          },
          page: { number: pageParam, size },
        },
        { signal },
      );
      const entries = items.map(({ id, $etag, answers, form, "submitted-at": at }) => ({
        kind: "form-submissions" as const,
        id,
        $etag,
        name: nameInAnswers(questionsOf(form), answers),
        says: firstAnswer(questionsOf(form), answers),
        place: form,
        at,
      }));
      return { entries, total, pageCount };
    },
  });

const joins = (size: number, order: QueueOrder) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.list("cell-join-requests", { queue: size, order }),
    queryFn: async ({ pageParam, signal }): Promise<Read> => {
      const { items, total, pageCount } = await api.cellJoinRequests.page(
        {
          filter: { status: ["pending"] },
          sort: sorted("created-at", order),
          include: ["cell", "person"],
          fields: {
            "cell-join-requests": ["contact", "message", "created-at", "cell", "person"],
            "people": ["full-name", "photo-url"],
            "cells": ["name"],
          },
          page: { number: pageParam, size },
        },
        { signal },
      );
      const entries = items.map(
        ({ id, $etag, person, contact, message, cell, "created-at": at }) => ({
          kind: "cell-join-requests" as const,
          id,
          $etag,
          name: person?.["full-name"] ?? contact?.["full-name"] ?? "",
          photo: person?.["photo-url"],
          says: oneLine(message),
          place: cell,
          at,
        }),
      );
      return { entries, total, pageCount };
    },
  });

const enrollments = (size: number, order: QueueOrder) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: keys.list("course-enrollment-requests", { queue: size, order }),
    queryFn: async ({ pageParam, signal }): Promise<Read> => {
      const { items, total, pageCount } = await api.courseEnrollmentRequests.page(
        {
          filter: { status: ["pending"] },
          sort: sorted("created-at", order),
          include: ["class"],
          fields: {
            "course-enrollment-requests": ["contact", "message", "created-at", "class"],
            "course-classes": ["name"],
          },
          page: { number: pageParam, size },
        },
        { signal },
      );
      const entries = items.map(
        ({ id, $etag, contact, message, "created-at": at, ...request }) => ({
          kind: "course-enrollment-requests" as const,
          id,
          $etag,
          name: contact?.["full-name"] ?? "",
          says: oneLine(message),
          place: request.class ?? { id: "" },
          at,
        }),
      );
      return { entries, total, pageCount };
    },
  });

const oneLine = (text: string | null | undefined) => (text ?? "").replaceAll(/\s+/g, " ").trim();

/**
 * The entries of all kinds together, as far as each kind is read. One kind that cannot be read does not hide the others. `more`
 * reads the next ones.
 */
export function usePublicQueue(
  kinds: readonly QueueKind[],
  size: number,
  order: QueueOrder = "oldest",
) {
  const of = (kind: QueueKind) => ({ enabled: kinds.includes(kind) });
  const results = [
    useInfiniteQuery({ ...submissions(size, order), ...of("form-submissions") }),
    useInfiniteQuery({ ...joins(size, order), ...of("cell-join-requests") }),
    useInfiniteQuery({ ...enrollments(size, order), ...of("course-enrollment-requests") }),
  ].filter(({ isEnabled }) => isEnabled);
  const read = results.flatMap(({ data }) => data ?? []);
  const error = results.find((one) => one.error !== null)?.error ?? null;
  const unread = results.filter(({ hasNextPage }) => hasNextPage);
  const compare = (one: string, other: string) =>
    order === "oldest" ? one.localeCompare(other) : other.localeCompare(one);
  // Entries of a kind with more pages could still come before those of another kind.
  const [end] = unread
    .map(({ data }) => data?.pages.at(-1)?.entries.at(-1)?.at ?? "")
    .sort(compare);
  return {
    data:
      results.some(({ isPending }) => isPending) || (read.length === 0 && error)
        ? undefined
        : {
            entries: read
              .flatMap(({ pages }) => pages.flatMap(({ entries }) => entries))
              .filter(({ at }) => end === undefined || compare(at, end) <= 0)
              .sort((one, other) => compare(one.at, other.at)),
            total: read.reduce((sum, { pages }) => sum + (pages.at(-1)?.total ?? 0), 0),
          },
    error,
    refetch: () => {
      for (const result of results) void result.refetch();
    },
    hasMore: unread.length > 0,
    isReadingMore: results.some(({ isFetchingNextPage }) => isFetchingNextPage),
    more: () => {
      for (const result of unread) void result.fetchNextPage();
    },
  };
}

/** The entry after one that was decided, or else the first of the others. */
export function entryAfter(entries: readonly QueueEntry[], id: string): QueueEntry | undefined {
  const at = entries.findIndex((one) => one.id === id);
  return entries[at + 1] ?? entries.find((one) => one.id !== id);
}
