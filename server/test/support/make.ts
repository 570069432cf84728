import { insertion } from "../../src/store/sql.ts";
import type { AdministrativeStatus } from "../../src/access/actor.ts";
import { copyIntegrations, createIntegration } from "../../src/access/integrations.ts";
import { newAccessToken } from "../../src/access/tokens.ts";
import { createAccount, reserveAlias } from "../../src/features/accounts/create-account.ts";
import { newId } from "../../src/base/ids.ts";
import { addToTree } from "../../src/features/cells/tree.ts";
import { addPerson } from "../../src/features/people/add-person.ts";
import { addPresetRoles } from "../../src/features/roles/grant.ts";
import { type Db, inTransaction } from "../../src/store/db.ts";

/** Inserts rows directly: rows that no request can create, and rows that a test needs but does not test. */

export interface TestAccount {
  id: string;
  alias: string;
  administrator: Member;
}

export interface Member {
  id: string;
  token: string;
}

let made = 0;

export async function makeAccount(db: Db): Promise<TestAccount> {
  made += 1;
  const alias = `account-${made}-${newId().slice(-6)}`;
  const id = newId();
  await inTransaction(db, id, async (tx) => {
    await createAccount(tx, { id, alias, churchName: `Church ${made}` });
    await addPresetRoles(tx, id);
  });
  if (db.home) await reserveAlias(db.home, { id, alias, server: db.server });
  const administrator = await makePerson(db, id, {
    fullName: "Ada Administrator",
    email: `ada@${alias}.example`,
    administrativeStatus: "full-administrator",
  });
  return { id, alias, administrator };
}

export async function makePerson(
  db: Db,
  accountId: string,
  person: { fullName?: string; email?: string; administrativeStatus?: AdministrativeStatus } = {},
): Promise<Member> {
  const id = await inTransaction(db, accountId, (tx) =>
    addPerson(tx, accountId, { fullName: "Paul Person", ...person }),
  );
  return { id, token: await makeToken(db, accountId, id) };
}

export async function makeToken(db: Db, accountId: string, personId: string): Promise<string> {
  const { hash, token } = newAccessToken(accountId);
  await db`
    insert into access_tokens (account_id, token_hash, id, person_id, expires_at)
    values (${accountId}, ${hash}, ${newId()}, ${personId}, now() + interval '1 day')`;
  return token;
}

/** Integrations belong to no account, and their names are unique. */
export async function makeIntegration(db: Db): Promise<{ id: string; token: string }> {
  const home = db.home ?? db;
  const made = await createIntegration(home, { name: `Sync ${newId()}` });
  await copyIntegrations(home, db);
  return made;
}

/** Assigns a preset role to a person. */
export async function makeAssignment(
  db: Db,
  accountId: string,
  assignment: { personId: string; role: string; scopeType?: string; scopeIds?: string[] },
): Promise<string> {
  const id = newId();
  await db`
    insert into role_assignments (account_id, id, person_id, role_id, scope_type, scope_ids)
    select ${accountId}, ${id}, ${assignment.personId}, roles.id, ${assignment.scopeType ?? "account"},
      ${assignment.scopeIds ?? []}::uuid[]
    from roles where account_id = ${accountId} and code = ${assignment.role}`;
  return id;
}

export const makeCourse = (db: Db, accountId: string, name = "Foundations"): Promise<string> =>
  makeRow(db, "courses", accountId, { name });

/** Columns that every row needs and few tests mention. */
const commonColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cell_memberships: { cell_role: "participant" },
  course_materials: { material_type: "text" },
};

/** Inserts a row into any table with an id. An enrollment without a class gets a class of its own. */
export async function makeRow(
  db: Db,
  table: string,
  accountId: string,
  columns: Record<string, string | number | boolean | null | readonly string[]>,
): Promise<string> {
  const id = newId();
  const usual: typeof columns = { ...commonColumns[table] };
  const { class_id: classId, course_id = null } = columns;
  if (table === "course_enrollments" && classId === undefined)
    usual["class_id"] = await makeRow(db, "course_classes", accountId, { course_id, name: "Own" });
  const row = { account_id: accountId, id, ...usual, ...columns };
  await db`insert into ${db(table)} ${insertion(row)}`;
  const { parent_id: parentId = null } = columns;
  if (table === "cells")
    await addToTree(db, accountId, { cellId: id, parentId: parentId as string | null });
  return id;
}

/** The row of a file whose bytes are not stored. */
export async function makeFile(db: Db, accountId: string): Promise<string> {
  const id = newId();
  const file = { id, name: "guide.pdf", media_type: "application/pdf", bytes: 9 };
  await db`insert into files ${insertion({ account_id: accountId, ...file })}`;
  return id;
}

/** Inserts an endpoint without a secret. It is verified and active unless `status` differs. */
export async function makeEndpoint(
  db: Db,
  accountId: string,
  endpoint: { url?: string; events?: string[]; status?: string } = {},
): Promise<string> {
  const { events = ["person.created"], status = "active" } = endpoint;
  const id = newId();
  const url = endpoint.url ?? `https://receiver.example/${id}`;
  await db`
    insert into webhook_endpoints
      (account_id, id, url, normalized_url, events, status, pause_reason, verified_destination_version, verified_at)
    values (${accountId}, ${id}, ${url}, ${url}, ${events}, ${status}, ${status === "paused" ? "manual" : null},
      ${status === "active" ? 1 : null}, ${status === "active" ? new Date().toISOString() : null})`;
  await db`insert into webhook_endpoint_health (account_id, endpoint_id) values (${accountId}, ${id})`;
  return id;
}
