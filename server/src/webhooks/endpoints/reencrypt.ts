import { NIL_ID } from "../../base/ids.ts";
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

/** Reads all secrets in batches, in the order of their primary key. */
async function* secretsOf(db: Db): AsyncGenerator<StoredSecret> {
  let last: StoredSecret | undefined;
  for (;;) {
    const rows: StoredSecret[] = await db<StoredSecret[]>`
      select account_id as "accountId", endpoint_id as "endpointId", generation, encrypted from webhook_secrets
      where (account_id, endpoint_id, generation) >
        (${last?.accountId ?? NIL_ID}::uuid, ${last?.endpointId ?? NIL_ID}::uuid, ${last?.generation ?? 0})
      order by account_id, endpoint_id, generation limit ${SECRETS_AT_ONCE}`;
    yield* rows;
    last = rows.at(-1);
    if (rows.length < SECRETS_AT_ONCE) return;
  }
}

export interface Reencrypted {
  /** Secrets that were re-encrypted under the first key. */
  readonly rotated: number;
  /** Secrets that already used the first key. */
  readonly current: number;
  /** Secrets that no configured key decrypts. They stay unchanged. */
  readonly unreadable: number;
}

/**
 * Re-encrypts every secret that an older key encrypted, under the first key of the ring. The service can run meanwhile:
 * a secret is replaced only if it has not changed, and the ring decrypts both forms.
 */
export async function reencryptSecrets(db: Db, cipher: Cipher): Promise<Reencrypted> {
  let [rotated, current, unreadable] = [0, 0, 0];
  for await (const { accountId, encrypted, endpointId, generation } of secretsOf(db)) {
    if (!cipher.isOutdated(encrypted)) {
      current++;
      continue;
    }
    const owner = { accountId, endpointId, generation };
    const replacement = reencrypted(cipher, encrypted, owner);
    if (!replacement) {
      unreadable++;
      continue;
    }
    const { count } = await db`
      update webhook_secrets set encrypted = ${replacement}
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

/** The keys of the ring that decrypt none of the secrets that name them: other keys of the same name. */
export async function foreignKeys(db: Db, cipher: Cipher): Promise<readonly string[]> {
  const fits = new Map<string, boolean>();
  for await (const { accountId, encrypted, endpointId, generation } of secretsOf(db)) {
    const id = keyIdOf(encrypted);
    if (fits.get(id)) continue;
    const owner = { accountId, endpointId, generation };
    fits.set(id, cipher.has(id) ? reencrypted(cipher, encrypted, owner) !== undefined : true);
  }
  return [...fits].flatMap(([id, fit]) => (fit ? [] : [id]));
}

/** Counts the secrets per key. */
export async function keysInUse(db: Db): Promise<ReadonlyMap<string, number>> {
  const keys = new Map<string, number>();
  for await (const { encrypted } of secretsOf(db)) {
    const id = keyIdOf(encrypted);
    keys.set(id, (keys.get(id) ?? 0) + 1);
  }
  return keys;
}
