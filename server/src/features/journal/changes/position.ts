import type { Actor } from "../../../access/actor.ts";
import { fail } from "../../../base/errors.ts";
import { isId, NIL_ID } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import type { Broken } from "../../../base/rules.ts";
import type { ReadContext } from "../../../jsonapi/definition/resource.ts";
import { digestOf, reachChanged } from "./rights.ts";

/**
 * A position is the id of a row of the journal and a digest of the caller's rights. The last four digits of the id are 0000, or the
 * number of a row that follows from that one. The nil id is the position before the first row of an account.
 */
export interface Position {
  /** The row of the journal. */
  source: string;
  /** The row is read again, because the reader has stopped among the rows that follow from it. */
  again: boolean;
  /** The digest of the rights with which it was read. Undefined in a position of an older version. */
  reach: string | undefined;
}

type Context = Pick<ReadContext, "actor" | "db">;

export const NOW = "now";

/** Undefined for a malformed one. */
export function positionOf(given: string): Position | undefined {
  const [id = "", reach] = given.split(".", 2);
  if (!isId(id)) return undefined;
  const source = `${id.slice(0, -4)}0000`;
  return { source, again: source !== id, reach };
}

/** The position as its caller gets it. */
export const positionText = (id: string, actor: Actor): string => `${id}.${digestOf(actor)}`;

export const malformedPosition: Broken = {
  rule: "format",
  format: "cursor",
  hint: "Send the position of the last answer, or now.",
};

/** The position of a row that follows from another one. */
export const positionAfter = (source: string, count: number): string =>
  source.slice(0, -4) + count.toString(16).padStart(4, "0");

export const expired = () =>
  fail(
    "position-expired",
    "The position is unknown or too old. Read the lists again, then follow the feed from `page[after]=now`.",
    { parameter: "page[after]" },
  );

/**
 * 410 unless the account has the row and every row after it. A quiet account keeps its old position, because nothing after it
 * was removed.
 */
async function assertKept({ actor, db }: Context, { source }: Position): Promise<void> {
  const [found] = await db<{ known: boolean; lost: boolean }[]>`
    select ${source}::uuid = ${NIL_ID}::uuid
        or exists (select from journal where account_id = ${actor.accountId} and id = ${source}::uuid) as known,
      exists (
        select from journal where account_id = ${actor.accountId} and id > ${source}::uuid
          and id < history_floor(now() - ${limits.changesMs} * interval '1 millisecond')) as lost`;
  if (found?.known !== true || found.lost) throw expired();
}

/** 410 unless the feed can go on after the position with the rights that the caller had there. */
export async function assertValid(context: Context, position: Position): Promise<void> {
  await assertKept(context, position);
  if (position.reach !== digestOf(context.actor)) throw reachChanged();
}

/** The position of the newest row. */
export async function presentPosition({ actor, db }: Context): Promise<Position> {
  const [newest] = await db<{ id: string }[]>`
    select id from journal where account_id = ${actor.accountId} order by id desc limit 1`;
  return { source: newest?.id ?? NIL_ID, again: false, reach: digestOf(actor) };
}
