import type { ReadContext } from "../../jsonapi/definition/resource.ts";

/**
 * Whether a person reads a confidential note as its author or assignee, and the caller does not read all confidential notes for
 * as long. An assignment alone gives a caller that right, also a full administrator, so the database is asked. The maker of an
 * invitation can be inactive by now, and then holds no right.
 */
export async function outranksByNotes(
  { actor, db }: Pick<ReadContext, "actor" | "db">,
  personId: string,
): Promise<boolean> {
  const { accountId } = actor;
  const [found] = await db`
    select where exists (
      select from notes where account_id = ${accountId} and visibility = 'confidential'
        and (author_id = ${personId} or assignee_id = ${personId})
    ) and not exists (
      select from valid_role_assignments held
      join person_facts person on person.account_id = held.account_id and person.person_id = held.person_id
      where held.account_id = ${accountId} and held.person_id = ${actor.personId} and person.is_active
        and held.scope_type = 'account' and held.valid_until is null and held.permissions ? 'note-confidential:read')`;
  return found !== undefined;
}
