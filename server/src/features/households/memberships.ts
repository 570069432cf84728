import { lockPeople } from "../../access/locks.ts";
import { fail } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { alreadyExists } from "../../jsonapi/definition/constraint-words.ts";
import type { HouseholdMembershipFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { deleteRow, insertRow, touchRow, updateRow, revisedBy } from "../../jsonapi/sql/write.ts";
import { conflictWith } from "../../jsonapi/sql/constraint.ts";

export const alreadyMember = alreadyExists(
  "/data/relationships/person/data",
  "The person is a member of this household already.",
);

/**
 * Writes of memberships lock the person first and then the household. Both have a limit that parallel requests must not
 * exceed, a person has at most one primary household, and a household has no contact who is not a member.
 */

/** POST /v1/household-memberships */
export async function createMembership(
  context: WriteContext<HouseholdMembershipFields>,
  input: CreateInput<HouseholdMembershipFields>,
): Promise<Written> {
  const { household: householdId } = input.toOne;
  const written = await addMember(context, input, "/data/relationships/person/data");
  await touchHousehold(context, householdId, ["memberships"]);
  return written;
}

/** Adds a person to a household. `pointer` is the place of the person in the document. */
export async function addMember(
  context: WriteContext,
  input: CreateInput<HouseholdMembershipFields>,
  pointer: string,
): Promise<Written> {
  const { actor, db } = context;
  const { accountId } = actor;
  const { household: householdId, person: personId } = input.toOne;
  await lockPerson(context, personId);
  await lockHousehold(context, householdId);
  const memberships = await db<
    { id: string; householdId: string; personId: string; isPrimary: boolean }[]
  >`
    select id, household_id as "householdId", person_id as "personId", is_primary as "isPrimary"
    from household_memberships
    where account_id = ${accountId} and (household_id = ${householdId} or person_id = ${personId})`;
  const ofPerson = memberships.filter((one) => one.personId === personId);
  const known = ofPerson.find((one) => one.householdId === householdId);
  if (known) throw conflictWith({ ...alreadyMember, pointer }, known.id);
  if (ofPerson.length >= limits.householdsPerPersonMax)
    throw limitReached("A person is in", limits.householdsPerPersonMax, "households", pointer);
  const members = memberships.filter((one) => one.householdId === householdId);
  if (members.length >= limits.membersPerHouseholdMax)
    throw limitReached(
      "A household has",
      limits.membersPerHouseholdMax,
      "members",
      "/data/relationships/household/data",
    );

  const isPrimary = input.attributes["is-primary"] ?? !ofPerson.some((one) => one.isPrimary);
  if (isPrimary === true) await replacePrimary(context, personId);
  return insertRow(context, definitionOf(context.catalogue, "household-memberships"), {
    ...input,
    attributes: { ...input.attributes, "is-primary": isPrimary },
  });
}

/** PATCH /v1/household-memberships/:id */
export async function updateMembership(
  context: WriteContext<HouseholdMembershipFields>,
  id: string,
  input: UpdateInput<HouseholdMembershipFields>,
): Promise<Written> {
  const membership = await findMembership(context, id);
  const becomesPrimary = input.attributes["is-primary"] === true;
  if (membership) {
    await lockPerson(context, membership.personId);
    await lockHousehold(context, membership.householdId);
    if (becomesPrimary) await replacePrimary(context, membership.personId, id);
  }
  const updated = await updateRow(context, context.resource, id, input);
  if (membership && updated.changed.length > 0)
    await touchHousehold(context, membership.householdId, ["memberships"]);
  return updated;
}

/** DELETE /v1/household-memberships/:id. A person who leaves is no longer the primary contact. */
export async function deleteMembership(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  const membership = await findMembership(context, id);
  if (membership) {
    await lockPerson(context, membership.personId);
    await lockHousehold(context, membership.householdId);
  }
  await deleteRow(context, context.resource, id);
  if (!membership) return;
  const { householdId, personId } = membership;
  const { count } = await db`
    update households set primary_contact_id = null
    where account_id = ${actor.accountId} and id = ${householdId} and primary_contact_id = ${personId}`;
  const changed = count > 0 ? ["memberships", "primary-contact"] : ["memberships"];
  await touchHousehold(context, householdId, changed);
}

async function findMembership({ actor, db }: WriteContext, id: string) {
  const [membership] = await db<{ householdId: string; personId: string }[]>`
    select household_id as "householdId", person_id as "personId" from household_memberships
    where account_id = ${actor.accountId} and id = ${id}`;
  return membership;
}

const lockPerson = ({ actor, db }: WriteContext, id: string | null): Promise<unknown> =>
  lockPeople(db, actor.accountId, id === null ? [] : [id]);

export const lockHousehold = (
  { actor, db }: WriteContext,
  id: string | null,
): Promise<unknown> => db`
  select from households where account_id = ${actor.accountId} and id = ${id} for no key update`;

/** The person's present primary household, if it is another one, is no longer primary. */
const replacePrimary = (
  { actor, db }: WriteContext,
  personId: string | null,
  exceptId?: string,
): Promise<unknown> => db`
  update household_memberships set is_primary = false, ${revisedBy(actor)}
  where account_id = ${actor.accountId} and person_id = ${personId} and is_primary
    and id is distinct from ${exceptId ?? null}`;

export const touchHousehold = (context: WriteContext, id: string, changed: readonly string[]) =>
  touchRow(context, definitionOf(context.catalogue, "households"), id, changed);

const limitReached = (start: string, limit: number, things: string, pointer: string) =>
  fail("limit-reached", `${start} at most ${limit} ${things}.`, { pointer }, { limit });
