/** What people outside of the church sent, and what waits for a decision: one read for each kind, the oldest first. */
import { queryOptions, useQueries } from "@tanstack/react-query";
import { api } from "./client.ts";
import { nameInAnswers } from "./form-answers.ts";
import { questionsOf } from "./forms.ts";
import { keys } from "./keys.ts";

export type QueueKind = "form-submissions" | "cell-join-requests" | "course-enrollment-requests";

export type QueueEntry = {
  kind: QueueKind;
  id: string;
  $etag?: string | undefined;
  /** Empty if nothing in the answers names the visitor. */
  name: string;
  photo?: string | null | undefined;
  /** The form, the group or the class. */
  place: { id: string; name?: string | undefined };
  at: string;
};

type Read = { entries: QueueEntry[]; total: number };

/** The service does not notify the app of arrivals, so an open queue asks every half minute. */
const refetchInterval = 30_000;

const submissions = (size: number) =>
  queryOptions({
    queryKey: keys.list("form-submissions", { queue: size }),
    refetchInterval,
    queryFn: async ({ signal }): Promise<Read> => {
      const { items, total } = await api.formSubmissions.page(
        {
          filter: { status: ["new"] },
          sort: "submitted-at",
          include: ["form"],
          fields: {
            "form-submissions": ["submitted-at", "answers", "form"],
            "forms": ["name", "fields"],
          },
          page: { size },
        },
        { signal },
      );
      const entries = items.map(({ id, $etag, answers, form, "submitted-at": at }) => ({
        kind: "form-submissions" as const,
        id,
        $etag,
        name: nameInAnswers(questionsOf(form), answers),
        place: form,
        at,
      }));
      return { entries, total };
    },
  });

const joins = (size: number) =>
  queryOptions({
    queryKey: keys.list("cell-join-requests", { queue: size }),
    refetchInterval,
    queryFn: async ({ signal }): Promise<Read> => {
      const { items, total } = await api.cellJoinRequests.page(
        {
          filter: { status: ["pending"] },
          sort: "created-at",
          include: ["cell", "person"],
          fields: {
            "cell-join-requests": ["contact", "created-at", "cell", "person"],
            "people": ["full-name", "photo-url"],
            "cells": ["name"],
          },
          page: { size },
        },
        { signal },
      );
      const entries = items.map(({ id, $etag, person, contact, cell, "created-at": at }) => ({
        kind: "cell-join-requests" as const,
        id,
        $etag,
        name: person?.["full-name"] ?? contact?.["full-name"] ?? "",
        photo: person?.["photo-url"],
        place: cell,
        at,
      }));
      return { entries, total };
    },
  });

const enrollments = (size: number) =>
  queryOptions({
    queryKey: keys.list("course-enrollment-requests", { queue: size }),
    refetchInterval,
    queryFn: async ({ signal }): Promise<Read> => {
      const { items, total } = await api.courseEnrollmentRequests.page(
        {
          filter: { status: ["pending"] },
          sort: "created-at",
          include: ["class"],
          fields: {
            "course-enrollment-requests": ["contact", "created-at", "class"],
            "course-classes": ["name"],
          },
          page: { size },
        },
        { signal },
      );
      const entries = items.map(({ id, $etag, contact, "created-at": at, ...request }) => ({
        kind: "course-enrollment-requests" as const,
        id,
        $etag,
        name: contact?.["full-name"] ?? "",
        place: request.class ?? { id: "" },
        at,
      }));
      return { entries, total };
    },
  });

const reads = {
  "form-submissions": submissions,
  "cell-join-requests": joins,
  "course-enrollment-requests": enrollments,
};

/** The entries of all kinds together. One kind that cannot be read does not hide the others. */
export function usePublicQueue(kinds: readonly QueueKind[], size: number) {
  return useQueries({
    queries: kinds.map((kind) => reads[kind](size)),
    combine: (results) => {
      const read = results.flatMap(({ data }) => data ?? []);
      const error = results.find((one) => one.error !== null)?.error ?? null;
      return {
        data: results.some(({ isPending }) => isPending)
          ? undefined
          : read.length === 0 && error
            ? undefined
            : {
                entries: read
                  .flatMap(({ entries }) => entries)
                  .sort((one, other) => one.at.localeCompare(other.at)),
                total: read.reduce((sum, { total }) => sum + total, 0),
              },
        error,
        refetch: () => {
          for (const result of results) void result.refetch();
        },
      };
    },
  });
}
