import type { Tx } from "../store/db.ts";
import type { Statement } from "../store/sql.ts";

/**
 * Locks of the rows that many features lock. Every transaction takes them in this order: the account, the tree of cells, cells
 * and courses, classes, people, and rows that name people.
 */

/** With `share`, several transactions hold the account, and none of them changes it. */
export const lockAccount = (
  tx: Tx,
  accountId: string,
  strength: "no key update" | "share" = "no key update",
): Promise<unknown> => tx`
  select from accounts where id = ${accountId} for ${strength === "share" ? tx`share` : tx`no key update`}`;

/** `ids` is a statement with one column. With `key share`, the people are not deleted and can change. */
export const lockPeople = (
  tx: Tx,
  accountId: string,
  ids: readonly string[] | Statement,
  strength: "no key update" | "key share" = "no key update",
): Promise<unknown> => tx`
  select from people
  where account_id = ${accountId} and id ${Array.isArray(ids) ? tx`= any(${ids}::uuid[])` : tx`in (${ids})`}
  order by id for ${strength === "key share" ? tx`key share` : tx`no key update`}`;
