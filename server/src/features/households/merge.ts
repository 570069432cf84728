import type {
  MergeConflict,
  Merging,
  Passed,
  PersonColumn,
} from "../../jsonapi/definition/merge.ts";
import { keepBest, moved } from "../../jsonapi/sql/merge.ts";
import { limits } from "../../base/limits.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

declare module "../../jsonapi/definition/merge.ts" {
  interface MergeOptions {
    /** The kept person joins the households of the removed people. */
    readonly keepHouseholds: boolean;
  }
}

const type = "household-memberships";
const moveMemberships = moved(type);

/** The kept person's households stay. Those of the removed people are added if the kept person has none, or on request. */
export async function mergeMemberships(merging: Merging, place: PersonColumn): Promise<Passed> {
  const conflicts = [
    ...(merging.keepHouseholds ? [] : await dropOtherHouseholds(merging)),
    ...(await keepBest(merging, {
      type,
      table: "household_memberships",
      within: "household_id",
      best: "array_position(array['head', 'spouse', 'child', 'dependent', 'other'], household_role)",
      rule: "same-household",
    })),
    ...(await dropBeyondLimit(merging)),
  ];
  await keepOnePrimary(merging);
  return { ...(await moveMemberships(merging, place)), conflicts };
}

/** A merged person stays the contact of a household only as its member. Runs after the memberships moved. */
export async function mergeContacts({
  accountId,
  actorId,
  db,
  keptId,
  removedIds,
}: Merging): Promise<Passed> {
  await db`
    update households set ${revisedBy({ personId: actorId })},
      primary_contact_id = (select person_id from household_memberships
        where account_id = ${accountId} and household_id = households.id and person_id = ${keptId})
    where account_id = ${accountId} and primary_contact_id = any(${[...removedIds]}::uuid[])`;
  return {};
}

async function dropOtherHouseholds({
  accountId,
  db,
  keptId,
  removedIds,
}: Merging): Promise<MergeConflict[]> {
  const rows = await db<{ kept: string; dropped: string }[]>`
    with own as (
      select id from household_memberships where account_id = ${accountId} and person_id = ${keptId}
      order by is_primary desc, id limit 1)
    delete from household_memberships other using own
    where other.account_id = ${accountId} and other.person_id = any(${[...removedIds]}::uuid[])
    returning own.id as kept, other.id as dropped`;
  return rows.map(({ dropped, kept }) => conflict("kept-household", kept, dropped));
}

/** The order in which memberships stay: those of the kept person first. */
const places = ({ accountId, db, keptId, removedIds }: Merging) => db`
  select id, row_number() over (order by (person_id <> ${keptId}), is_primary desc, id) as place, is_primary
  from household_memberships
  where account_id = ${accountId} and person_id = any(${[keptId, ...removedIds]}::uuid[])`;

async function dropBeyondLimit(merging: Merging): Promise<MergeConflict[]> {
  const { accountId, db } = merging;
  const rows = await db<{ id: string }[]>`
    with held as (${places(merging)})
    delete from household_memberships where account_id = ${accountId}
      and id in (select id from held where place > ${limits.householdsPerPersonMax}) returning id`;
  return rows.map(({ id }) => conflict("limit", null, id));
}

const keepOnePrimary = (merging: Merging): Promise<unknown> => merging.db`
  with held as (${places(merging)})
  update household_memberships set is_primary = false where account_id = ${merging.accountId}
    and id in (select id from held where is_primary)
    and id <> (select id from held where is_primary order by place limit 1)`;

const conflict = (rule: string, kept: string | null, dropped: string): MergeConflict => ({
  "resource-type": type,
  "field": null,
  rule,
  kept,
  dropped,
});
