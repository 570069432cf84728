import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertNoOther } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import type { MembershipFields } from "./fields.ts";
import { assertMayAppoint, isLeading } from "./roles.ts";
import { assertNoParticipantElsewhere } from "./sole-participant.ts";
import { completeDates } from "./dates.ts";
import { lockOpenCell } from "./locks.ts";

export const alreadyMember = alreadyExists(
  "/data/relationships/person/data",
  "The person is an active member of this cell.",
);

/** POST /v1/cell-memberships. A membership that has ended can be added to the history. */
export async function createMembership(
  context: WriteContext<MembershipFields>,
  input: CreateInput<MembershipFields>,
): Promise<Written> {
  const { "cell-role": cellRole, status = "active" } = input.attributes;
  const { cell: cellId, person: personId } = input.toOne;
  const cell = await lockOpenCell(context, cellId, "cell");
  if (isLeading(cellRole)) await assertMayAppoint(context, cell, { appointed: [personId] });
  const ends = status === "left";
  const { attributes, today } = await completeDates(context, input.attributes, { status, ends });
  if (status === "active") {
    await assertNotEnrolled(context, { cellId, personId });
    if (cellRole === "participant")
      await assertNoParticipantElsewhere(context, { cellId, personId });
  }
  return insertRow(context, context.resource, {
    ...input,
    attributes: { ...attributes, "joined-on": attributes["joined-on"] ?? today },
  });
}

/** Names the active membership that exists. A unique index decides between parallel requests. */
async function assertNotEnrolled(
  context: WriteContext,
  { cellId, personId }: { cellId: string; personId: string },
): Promise<void> {
  const { actor, db } = context;
  const [known] = await db<{ id: string }[]>`
    select id from cell_memberships
    where account_id = ${actor.accountId} and person_id = ${personId} and cell_id = ${cellId} and status = 'active'`;
  await assertNoOther(context, known, alreadyMember);
}
