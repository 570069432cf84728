import { fail, notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { RowInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { addProspect, assertDecision, lockPlace } from "../../../jsonapi/sql/request-decisions.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAt } from "../may-at.ts";
import { lockCell } from "../memberships/locks.ts";
import { addParticipant } from "./add-participant.ts";
import type { JoinRequestFields } from "./fields.ts";
import { type RequestStatus, requestTransitions } from "./statuses.ts";

interface JoinRequest {
  cellId: string;
  personId: string | null;
  createdBy: string | null;
  status: RequestStatus;
  contact: RowInput<JoinRequestFields>["attributes"]["contact"];
}

const statusPointer = "/data/attributes/status";

/** PATCH /v1/cell-join-requests/:id. An approval makes the person a participant of the cell. */
export async function updateJoinRequest(
  context: WriteContext<JoinRequestFields>,
  id: string,
  input: UpdateInput<JoinRequestFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db, resource } = context;
  const { person: personId = null } = input.toOne;
  await lockPlace(context, { id, personId }, "cell_id", (cellId) =>
    lockCell(db, actor.accountId, cellId),
  );
  const [before] = await db<JoinRequest[]>`
    select cell_id as "cellId", person_id as "personId", created_by as "createdBy", status, contact
    from cell_join_requests where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const decides = checkTransition(requestTransitions, before.status, status);
  if (decides) await assertMayDecide(context, before, status);
  const approves = decides && status === "approved";
  assertDecision(before, input, approves);
  if (!decides) return updateRow(context, resource, id, input);

  beginBatch(db);
  let { toOne } = input;
  if (approves) {
    const joining = personId ?? before.personId ?? (await addProspect(context, before.contact));
    toOne = { ...toOne, person: joining };
    await addParticipant(context, { cellId: before.cellId, personId: joining });
  }
  const decided = { decided_at: "now()", decided_by: AUTHOR };
  const event = "cell-join-request.decided";
  return updateRow(context, resource, id, { ...input, toOne }, decided, { event });
}

/** The requester cancels. Callers with `approve` at the cell approve and decline. */
async function assertMayDecide(
  context: WriteContext,
  { cellId, createdBy, personId }: JoinRequest,
  status: RequestStatus,
): Promise<void> {
  const own = context.actor.personId;
  if (status !== "cancelled")
    await assertMayAt(context, "cell-join-requests:approve", cellId, statusPointer);
  else if (own !== personId && own !== createdBy)
    throw fail("forbidden", "Only the requester cancels a request.", { pointer: statusPointer });
}
