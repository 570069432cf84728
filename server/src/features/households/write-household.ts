import { lockPeople } from "../../access/locks.ts";
import { fail, notAllowedHere } from "../../base/errors.ts";
import type { HouseholdFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { assertMayChange, deleteRow, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import { addMember, lockHousehold } from "./memberships.ts";

const pointer = "/data/relationships/primary-contact/data";

/** POST /v1/households. The primary contact becomes the first member, because a contact must be one. */
export async function createHousehold(
  context: WriteContext<HouseholdFields>,
  input: CreateInput<HouseholdFields>,
): Promise<Written> {
  const contact = input.toOne["primary-contact"];
  // The household names the contact, and the membership locks the person.
  await lockPeople(context.db, context.actor.accountId, contact ? [contact] : []);
  const written = await insertRow(context, context.resource, input);
  if (contact)
    await addMember(
      context,
      {
        attributes: { "household-role": "head" },
        toOne: { household: written.id, person: contact },
        toMany: {},
      },
      pointer,
    );
  return written;
}

/** PATCH /v1/households/:id */
export async function updateHousehold(
  context: WriteContext<HouseholdFields>,
  id: string,
  input: UpdateInput<HouseholdFields>,
): Promise<Written> {
  const contact = input.toOne["primary-contact"];
  if (contact) {
    await assertMayChange(context, context.resource, id);
    await lockPeople(context.db, context.actor.accountId, [contact], "key share");
    // Otherwise the membership of the contact could end at the same time.
    await lockHousehold(context, id);
    await requireMember(context, id, contact);
  }
  return updateRow(context, context.resource, id, input);
}

async function requireMember(
  { actor, db }: WriteContext,
  householdId: string,
  personId: string,
): Promise<void> {
  const [refused] = await db`
    select from households where account_id = ${actor.accountId} and id = ${householdId}
      and not exists (select from household_memberships member
        where member.account_id = ${actor.accountId} and household_id = ${householdId} and person_id = ${personId})`;
  if (refused)
    throw fail("invalid-relationship", notAllowedHere("Must be a member of the household."), {
      pointer,
    });
}

/** DELETE /v1/households/:id. The memberships end with it, and writes of memberships lock the person first. */
export async function deleteHousehold(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  await lockPeople(
    db,
    actor.accountId,
    db`select person_id from household_memberships
      where account_id = ${actor.accountId} and household_id = ${id}`,
  );
  await deleteRow(context, context.resource, id);
}
