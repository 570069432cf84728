import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import type { JoinRequestFields } from "./fields.ts";

export interface RequestedCell {
  joinPolicy: "open" | "request" | "closed";
  /** Whether the cell takes requests now. */
  isOpen: boolean;
  /** Whether visitors of the church's website can ask. */
  asksVisitors: boolean;
}

interface Row extends Pick<RequestedCell, "joinPolicy" | "asksVisitors"> {
  isClosed: boolean;
}

/** Reads a cell. The lock makes requests take turns, so that an open cell is never filled beyond its capacity. */
export async function lockRequestedCell(
  { actor, db, resource }: WriteContext<JoinRequestFields>,
  cellId: string,
): Promise<RequestedCell> {
  const [cell] = await db<Row[]>`
    select join_policy as "joinPolicy", closed_at is not null as "isClosed",
      (public_settings ->> 'accept-join-requests')::boolean as "asksVisitors"
    from cells where account_id = ${actor.accountId} and id = ${cellId} for no key update`;
  if (!cell) throw absentTarget(resource, "cell");
  // A second statement also counts the members whom other transactions added while the first one waited for the lock.
  const [members] = await db<{ isFull: boolean }[]>`
    select coalesce(capacity <= (select count(*) from active_cell_memberships member
      where member.account_id = cells.account_id and member.cell_id = cells.id and member.is_member), false) as "isFull"
    from cells where account_id = ${actor.accountId} and id = ${cellId}`;
  const { isClosed, ...known } = cell;
  const isOpen = cell.joinPolicy !== "closed" && !isClosed && !(members?.isFull ?? false);
  return { ...known, isOpen };
}

export const requestsClosed = () =>
  fail("requests-closed", "The cell takes no requests now.", {
    pointer: "/data/relationships/cell/data",
  });
