import type { WriteContext } from "../../../jsonapi/definition/resource.ts";

/** Replaces the people whom the service suggests, the most likely first. The people are locked, and can have been anonymized before. */
export async function suggestPeople(
  { actor, db }: WriteContext,
  id: string,
  people: readonly string[],
): Promise<void> {
  const { accountId } = actor;
  await db`
    delete from form_submission_suggestions
    where account_id = ${accountId} and submission_id = ${id} and person_id <> all(${[...people]}::uuid[])`;
  await db`
    insert into form_submission_suggestions (account_id, submission_id, person_id, position)
    select ${accountId}, ${id}, suggested.person_id, position
    from unnest(${[...people]}::uuid[]) with ordinality as suggested (person_id, position)
    join person_facts person on person.account_id = ${accountId} and person.person_id = suggested.person_id
    where not person.is_anonymized
    on conflict (account_id, submission_id, person_id) do update set position = excluded.position`;
}
