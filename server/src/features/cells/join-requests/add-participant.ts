import { type WriteContext, targetOf } from "../../../jsonapi/definition/resource.ts";
import { createMembership } from "../memberships/create-membership.ts";

/** Adds the person of an approved request to the cell, under the conditions of every membership. */
export async function addParticipant(
  context: WriteContext,
  { cellId, personId }: { cellId: string; personId: string },
): Promise<void> {
  await createMembership(
    {
      ...context,
      of: targetOf(context.catalogue, { target: "cell-memberships" }),
      expectedVersion: undefined,
    },
    {
      attributes: new Map([["cell-role", "participant"]]),
      toOne: new Map([
        ["cell", cellId],
        ["person", personId],
      ]),
      toMany: new Map(),
    },
  );
}
