import type { Cipher } from "../../store/cipher.ts";
import type { Tx } from "../../store/db.ts";
import type { EndpointState } from "./endpoint-lifecycle.ts";
import { SigningSecret } from "./signing-secrets.ts";

interface Endpoint {
  accountId: string;
  endpointId: string;
}

export async function clearSecrets(tx: Tx, { accountId, endpointId }: Endpoint): Promise<void> {
  await tx`
    delete from webhook_secrets where account_id = ${accountId} and endpoint_id = ${endpointId}`;
}

/** Creates the secret of the current generation. The previous one is kept only while an overlap is active. */
export async function addSecret(
  tx: Tx,
  { accountId, endpointId }: Endpoint,
  { secretGeneration: generation, secretOverlapUntil }: EndpointState,
  cipher: Cipher,
): Promise<void> {
  const previous = secretOverlapUntil === null ? generation : generation - 1;
  await tx`
    delete from webhook_secrets
    where account_id = ${accountId} and endpoint_id = ${endpointId} and generation < ${previous}`;
  if (secretOverlapUntil !== null)
    await tx`
      update webhook_secrets set valid_until = ${new Date(secretOverlapUntil).toISOString()}
      where account_id = ${accountId} and endpoint_id = ${endpointId} and generation = ${previous}`;
  const owner = { accountId, endpointId, generation };
  await tx`
    insert into webhook_secrets (account_id, endpoint_id, generation, encrypted)
    values (${accountId}, ${endpointId}, ${generation}, ${SigningSecret.generate().encrypt(cipher, owner)})`;
}
