import { lockPeople } from "../../../access/locks.ts";
import { operator } from "../../../access/operator.ts";
import { limits } from "../../../base/limits.ts";
import type { Queue } from "../../../jobs/queues.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { writeContextOf } from "../../../jsonapi/routes/write-context.ts";
import { inTransaction } from "../../../store/db.ts";
import { readSubmission } from "./stored-submission.ts";
import { suggestPeople } from "./suggest-people.ts";

/**
 * Suggests the people who may have sent a submission of the public area. A job does it, because the time of the request would
 * tell visitors whom the account knows.
 */
export const senderSearches: Queue<Services, { accountId: string; id: string }> = {
  name: "form-sender-searches",
  atOnce: 10,
  pollSeconds: 2,
  retries: 5,
  retryDelaySeconds: 10,
  retryDelaySecondsMax: 600,
  secondsMax: 60,
  async run({ db, ...services }, { accountId, id }) {
    const { catalogue, mailer } = services;
    await inTransaction(db, accountId, async (tx) => {
      const installation = { ...services, sendsMail: mailer !== undefined };
      const resource = definitionOf(catalogue, "form-submissions");
      const context = writeContextOf(installation, tx, operator(accountId), resource);
      const sent = await readSubmission(tx, accountId, id);
      if (!sent) return;
      const people = await catalogue.published.findLikePeople(
        context,
        sent.proposed,
        limits.formSuggestionsMax,
      );
      await lockPeople(tx, accountId, people, "key share");
      const locked = await readSubmission(tx, accountId, id, "for no key update");
      if (locked?.status === "new" && locked.personId === null)
        await suggestPeople(context, id, people);
    });
  },
};
