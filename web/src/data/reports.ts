import { queryOptions } from "@tanstack/react-query";
import type { Resource } from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const shape = {
  sort: "date",
  include: ["cell.leaders"],
  fields: {
    "cell-meetings": ["date", "report-status"],
    "cells": ["name"],
    "people": ["full-name", "preferred-name", "photo-url", "phones", "email"],
  },
} as const;

export type WaitingReport = Resource<"cell-meetings", typeof shape>;

/**
 * The meetings that wait for a report, the oldest first, with the leaders who owe it. The badge of the menu and two cards
 * of the home page share this request.
 */
export const waitingReportsOptions = queryOptions({
  queryKey: keys.list("cell-meetings", { report: "waiting" }),
  queryFn: ({ signal }) =>
    api.cellMeetings.page(
      { ...shape, filter: { "report-status": ["due", "overdue"] }, page: { size: 50 } },
      { signal },
    ),
  staleTime: 60_000,
});

/** All of them. The list and the tree show the state of every group. */
export const allWaitingReportsOptions = queryOptions({
  queryKey: keys.list("cell-meetings", { report: "waiting", all: true }),
  queryFn: async ({ signal }) => {
    const meetings: WaitingReport[] = [];
    for await (const meeting of api.cellMeetings.list(
      { ...shape, filter: { "report-status": ["due", "overdue"] }, page: { size: 100 } },
      { signal },
    ))
      meetings.push(meeting);
    return meetings;
  },
  staleTime: 60_000,
});

/** The oldest meeting that waits for a report, of one group or of all that the caller reports for. */
export async function findDueMeeting(
  cell: string | undefined,
): Promise<{ id: string; meeting: string } | undefined> {
  const { items } = await api.cellMeetings.page({
    filter: { "report-status": ["due", "overdue"], ...(cell !== undefined && { cell: [cell] }) },
    include: ["cell"],
    fields: { "cell-meetings": ["date"], cells: ["name"] },
    sort: "date",
    page: { size: 1 },
  });
  const [due] = items;
  return due && { id: due.cell.id, meeting: due.id };
}
