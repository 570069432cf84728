import type { Tx } from "../../../store/db.ts";
import type { PersonValues } from "../fields.ts";

/** The attributes that are compared. */
export const comparedAttributes = [
  "full-name",
  "birthdate",
  "email",
  "other-emails",
  "phones",
  "address",
] as const;

/** Whether a new person can have keys. A name alone is shared by too many. */
export const isComparable = (attributes: PersonValues): boolean =>
  comparedAttributes.some((name) => name !== "full-name" && (attributes[name] ?? null) !== null);

/**
 * Writes the keys by which people of an account are compared: hashes of addresses, of telephone numbers, of each word of a
 * name with the birthdate, and of names with a street and a number. People with a common key are alike, if those with a common
 * birthdate also agree in their names. `ids` limits it to some people.
 */
export async function writeMatchKeys(
  tx: Tx,
  accountId: string,
  ids?: readonly string[],
): Promise<void> {
  const these = (column: string) => (ids ? tx`and ${tx(column)} = any(${[...ids]}::uuid[])` : tx``);
  await tx`delete from person_match_keys where account_id = ${accountId} ${these("person_id")}`;
  await tx`
    insert into person_match_keys (account_id, key, person_id, reason)
    select account_id, md5(reason || ' ' || value)::uuid, id, reason
    from people
    cross join name_words(full_name) as words
    cross join lateral (
      select 'same-email' as reason, lower(mail) as value
      from (select email union all select jsonb_array_elements_text(other_emails)) as address (mail)
      union
      select 'same-phone', digits(phone ->> 'number') from jsonb_array_elements(phones) phone
      union
      select 'name-birthdate', concat_ws(' ', word, birthdate) from unnest(words) word where birthdate is not null
      union
      select 'name-address',
        concat_ws(' ', array_to_string(words, ' '), fold(btrim(address ->> 'street')), fold(btrim(address ->> 'number')))
      where btrim(address ->> 'street') <> '' and btrim(address ->> 'number') <> ''
    ) compared
    where account_id = ${accountId} ${these("id")} and value is not null`;
}
