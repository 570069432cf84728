import { json } from "../../store/sql.ts";
import { presetRoles } from "../../access/preset-roles.ts";
import { customProperties } from "../demo/custom-properties.ts";
import { writeSearchText } from "../../features/people/search-text.ts";
import type { Tx } from "../../store/db.ts";
import { cellTables } from "./cells.ts";
import { insertRows } from "../../store/insert-rows.ts";
import { courseTables } from "./courses.ts";
import { peopleColumns, peopleOf, personId } from "./people.ts";
import { idOf, type Plan } from "./plan.ts";
import { kinds } from "./random.ts";

/** Every table that a seeded church has rows in. */
export const seededTables = [
  "accounts",
  "roles",
  "people",
  "person_search",
  "person_credentials",
  "logins",
  ...[...courseTables, ...cellTables].map(({ table }) => table),
];

/** One church with everything in it, whole or not at all. */
export async function addSeededChurch(
  tx: Tx,
  plan: Plan,
  passwordHash: string,
  copiedPeople: (rows: number) => void,
): Promise<void> {
  const { accountId } = plan;
  const founded = new Date(plan.foundedMs).toISOString();
  const settings = { "lang": plan.language.locale, "country": plan.language.country };
  await tx`
    insert into accounts
      (id, created_at, modified_at, alias, church_name, integration_approved, settings, custom_properties)
    values (${accountId}, ${founded}, ${founded}, ${plan.alias}, ${plan.churchName}, true,
      ${json(settings)}, ${json(customProperties)})`;
  await insertRows(
    tx,
    "roles",
    ["account_id", "id", "created_at", "modified_at", "code", "name", "description"],
    presetRoles.map(({ code, name, description }, index) => [
      accountId,
      idOf(plan, kinds.role, index),
      founded,
      founded,
      code,
      name,
      description,
    ]),
  );
  await insertRows(tx, "people", peopleColumns, peopleOf(plan), copiedPeople);
  await writeSearchText(tx, accountId);

  const administrator = personId(plan, 0);
  await tx`
    insert into person_credentials (account_id, person_id, password_hash)
    values (${accountId}, ${administrator}, ${passwordHash})`;
  await tx`
    insert into logins (email, account_id, person_id)
    values (${plan.administrator}, ${accountId}, ${administrator})`;

  for (const { table, columns, rows } of [...courseTables, ...cellTables]) {
    // Tables that only join two others have neither id nor times.
    if (!columns.includes("id")) await insertRows(tx, table, columns, rows(plan));
    else
      await insertRows(
        tx,
        table,
        [...columns, "created_at", "modified_at"],
        withTimes(rows(plan), founded),
      );
  }
}

function* withTimes<Row>(rows: Iterable<readonly Row[]>, time: string) {
  for (const row of rows) yield [...row, time, time];
}
