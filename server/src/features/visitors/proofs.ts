import type { Db, Queryable, Tx } from "../../store/db.ts";

/** A form token or a solved challenge, which can be used once. */
export interface Proof {
  key: Buffer;
  /** In milliseconds since 1970. Nothing accepts the proof afterwards. */
  expiresAt: number;
}

export async function isUsed(db: Queryable, accountId: string, { key }: Proof): Promise<boolean> {
  const [used] = await db`
    select from visit_proofs where account_id = ${accountId} and key = ${key}`;
  return used !== undefined;
}

/** Returns false if another transaction has used the proof. */
export async function useOnce(
  tx: Tx,
  accountId: string,
  { expiresAt, key }: Proof,
): Promise<boolean> {
  const { count } = await tx`
    insert into visit_proofs (account_id, key, expires_at)
    values (${accountId}, ${key}, ${new Date(expiresAt).toISOString()})
    on conflict (account_id, key) do nothing`;
  return count === 1;
}

/** Proofs are kept for a while after they expired, because the clocks of nodes differ. */
export async function sweepProofs(db: Db): Promise<number> {
  const { count } = await db`
    delete from visit_proofs where expires_at <= now() - interval '1 hour'`;
  return count;
}
