import type { Tx } from "../../../store/db.ts";

/** Writes the text that `filter[q]` searches and the address of the sender, for submissions of an account or some of them. */
export async function writeSearchText(
  tx: Tx,
  accountId: string,
  ids?: readonly string[],
): Promise<void> {
  await tx`
    update form_submissions submission set
      words = form_search_text(number.fields, submission.answers),
      sender_email = form_sender_email(number.fields, submission.answers)
    from form_versions number
    where submission.account_id = ${accountId} ${ids ? tx`and submission.id = any(${[...ids]}::uuid[])` : tx``}
      and number.account_id = submission.account_id and number.form_id = submission.form_id
      and number.number = submission.form_version`;
}
