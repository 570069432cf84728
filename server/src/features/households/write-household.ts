import { fail } from "../../base/errors.ts";
import type { HouseholdFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { assertMayChange, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import { addMember, lockHousehold } from "./memberships.ts";

const pointer = "/data/relationships/primary-contact/data";

/** POST /v1/households. The primary contact becomes the first member, because a contact must be one. */
export async function createHousehold(
  context: WriteContext<HouseholdFields>,
  input: CreateInput<HouseholdFields>,
): Promise<Written> {
  const written = await insertRow(context, context.resource, input);
  const contact = input.toOne["primary-contact"];
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
    throw fail("invalid-relationship", "Must be a member of the household.", { pointer });
}
