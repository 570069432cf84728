import { raw } from "../../../store/sql.ts";
import { capture } from "../../../events/capture.ts";
import { deleteHistoryOf } from "../../../events/delete-history.ts";
import type { UndoneRow } from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { constraintError } from "../../../jsonapi/sql/constraint.ts";
import { updatePerson } from "../update-person.ts";
import { peopleOf, problemsOf } from "./read-row.ts";
import { storedPeople } from "./stored-people.ts";

/** Deletes the people whom an import created and restores those it updated, if nothing has changed them since. */
export async function undoPeople(
  context: WriteContext,
  rows: readonly UndoneRow[],
  ignored: readonly string[],
): Promise<ReadonlySet<number>> {
  const undone = new Set<number>();
  const updates = rows.filter(({ action }) => action === "update");
  const stored = await storedPeople(
    context,
    updates.map(({ id }) => id),
    "for no key update",
  );
  for (const { before, id, row, version } of updates)
    if (before && stored.get(id)?.version === version && (await restore(context, id, before)))
      undone.add(row);

  const creations = rows.filter(({ action }) => action === "create");
  const deleted = await deletePeople(context, creations, ignored);
  for (const { id, row } of creations) if (deleted.has(id)) undone.add(row);
  return undone;
}

/** Returns false if the former values are not allowed any more, for example because the e-mail address is taken. */
async function restore(
  context: WriteContext,
  id: string,
  before: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const input = {
    attributes: new Map(Object.entries(before)),
    toOne: new Map<string, never>(),
    toMany: new Map<string, never>(),
  };
  try {
    await context.db.savepoint(() => updatePerson(context, id, input));
    return true;
  } catch (error) {
    problemsOf(constraintError(peopleOf(context), error) ?? error);
    return false;
  }
}

/**
 * Deletes people who are as the import created them. A person with a log-in, with rights, or whom another record names stays.
 * The order of locks is that of DELETE /v1/people.
 */
async function deletePeople(
  context: WriteContext,
  rows: readonly UndoneRow[],
  ignored: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, db } = context;
  const { accountId } = actor;
  if (rows.length === 0) return new Set();
  await db`select from accounts where id = ${accountId} for no key update`;
  const locked = await db<{ id: string; version: number }[]>`
    select id, version from people
    where account_id = ${accountId} and id = any(${rows.map(({ id }) => id)}::uuid[])
      and not has_login and administrative_status = 'none' and id <> ${actor.personId}
    order by id for update`;
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  const unchanged = locked.flatMap(({ id, version }) => (versions.get(id) === version ? id : []));
  const named = await namedAmong(context, unchanged, ignored);
  const ids = unchanged.filter((id) => !named.has(id));
  if (ids.length === 0) return new Set();
  await deleteHistoryOf(db, accountId, ids);
  await db`delete from people where account_id = ${accountId} and id = any(${ids}::uuid[])`;
  for (const id of ids)
    await capture(db, actor, {
      type: "person.deleted",
      subject: { type: "people", id },
      snapshot: () => JSON.stringify({ type: "people", id }),
    });
  return new Set(ids);
}

/** The people whom other records name, in a column or in a custom field. */
async function namedAmong(
  context: WriteContext,
  ids: readonly string[],
  ignored: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, catalogue, db } = context;
  const columns = Object.entries(catalogue.personColumns).flatMap(([place, rule]) =>
    rule === "deleted" || ignored.includes(place) ? [] : [place.split(".") as [string, string]],
  );
  const uses = columns.map(
    ([table, column]) => db`
      union all select ${db(column)} from ${db(table)}
      where account_id = ${actor.accountId} and ${db(column)} = any(${[...ids]}::uuid[])`,
  );
  for (const of of catalogue.resources.values()) {
    if (!of.customProperties) continue;
    const { fields } = await context.holdCustomFields(db, actor, of);
    for (const [name, { type }] of fields)
      if (type === "person")
        uses.push(db`
          union all select (custom_properties ->> ${name}::text)::uuid from ${raw(of.table)}
          where account_id = ${actor.accountId} and custom_properties <> '{}'
            and custom_properties ->> ${name}::text = any(${[...ids]}::text[])`);
  }
  const rows = await db<{ id: string }[]>`select null::uuid as id where false ${uses}`;
  return new Set(rows.map(({ id }) => id));
}
