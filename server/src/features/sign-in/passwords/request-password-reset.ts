import { foldEmail } from "../../../access/logins.ts";
import { enqueue } from "../../../jobs/queues.ts";
import { type Db, inGlobalTransaction } from "../../../store/db.ts";
import type { LoginOrigin } from "../authenticate/authenticate.ts";
import type { PasswordReset } from "../input.ts";
import { resetMails } from "../mails/mails.ts";
import { chargeLookup, throttleKeys } from "../throttle.ts";

/**
 * POST /v1/password-resets. Known and unknown addresses run the same statements, so that neither the response nor its time
 * reveals whether a person has a log-in. Each request counts, because each one may send a mail.
 */
export async function requestPasswordReset(
  db: Db,
  { username, account }: PasswordReset,
  {
    address,
    throttleKey,
    integrationId = null,
  }: Omit<LoginOrigin, "integrationId" | "requestId"> & {
    integrationId?: string | null | undefined;
  },
): Promise<void> {
  const email = foldEmail(username);
  const alias = account.trim().toLowerCase();
  await chargeLookup(db, throttleKeys(throttleKey, "password-reset", [alias, email], address));
  // The account is known only in the transaction.
  await inGlobalTransaction(await db.serverOfAlias(alias), async (tx) => {
    const [person] = await tx<{ accountId: string; personId: string }[]>`
      select account.account_id as "accountId", person.person_id as "personId"
      from account_facts account
      join person_facts person on person.account_id = account.account_id and lower(person.email) = ${email}
      where account.alias = ${alias} and account.status = 'active'
        and person.is_active and person.has_login
        and (${integrationId}::uuid is null or account.integration_approved and exists (
          select from account_integrations allowed
          where allowed.account_id = account.account_id and allowed.integration_id = ${integrationId}::uuid))`;
    await enqueue(tx, resetMails, person ?? { accountId: null, personId: null });
  });
}
