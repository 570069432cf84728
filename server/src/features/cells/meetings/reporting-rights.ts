import type { Permission } from "../../../access/permissions.ts";
import { can, reachOf } from "../../../access/policy.ts";
import { type Reach, withoutScopes } from "../../../access/reach.ts";
import { fail, forbidden } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { reachesRow } from "../../../jsonapi/sql/reach.ts";
import { addDays } from "../../../base/dates.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { conflictWith } from "../../../jsonapi/sql/constraint.ts";

export const dateTaken = alreadyExists(
  "/data/attributes/date",
  "The cell has a meeting on this date.",
);

/** The rights of the caller to the meetings of one cell. */
export interface Rights {
  write: boolean;
  report: boolean;
  /** Through the whole account or a tree, and not only through the cell itself. */
  isSupervisor: boolean;
}

export async function rightsAt(context: WriteContext, cellId: string): Promise<Rights> {
  const cells = definitionOf(context.catalogue, "cells");
  const reach = (permission: Permission) =>
    reachOf(context.actor, can(permission), cells.reach ?? {});
  const reaches = [
    reach("cell-meetings:write"),
    reach("cell-meetings:report"),
    withoutScopes(reach("cell-meetings:write"), "cell"),
  ];
  // The foreign key reports an absent cell.
  const isAll = (one: Reach) => one === "everything";
  const reached = reaches.every(isAll) ? [] : await reachesRow(context, cells, cellId, reaches);
  const [write = false, report = false, isSupervisor = false] = reaches.map(
    (one, position) => isAll(one) || reached[position] === true,
  );
  return { write, report, isSupervisor };
}

/** Leaders change the meetings of their own cell for some days. */
export function assertNotClosed(
  { isSupervisor }: Rights,
  date: string,
  { reportEditDays, today }: { reportEditDays: number; today: string },
): void {
  if (!isSupervisor && today > addDays(date, reportEditDays))
    throw fail(
      "report-closed",
      `The leaders of the cell can change the meeting of ${date} for ${reportEditDays} days.`,
    );
}

export const mayNotReport = () => forbidden("This person may not report meetings of this cell.");

/** The constraint reports only meetings that other requests create at the same time. */
export async function assertNotTaken(
  { actor, db }: WriteContext,
  cellId: string,
  date: string,
): Promise<void> {
  const [taken] = await db<{ id: string }[]>`
    select id from cell_meetings
    where account_id = ${actor.accountId} and cell_id = ${cellId} and date = ${date}`;
  if (taken) throw conflictWith(dateTaken, taken.id);
}
