import { fail } from "../../../base/errors.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import type { MembershipFields } from "./fields.ts";
import { assertMayAppoint, isLeading } from "./roles.ts";
import { assertNoParticipantElsewhere, completeDates, holdOpenCell } from "./rules.ts";

/** POST /v1/cell-memberships. A membership that has ended can be added to the history. */
export async function createMembership(
  context: WriteContext<MembershipFields>,
  input: CreateInput<MembershipFields>,
): Promise<Written> {
  const { "cell-role": cellRole, status = "active" } = input.attributes;
  const { cell: cellId, person: personId } = input.toOne;
  const cell = await holdOpenCell(context, cellId, "cell");
  if (isLeading(cellRole)) await assertMayAppoint(context, cell);
  const ends = status === "left";
  const { attributes, today } = await completeDates(context, input.attributes, { status, ends });
  if (status === "active") {
    await refuseSecond(context, { cellId, personId });
    if (cellRole === "participant")
      await assertNoParticipantElsewhere(context, { cellId, personId });
  }
  return insertRow(context, context.of, {
    ...input,
    attributes: { ...attributes, "joined-on": attributes["joined-on"] ?? today },
  });
}

/** Names the active membership that exists. A unique index decides between parallel requests. */
async function refuseSecond(
  context: WriteContext,
  { cellId, personId }: { cellId: string; personId: string },
): Promise<void> {
  const { actor, db, of } = context;
  const [known] = await db<{ id: string }[]>`
    select id from cell_memberships
    where account_id = ${actor.accountId} and person_id = ${personId} and cell_id = ${cellId} and status = 'active'`;
  if (!known) return;
  throw fail(
    "already-exists",
    "The person is an active member of this cell.",
    { pointer: "/data/relationships/person/data" },
    (await isReadable(context, of, known.id)) ? { id: known.id } : undefined,
  );
}
