import { fail } from "../../../base/errors.ts";
import type { ResourceInput, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { type CellRole, assertMayAppoint, isLeading } from "./roles.ts";
import { assertNoParticipantElsewhere, completeDates, holdOpenCell } from "./rules.ts";
import type { MembershipStatus } from "./statuses.ts";

/** POST /v1/cell-memberships. A membership that has ended can be added to the history. */
export async function createMembership(
  context: WriteContext,
  input: ResourceInput,
): Promise<Written> {
  const attributes = new Map(input.attributes);
  const cellRole = attributes.get("cell-role") as CellRole;
  const cellId = input.toOne.get("cell") ?? "";
  const personId = input.toOne.get("person") ?? "";

  const cell = await holdOpenCell(context, cellId, "cell");
  if (isLeading(cellRole)) await assertMayAppoint(context, cell);
  const status = (attributes.get("status") ?? "active") as MembershipStatus;
  const today = await completeDates(context, attributes, { status, ends: status === "left" });
  if (!attributes.has("joined-on")) attributes.set("joined-on", today);
  if (status === "active") {
    await refuseSecond(context, { cellId, personId });
    if (cellRole === "participant")
      await assertNoParticipantElsewhere(context, { cellId, personId });
  }
  return insertRow(context, context.of, { ...input, attributes });
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
