import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { createMembership } from "../memberships/create-membership.ts";
import { cellMemberships } from "../memberships/definition.ts";

/**
 * Adds the person of an approved request, or of a form, to the cell, under the conditions of every membership. The operation has
 * checked the rights of the caller at the cell.
 */
export async function addParticipant(
  context: WriteContext,
  { cellId, personId }: { cellId: string; personId: string },
): Promise<Written> {
  return createMembership(forType(context, cellMemberships), {
    attributes: { "cell-role": "participant" },
    toOne: { cell: cellId, person: personId },
    toMany: {},
  });
}
