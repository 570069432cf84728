import type { Tx } from "../../store/db.ts";

/** The attributes of a person that `filter[q]`, `filter[name]` and `filter[phone]` search. */
export const searchedAttributes = [
  "full-name",
  "preferred-name",
  "email",
  "other-emails",
  "phones",
] as const;

/**
 * Writes the search text of people of an account, in the transaction that writes the people. `ids` limits it to some of
 * them. A text that stays the same is not written, because the index on it is expensive to maintain.
 */
export async function writeSearchText(
  tx: Tx,
  accountId: string,
  ids?: readonly string[],
): Promise<void> {
  await tx`
    insert into person_search as known (account_id, person_id, words)
    select account_id, id, person_search_text(full_name, preferred_name, email, other_emails, phones) from people
    where account_id = ${accountId} ${ids ? tx`and id = any(${[...ids]}::uuid[])` : tx``}
    on conflict (account_id, person_id) do update set words = excluded.words
    where known.words <> excluded.words`;
}
