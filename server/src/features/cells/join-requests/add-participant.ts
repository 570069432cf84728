import { forType, type WriteContext } from "../../../jsonapi/definition/resource.ts";
import { createMembership } from "../memberships/create-membership.ts";
import { cellMemberships } from "../memberships/definition.ts";

/** Adds the person of an approved request to the cell, under the conditions of every membership. */
export async function addParticipant(
  context: WriteContext,
  { cellId, personId }: { cellId: string; personId: string },
): Promise<void> {
  await createMembership(forType(context, cellMemberships), {
    attributes: { "cell-role": "participant" },
    toOne: { cell: cellId, person: personId },
    toMany: {},
  });
}
