import type { Tx } from "../store/db.ts";
import { raw, type Statement } from "../store/sql.ts";

/**
 * Locks of the rows that many features lock. Every transaction takes them in the order of `locks.md`: the account, the tree of
 * cells, cells and courses, classes, meetings and sessions, people, and rows that name people.
 */

/** With `share`, several transactions hold the account, and none of them changes it. */
export const lockAccount = (
  tx: Tx,
  accountId: string,
  strength: "no key update" | "share" = "no key update",
): Promise<unknown> => tx`
  select from accounts where id = ${accountId} for ${strength === "share" ? tx`share` : tx`no key update`}`;

/**
 * `ids` can be a statement with one column. With `key share`, the people are not deleted and can change. With `update`, they can
 * be deleted: a transaction that takes a stronger lock later waits for others that wait for it.
 */
export const lockPeople = (
  tx: Tx,
  accountId: string,
  ids: readonly string[] | Statement,
  strength: "update" | "no key update" | "key share" = "no key update",
): Promise<unknown> => tx`
  select from people
  where account_id = ${accountId} and id ${Array.isArray(ids) ? tx`= any(${ids}::uuid[])` : tx`in (${ids})`}
  order by id for ${raw(strength)}`;
