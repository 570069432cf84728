import { fail } from "../../base/errors.ts";
import { forgetWebhooksOf } from "../../events/forget-account.ts";
import { type Db, inTransaction, type Tx } from "../../store/db.ts";
import { withPassingIndexes } from "../../store/passing-indexes.ts";
import { type Church, findChurch } from "./standing.ts";

/** How many rows went, by the interface's words for them. */
export type Deleted = Readonly<Record<string, number>>;

/**
 * What a church has, each table before those it refers to: a cascade would look for the same rows again for each person.
 * Log-ins refer to nothing; whoever changes one holds the person, who has been waited for by then.
 */
const tables = [
  "access_tokens",
  "person_credentials",
  "cell_attendances",
  "cell_meetings",
  "cell_memberships",
  "cells",
  "course_class_teachers",
  "course_teachers",
  "course_enrollments",
  "course_classes",
  "course_lessons",
  "course_materials",
  "course_requirements",
  "courses",
  "role_assignments",
  "roles",
  "webhook_endpoint_changes",
  "people",
  "logins",
] as const;

/** More than so many people are looked for by indexes made for it: fewer are gone sooner than those are made. */
const FEW_PEOPLE = 1_000;

/** Deletes a church with everything in it, whole or not at all. */
export async function deleteAccount(db: Db, { alias, id }: Church): Promise<Deleted> {
  const [row] = await db<{ people: number }[]>`
    select count(*) as people from people where account_id = ${id}`;
  const act = () => inTransaction(db, (tx) => deleteRows(tx, alias));
  return (row?.people ?? 0) > FEW_PEOPLE ? withPassingIndexes(db, "people", act) : act();
}

/** So that nobody is logged in, nothing is being written, and somebody has thought about it twice. */
export function assertInactive({ alias, "church-name": name, status }: Church): void {
  if (status === "inactive") return;
  throw fail(
    "conflict",
    `${name} is active. Only a closed account is deleted: npx vestry accounts deactivate --alias ${alias}`,
  );
}

async function deleteRows(tx: Tx, alias: string): Promise<Deleted> {
  await tx`set local statement_timeout = 0`;
  // Who has added something to the church and not committed is waited for; who wants to waits, and finds no church.
  await tx`select from accounts where alias = ${alias} for update`;
  const church = await findChurch(tx, alias);
  assertInactive(church);
  // Who refers to a person is asked a hundred thousand times, with one plan, and by an index whatever the statistics say.
  await tx`set local plan_cache_mode = force_generic_plan`;
  await tx`set local enable_seqscan = off`;

  const deleted: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await tx`delete from ${tx(table)} where account_id = ${church.id}`;
    deleted[table.replaceAll("_", "-")] = count;
  }
  Object.assign(deleted, await forgetWebhooksOf(tx, church.id));
  await tx`delete from accounts where id = ${church.id}`;
  return deleted;
}
