import { foldEmail } from "../../../access/logins.ts";
import { limits } from "../../../base/limits.ts";
import { enqueue } from "../../../jobs/queues.ts";
import { type Db, inGlobalTransaction } from "../../../store/db.ts";
import type { LoginOrigin } from "../authenticate/authenticate.ts";
import { serversOfLogin } from "../authenticate/servers-of-login.ts";
import type { PasswordReset } from "../input.ts";
import { resetMails } from "../mails/mails.ts";
import { chargeLookup, throttleKeys } from "../throttle.ts";

/**
 * POST /v1/password-resets. Known and unknown addresses run the same statements, so that neither the response nor its time
 * reveals whether a person has a log-in. Each request counts, because each one may send a mail. Without an account, each account of
 * the address gets a job, and each mail has the link of one church.
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
  const alias = account?.trim().toLowerCase();
  await chargeLookup(
    db,
    throttleKeys(throttleKey, "password-reset", [alias ?? "", email], address),
  );
  const servers =
    alias === undefined ? await serversOfLogin(db, email) : [await db.serverOfAlias(alias)];
  // The account is known only in the transaction.
  for (const server of servers.length > 0 ? servers : [db])
    await inGlobalTransaction(server, async (tx) => {
      const people = await tx<{ accountId: string; personId: string }[]>`
        select account.account_id as "accountId", person.person_id as "personId"
        from logins login
        join account_facts account on account.account_id = login.account_id
        join person_facts person on person.account_id = login.account_id and person.person_id = login.person_id
        where login.email = ${email} and (${alias ?? null}::text is null or account.alias = ${alias ?? null})
          and account.status = 'active' and person.is_active and person.has_login
          and (${integrationId}::uuid is null or account.integration_approved and exists (
            select from account_integrations allowed
            where allowed.account_id = account.account_id and allowed.integration_id = ${integrationId}::uuid))
        order by account.account_id
        limit ${limits.accountsPerLoginMax}`;
      const unknown = { accountId: null, personId: null };
      await enqueue(tx, resetMails, ...(people.length > 0 ? people : [unknown]));
    });
}
