import type { Made } from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { createMembership } from "../memberships/create-membership.ts";
import { cellMemberships } from "../memberships/definition.ts";
import { type CellRole, isLeading } from "../memberships/roles.ts";
import { appointmentProblems, type WantedMembership } from "./plan-memberships.ts";

/** The membership that a row of an import made. */
export interface MadeMembership extends Made {
  membership: string;
}

export const membershipIn = (made: Made | null | undefined): string | undefined =>
  (made as MadeMembership | null | undefined)?.membership;

/** Creates a membership as POST /v1/cell-memberships does. */
export async function makeMembership(
  context: WriteContext,
  { attributes, personId }: WantedMembership,
  cellId: string,
): Promise<MadeMembership> {
  if (personId === null) throw new Error("The person of a membership is created before it.");
  const { id } = await createMembership(forType(context, cellMemberships), {
    attributes,
    toOne: { cell: cellId, person: personId },
    toMany: {},
  });
  return { membership: id };
}

/**
 * Locks memberships and returns those that an undo deletes. A membership stays if it has changed since the import, or if its
 * person is a leader whom the caller may not dismiss.
 */
export async function removableMemberships(
  context: WriteContext,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, db } = context;
  const rows = await db<
    { id: string; cellRole: CellRole; cellId: string; cellType: "cell" | "supervision" }[]
  >`
    select own.id, own.cell_role as "cellRole", own.cell_id as "cellId", cells.cell_type as "cellType"
    from cell_memberships own
    join cells on cells.account_id = own.account_id and cells.id = own.cell_id
    where own.account_id = ${actor.accountId} and own.id = any(${[...ids]}::uuid[]) and own.version = 1
    order by own.id for update of own`;
  const removable = new Set<string>();
  for (const { cellId, cellRole, cellType, id } of rows) {
    const isAllowed =
      !isLeading(cellRole) ||
      (await appointmentProblems(context, { id: cellId, cellType })).length === 0;
    if (isAllowed) removable.add(id);
  }
  return removable;
}

export const deleteMemberships = (
  { actor, db }: WriteContext,
  ids: Iterable<string>,
): Promise<unknown> => db`
  delete from cell_memberships where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])`;
