import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

/**
 * The meetings that wait for a report, the oldest first, with the leaders who owe it. The badge of the menu and two cards
 * of the home page share this request.
 */
export const waitingReportsOptions = queryOptions({
  queryKey: keys.list("cell-meetings", { report: "waiting" }),
  queryFn: ({ signal }) =>
    api.cellMeetings.page(
      {
        filter: { "report-status": ["due", "overdue"] },
        sort: "date",
        include: ["cell.leaders"],
        fields: {
          "cell-meetings": ["date", "report-status"],
          "cells": ["name"],
          "people": ["full-name", "preferred-name", "photo-url", "phones"],
        },
        page: { size: 50 },
      },
      { signal },
    ),
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
