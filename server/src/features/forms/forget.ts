import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";
import { forgetAnswers } from "./submissions/delete-submission.ts";

/** An anonymization deletes the submissions of the person. */
export async function forgetSender(
  { actor, db }: WriteContext,
  personId: string,
  forgetting: Forgetting,
): Promise<void> {
  if (forgetting === "deleted") return;
  const { accountId } = actor;
  const submissions = await db<{ id: string }[]>`
    delete from form_submissions where account_id = ${accountId} and person_id = ${personId} returning id`;
  await forgetAnswers(
    db,
    accountId,
    submissions.map(({ id }) => id),
  );
}
