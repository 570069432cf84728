import { SECOND } from "../../base/clock.ts";
import { unavailable } from "../../base/errors.ts";
import type { Reveal } from "../../jsonapi/definition/resource.ts";
import { CannotDecryptError, type Cipher } from "../../store/cipher.ts";
import type { Queryable } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { WebhookParts } from "../parts.ts";
import { readSecret } from "./read-secret.ts";

/** Where a secret is found that an answer reveals. It is stored in the answer's place; the secret never is. */
export type SecretReference = {
  endpointId: string;
  generation: number;
};

/**
 * The secret that an answer revealed, for the answer and its replays. Undefined once it signs nothing any more: its
 * overlap has ended, the URL was set since, or the endpoint is gone. What still signs is what the first answer said.
 *
 * 503 where this node cannot decrypt it, as deliveries wait then: another node may have the key, or the operator brings it.
 */
export async function revealSecret(
  db: Queryable,
  accountId: string,
  { endpointId, generation }: SecretReference,
  cipher: Cipher,
): Promise<{ secret: string } | undefined> {
  const [row] = await db<{ encrypted: Buffer }[]>`
    select encrypted from webhook_secrets
    where account_id = ${accountId} and endpoint_id = ${endpointId} and generation = ${generation}
      and (valid_until is null or valid_until > now())`;
  if (!row) return undefined;
  const owner = { accountId, endpointId, generation };
  try {
    return { secret: readSecret(cipher, row.encrypted, owner).revealOnce() };
  } catch (error) {
    if (!(error instanceof CannotDecryptError)) throw error;
    throw unavailable(
      webhookLimits.systemWaitMsMin / SECOND,
      "The secret of this answer cannot be decrypted just now.",
    );
  }
}

/** As an operation that answers with a secret says it. */
export const revealing =
  ({ cipher }: Pick<WebhookParts, "cipher">): Reveal =>
  ({ actor, db }, reference) =>
    revealSecret(db, actor.accountId, reference as SecretReference, cipher);
