import { fail } from "../../base/errors.ts";
import { forgetWebhooksOf } from "../../events/forget-account.ts";
import { type Db, inTransaction, type Tx } from "../../store/db.ts";
import { type Church, findChurch } from "./standing.ts";

/** How many rows went, by the interface's words for them. */
export type Deleted = Readonly<Record<string, number>>;

/**
 * The tables of an account, each before those it refers to. A cascade would search for the same rows again for each
 * person. `logins` comes after `people`: a transaction that changes a log-in has locked its person first.
 */
const tables = [
  "access_tokens",
  "person_credentials",
  "person_search",
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

/** Deletes an account with everything in it, in one transaction. */
export const deleteAccount = (db: Db, { alias }: Church): Promise<Deleted> =>
  inTransaction(db, (tx) => deleteRows(tx, alias));

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
  // PostgreSQL checks each foreign key to people once for each person, so its plan must use the index, whatever the
  // statistics say.
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
