import { type Cipher, keyIdOf } from "../../store/cipher.ts";
import type { Db } from "../../store/db.ts";
import { SigningSecret } from "./signing-secrets.ts";

interface StoredSecret {
  accountId: string;
  endpointId: string;
  generation: number;
  encrypted: Buffer;
}

const SECRETS_AT_ONCE = 500;

/** Every secret there is, a few at a time, in the order of their key. */
async function* secretsOf(db: Db): AsyncGenerator<StoredSecret> {
  let last: StoredSecret | undefined;
  for (;;) {
    const rows: StoredSecret[] = await db<StoredSecret[]>`
      select account_id as "accountId", endpoint_id as "endpointId", generation, encrypted from webhook_secrets
      where (account_id, endpoint_id, generation) >
        (${last?.accountId ?? NIL}::uuid, ${last?.endpointId ?? NIL}::uuid, ${last?.generation ?? 0})
      order by account_id, endpoint_id, generation limit ${SECRETS_AT_ONCE}`;
    yield* rows;
    last = rows.at(-1);
    if (rows.length < SECRETS_AT_ONCE) return;
  }
}

const NIL = "00000000-0000-0000-0000-000000000000";

export interface Reencrypted {
  /** Under the first key now. */
  readonly rotated: number;
  /** Under it already. */
  readonly current: number;
  /** That no configured key opens: they stay as they are. */
  readonly unreadable: number;
}

/**
 * Encrypts anew, under the first key of the ring, whatever an older one encrypted. The service goes on meanwhile: each
 * secret is replaced only where it is still the one that was read, and both forms open with the ring.
 */
export async function reencryptSecrets(db: Db, cipher: Cipher): Promise<Reencrypted> {
  let [rotated, current, unreadable] = [0, 0, 0];
  for await (const { accountId, encrypted, endpointId, generation } of secretsOf(db)) {
    if (!cipher.isOutdated(encrypted)) {
      current++;
      continue;
    }
    const owner = { accountId, endpointId, generation };
    const anew = reencrypted(cipher, encrypted, owner);
    if (!anew) {
      unreadable++;
      continue;
    }
    const { count } = await db`
      update webhook_secrets set encrypted = ${anew}
      where account_id = ${accountId} and endpoint_id = ${endpointId} and generation = ${generation}
        and encrypted = ${encrypted}`;
    rotated += count;
  }
  return { rotated, current, unreadable };
}

function reencrypted(
  cipher: Cipher,
  encrypted: Buffer,
  owner: { accountId: string; endpointId: string; generation: number },
): Buffer | undefined {
  try {
    return SigningSecret.decrypt(cipher, encrypted, owner).encrypt(cipher, owner);
  } catch {
    return undefined;
  }
}

/** How many secrets need which key. */
export async function keysInUse(db: Db): Promise<ReadonlyMap<string, number>> {
  const keys = new Map<string, number>();
  for await (const { encrypted } of secretsOf(db)) {
    const id = keyIdOf(encrypted);
    keys.set(id, (keys.get(id) ?? 0) + 1);
  }
  return keys;
}
