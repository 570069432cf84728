/** The reads of the home page: one request for each card, and at most six rows. */
import { queryOptions } from "@tanstack/react-query";
import { addDays, today } from "../ui/format.ts";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const ROWS = 6;

/** The next meeting of the caller's groups. */
export const nextMeetingOptions = (cells: string[]) =>
  queryOptions({
    queryKey: keys.list("cell-meetings", { next: cells }),
    queryFn: async ({ signal }) => {
      const { items } = await api.cellMeetings.page(
        {
          filter: { cell: cells, from: today(), status: ["scheduled"] },
          sort: "date",
          include: ["cell"],
          fields: { "cell-meetings": ["date", "starts-at"], "cells": ["name"] },
          page: { size: 1 },
        },
        { signal },
      );
      return items[0] ?? null;
    },
  });

/** The people who stayed away last stand first. For them a call comes in time. */
export const absentPeopleOptions = queryOptions({
  queryKey: keys.list("people", { absent: 3, for: "home" }),
  queryFn: ({ signal }) =>
    api.people.page(
      {
        filter: { "absent-streak-min": 3, "is-active": true },
        sort: "-last-attended-at",
        include: ["cells"],
        fields: { people: ["full-name", "photo-url", "phones"], cells: ["name"] },
        page: { size: ROWS },
      },
      { signal },
    ),
});

const BIRTHDAY_WEEK = 6;

/** Birthdays of today and the next six days, in their order, also over the new year. */
export const birthdaysOptions = (from: string) =>
  queryOptions({
    queryKey: keys.list("people", { birthdays: from }),
    queryFn: async ({ signal }) => {
      const { items } = await api.people.page(
        {
          filter: {
            "birthday-from": from.slice(5),
            "birthday-to": addDays(from, BIRTHDAY_WEEK).slice(5),
            "is-active": true,
          },
          sort: "birth-month-day",
          fields: { people: ["full-name", "photo-url", "phones", "birthdate", "birth-month-day"] },
          page: { size: 50 },
        },
        { signal },
      );
      return items
        .flatMap((person) => {
          const day = person["birth-month-day"];
          if (!day) return [];
          const thisYear = `${from.slice(0, 4)}-${day}`;
          const date = thisYear >= from ? thisYear : `${Number(from.slice(0, 4)) + 1}-${day}`;
          return [{ person, date }];
        })
        .sort((a, b) => a.date.localeCompare(b.date))
        .slice(0, ROWS);
    },
  });

export const dueFollowUpsOptions = (until: string) =>
  queryOptions({
    queryKey: keys.list("notes", { dueUntil: until }),
    queryFn: ({ signal }) =>
      api.notes.page(
        {
          filter: { "follow-up-status": "open", "follow-up-until": until },
          sort: "follow-up-on",
          include: ["about"],
          fields: {
            notes: ["text", "follow-up-on", "follow-up-status", "about"],
            people: ["full-name"],
            cells: ["name"],
            households: ["name"],
          },
          page: { size: ROWS },
        },
        { signal },
      ),
  });

/** Changes the state of a follow-up, under the version that was read. */
export const setFollowUp = (
  note: { id: string; $etag?: string | undefined },
  status: "open" | "done",
  idempotencyKey: string,
) =>
  api.notes.update(note.id, { "follow-up-status": status }, { etag: note.$etag, idempotencyKey });

/** The sums of the last eight weeks, oldest first. The last week is not over. */
export const weeksOptions = (from: string) =>
  queryOptions({
    queryKey: keys.list("cell-report-totals", { from }),
    queryFn: async ({ signal }) => {
      const { items } = await api.cellReportTotals.page({ filter: { from } }, { signal });
      return items.toReversed();
    },
  });

export const proposedMultiplicationsOptions = queryOptions({
  queryKey: keys.list("cell-multiplications", { status: "proposed", for: "home" }),
  queryFn: ({ signal }) =>
    api.cellMultiplications.page(
      {
        filter: { status: ["proposed"] },
        include: ["parent-cell"],
        fields: { cells: ["name"] },
        page: { size: ROWS },
      },
      { signal },
    ),
});

export const newPeopleOptions = (since: string) =>
  queryOptions({
    queryKey: keys.list("people", { createdSince: since }),
    queryFn: ({ signal }) =>
      api.people.page(
        {
          filter: { "created-since": since, "is-active": true },
          sort: "-created-at",
          fields: { people: ["full-name", "photo-url", "membership-status", "created-at"] },
          page: { size: ROWS },
        },
        { signal },
      ),
  });

/** The caller's own groups, with the day and the time at which they meet, and the own courses with their progress. */
export const ownGroupsOptions = queryOptions({
  queryKey: keys.one("people", "me", "groups"),
  queryFn: ({ signal }) =>
    api.people.get(
      "me",
      {
        include: ["cells", "course-enrollments.class"],
        fields: {
          "people": ["full-name"],
          "cells": ["name", "weekday", "starts-at"],
          "course-enrollments": ["status", "lessons-attended", "lessons-required", "class"],
          "course-classes": ["name"],
        },
      },
      { signal },
    ),
});
