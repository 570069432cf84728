import { lockPeople } from "../../../access/locks.ts";
import { fail, invalid, notAllowedHere, notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { RowInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
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
const personPointer = "/data/relationships/person/data";

/** PATCH /v1/cell-join-requests/:id. An approval makes the person a participant of the cell. */
export async function updateJoinRequest(
  context: WriteContext<JoinRequestFields>,
  id: string,
  input: UpdateInput<JoinRequestFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db, resource } = context;
  await lockPlace(context, id, input.toOne.person ?? null);
  const [before] = await db<JoinRequest[]>`
    select cell_id as "cellId", person_id as "personId", created_by as "createdBy", status, contact
    from cell_join_requests where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();

  const status = input.attributes.status ?? before.status;
  const decides = checkTransition(requestTransitions, before.status, status);
  if (decides) await assertMayDecide(context, before, status);
  const approves = decides && status === "approved";
  const { person: personId = null } = input.toOne;
  if (input.toOne.person !== undefined && personId !== before.personId) {
    if (before.personId !== null)
      throw fail("invalid-relationship", { rule: "read-only" }, { pointer: personPointer });
    if (!approves || personId === null)
      throw fail(
        "invalid-relationship",
        notAllowedHere("Only an approval names the person of a contact."),
        { pointer: personPointer },
      );
  }
  if (status !== "declined" && input.attributes["decline-reason"])
    throw invalid(
      "/data/attributes/decline-reason",
      notAllowedHere("Only a declined request has a reason."),
    );
  if (!decides) return updateRow(context, resource, id, input);

  beginBatch(db);
  let { toOne } = input;
  if (approves) {
    const joining = personId ?? before.personId ?? (await addProspect(context, before));
    toOne = { ...toOne, person: joining };
    await addParticipant(context, { cellId: before.cellId, personId: joining });
  }
  const decided = { decided_at: "now()", decided_by: AUTHOR };
  const event = "cell-join-request.decided";
  return updateRow(context, resource, id, { ...input, toOne }, decided, { event });
}

/** An approval begins a membership. Its cell and its person are locked before the request, which a closing declines. */
async function lockPlace(
  { actor, db }: WriteContext,
  id: string,
  personId: string | null,
): Promise<void> {
  const { accountId } = actor;
  const [place] = await db<{ cellId: string; personId: string | null }[]>`
    select cell_id as "cellId", person_id as "personId" from cell_join_requests
    where account_id = ${accountId} and id = ${id}`;
  if (!place) return;
  await lockCell(db, accountId, place.cellId);
  const joining = personId ?? place.personId;
  await lockPeople(db, accountId, joining === null ? [] : [joining]);
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

/** The contact of a pending request is never deleted. */
async function addProspect(context: WriteContext, { contact }: JoinRequest): Promise<string> {
  if (!contact) throw new Error("A request without a person has a contact.");
  const { email, "full-name": fullName, phone } = contact;
  return context.catalogue.published.createProspect(context, { fullName, email, phone });
}
