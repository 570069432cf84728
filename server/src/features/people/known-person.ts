import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { likePattern } from "../../jsonapi/request/search-text.ts";
import type { NewProspect } from "./create-prospect.ts";

/**
 * Returns the one active person of this name who has this address or telephone number. The name must agree as well, because
 * families share both. Several such people are as good as none: the service does not choose between them. The person is not
 * deleted until the transaction ends.
 */
export async function findKnownPerson(
  { actor, db }: WriteContext,
  { email = null, fullName, phone = null }: NewProspect,
): Promise<string | undefined> {
  if (email === null && phone === null) return undefined;
  const { accountId } = actor;
  // The search text contains both, and has an index. Match keys are written later than the person.
  const found = await db<{ id: string }[]>`
    select person.id from people person
    where person.account_id = ${accountId} and person.is_active and is_same_name(person.full_name, ${fullName})
      and person.id in (
        select person_id from person_search
        where account_id = ${accountId}
          and (words like fold(${email && likePattern(email)}) or words like ${phone && likePattern(phone.replace("+", ""))}))
      and (
        lower(${email}) in (
          select lower(person.email) union all select lower(value) from jsonb_array_elements_text(person.other_emails) as value)
        or ${phone} in (select known ->> 'number' from jsonb_array_elements(person.phones) as known))
    order by person.id
    limit 2 for key share of person`;
  return found.length === 1 ? found[0]?.id : undefined;
}
