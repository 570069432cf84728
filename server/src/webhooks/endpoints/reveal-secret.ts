import { SECOND } from "../../base/clock.ts";
import { unavailable } from "../../base/errors.ts";
import type { Reveal } from "../../jsonapi/definition/resource.ts";
import { CannotDecryptError, type Cipher } from "../../store/cipher.ts";
import type { Queryable } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { WebhookParts } from "../parts.ts";
import { decryptSecret } from "./decrypt-secret.ts";

/** Identifies a secret. It is stored with an idempotent response, which never contains the secret itself. */
export type SecretReference = {
  endpointId: string;
  generation: number;
};

/**
 * Returns the secret of a response, also for its replay. Returns undefined once the secret no longer signs: the overlap
 * ended, the URL was set, or the endpoint was deleted.
 *
 * Throws 503 if this node cannot decrypt it, because another node may have the key.
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
    return { secret: decryptSecret(cipher, row.encrypted, owner).revealOnce() };
  } catch (error) {
    if (!(error instanceof CannotDecryptError)) throw error;
    throw unavailable(
      webhookLimits.systemWaitMsMin / SECOND,
      "The secret of this response cannot be decrypted now. Retry later.",
    );
  }
}

export const revealing =
  ({ cipher }: Pick<WebhookParts, "cipher">): Reveal =>
  ({ actor, db }, reference) =>
    revealSecret(db, actor.accountId, reference as SecretReference, cipher);
