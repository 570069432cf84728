import type { Db } from "../../src/store/db.ts";
import { insertion } from "../../src/store/sql.ts";
import { addToTree } from "../../src/features/cells/tree.ts";
import { newId } from "../../src/base/ids.ts";
import { makePerson, type Member } from "./make.ts";

/** Cells with members, inserted directly. */

export async function makeCell(
  db: Db,
  accountId: string,
  columns: Record<string, string | number | boolean | null> = {},
): Promise<string> {
  const cellId = newId();
  await db`insert into cells ${insertion({ account_id: accountId, id: cellId, name: "Vila Mariana", ...columns })}`;
  await addToTree(db, accountId, {
    cellId,
    parentId: (columns["parent_id"] as string | undefined) ?? null,
  });
  return cellId;
}

export async function makeMember(
  db: Db,
  accountId: string,
  cellId: string,
  membership: Record<string, string | null> = {},
): Promise<Member> {
  const person = await makePerson(db, accountId);
  await join(db, accountId, cellId, person.id, membership);
  return person;
}

export async function join(
  db: Db,
  accountId: string,
  cellId: string,
  personId: string,
  membership: Record<string, string | null> = {},
): Promise<void> {
  await db`insert into cell_memberships ${insertion({
    account_id: accountId,
    id: newId(),
    cell_id: cellId,
    person_id: personId,
    cell_role: "participant",
    joined_on: "2026-01-01",
    ...membership,
  })}`;
}

/** A date so many days from the present one in the account's time zone. */
export async function dayFromToday(db: Db, accountId: string, days: number): Promise<string> {
  const [row] = await db<{ date: string }[]>`
    select (today_in(${accountId}) + ${days}::integer)::text as date`;
  return row?.date ?? "";
}
