import { limits } from "../../base/limits.ts";
import type { ReadContext } from "../definition/resource.ts";

type MergeContext = Pick<ReadContext, "actor" | "db">;

/** The person to whom the id of a merged person leads. */
export async function keptPersonOf(
  { actor, db }: MergeContext,
  id: string,
): Promise<string | undefined> {
  const [merged] = await db<{ keptId: string }[]>`
    select kept_id as "keptId" from merged_people where account_id = ${actor.accountId} and id = ${id}`;
  return merged?.keptId;
}

/**
 * The people for whom these ids stand in writes, and null for those who were anonymized. Ids that were never merged, or long ago, are
 * not in it.
 */
export async function currentIds(
  { actor, db }: MergeContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db<{ id: string; keptId: string | null }[]>`
    select id, kept_id as "keptId" from resolved_people
    where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
      and resolved_at > now() - ${limits.mergedIdMs} * interval '1 millisecond'`;
  return new Map(rows.map(({ id, keptId }) => [id, keptId]));
}
