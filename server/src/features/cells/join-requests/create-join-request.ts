import { fail, forbidden, invalid } from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { isReadable } from "../../../jsonapi/sql/read.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { mayAt } from "../may-at.ts";
import type { JoinRequestFields } from "./fields.ts";
import { addParticipant } from "./add-participant.ts";
import { lockRequestedCell, requestsClosed } from "./requested-cell.ts";

const personPointer = "/data/relationships/person/data";
const contactPointer = "/data/attributes/contact";

/** POST /v1/cell-join-requests. People ask for themselves, and staff of the cell ask for others. */
export async function createJoinRequest(
  context: WriteContext<JoinRequestFields>,
  input: CreateInput<JoinRequestFields>,
): Promise<Written> {
  const { actor, resource } = context;
  const { cell: cellId, person: personId = null } = input.toOne;
  const isStaff = await mayAt(context, "cell-join-requests:write", cellId);
  if (!isStaff) {
    if (!(await isReadable(context, definitionOf(context.catalogue, "cells"), cellId)))
      throw forbidden("This person may not do this in cells of this id.");
    if (personId !== actor.personId)
      throw fail("forbidden", "People may ask only for themselves.", {
        pointer: personId === null ? contactPointer : personPointer,
      });
  }
  assertHasContact(input);
  const cell = await lockRequestedCell(context, cellId);
  if (!cell.isOpen) throw requestsClosed();

  const source = personId === actor.personId ? "self" : "staff";
  const approves = personId !== null && cell.joinPolicy === "open";
  if (approves) {
    beginBatch(context.db);
    await addParticipant(context, { cellId, personId });
  }
  return insertRow(context, resource, input, {
    source: `'${source}'`,
    ...(approves && { status: "'approved'", decided_at: "now()" }),
  });
}

/** Rejects a `contact` that cannot be contacted. A constraint of the database compares `contact` with `person`. */
function assertHasContact({ attributes: { contact } }: CreateInput<JoinRequestFields>): void {
  if (contact && !contact.email && !contact.phone)
    throw invalid(contactPointer, {
      rule: "required",
      hint: "A contact needs an e-mail address or a telephone number.",
    });
}
