import { raw } from "../../../store/sql.ts";
import { capture } from "../../../events/capture.ts";
import { deleteHistoryOf } from "../../../events/delete-history.ts";
import type { UndoneRow } from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { constraintError } from "../../../jsonapi/sql/constraint.ts";
import { updatePerson } from "../update-person.ts";
import { problemsOf } from "../../../jsonapi/sql/write-apart.ts";
import { changedLinks, linkedColumns, undoLinks } from "./links.ts";
import { peopleOf } from "./read-row.ts";
import { storedPeople } from "./stored-people.ts";
import { people } from "../definition.ts";
import type { PersonValues } from "../fields.ts";

/**
 * Deletes the people whom an import created and restores those it updated, with their links. A row of which anything has changed
 * since stays as it is.
 */
export async function undoPeople(
  context: WriteContext,
  rows: readonly UndoneRow[],
  ignored: readonly string[],
): Promise<ReadonlySet<number>> {
  const stored = await storedPeople(
    context,
    rows.map(({ id }) => id),
    "for no key update",
  );
  const changed = await changedLinks(context, rows);
  const same = rows.filter(
    ({ id, row, version }) => !changed.has(row) && stored.get(id)?.version === version,
  );
  const deletable = await deletablePeople(
    context,
    same.flatMap(({ action, id }) => (action === "create" ? id : [])),
    [...ignored, ...linkedColumns(context)],
  );
  const undone: UndoneRow[] = [];
  for (const one of same)
    if (one.action === "create" ? deletable.has(one.id) : await restore(context, one))
      undone.push(one);
  await undoLinks(context, undone);
  await deletePeople(context, [...deletable]);
  return new Set(undone.map(({ row }) => row));
}

/** Returns false if the former values are not allowed any more, for example because the e-mail address is taken. */
async function restore(context: WriteContext, { before, id }: UndoneRow): Promise<boolean> {
  // The run stored the values of a person.
  const attributes = (before ?? {}) as PersonValues;
  const input = { attributes, toOne: {}, toMany: {} };
  try {
    await context.db.savepoint(() => updatePerson(forType(context, people), id, input));
    return true;
  } catch (error) {
    problemsOf(constraintError(context, peopleOf(context), error) ?? error);
    return false;
  }
}

/**
 * The people whom nothing but the import uses. A person with a log-in, with rights, or whom another record names stays. The order
 * of locks is that of DELETE /v1/people.
 */
async function deletablePeople(
  context: WriteContext,
  ids: readonly string[],
  ignored: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, db } = context;
  if (ids.length === 0) return new Set();
  const locked = await db<{ id: string }[]>`
    select id from people
    where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
      and not has_login and administrative_status = 'none' and id <> ${actor.personId}
    order by id for update`;
  const free = locked.map(({ id }) => id);
  const named = await namedAmong(context, free, ignored);
  return new Set(free.filter((id) => !named.has(id)));
}

async function deletePeople({ actor, db }: WriteContext, ids: readonly string[]): Promise<void> {
  const { accountId } = actor;
  if (ids.length === 0) return;
  await deleteHistoryOf(db, accountId, ids);
  await db`delete from people where account_id = ${accountId} and id = any(${[...ids]}::uuid[])`;
  for (const id of ids)
    await capture(db, actor, {
      type: "person.deleted",
      subject: { type: "people", id },
      snapshot: () => JSON.stringify({ type: "people", id }),
    });
}

/** The people whom other records name, in a column or in a custom field. */
async function namedAmong(
  context: WriteContext,
  ids: readonly string[],
  ignored: readonly string[],
): Promise<ReadonlySet<string>> {
  const { actor, catalogue, db } = context;
  const writable = new Set(
    [...catalogue.resources.values()].flatMap(({ operations, table }) =>
      operations.create ? table : [],
    ),
  );
  const columns = Object.entries(catalogue.personColumns).flatMap(([place, rule]) => {
    const [table, column] = place.split(".") as [string, string];
    // A merge also deletes records that somebody made, such as a role. The others follow from the person.
    const follows = rule === "deleted" && !writable.has(table);
    return follows || ignored.includes(place) ? [] : [[table, column] as const];
  });
  const uses = columns.map(
    ([table, column]) => db`
      union all select ${db(column)} from ${db(table)}
      where account_id = ${actor.accountId} and ${db(column)} = any(${[...ids]}::uuid[])`,
  );
  for (const resource of catalogue.resources.values()) {
    if (!resource.customProperties) continue;
    const { fields } = await context.lockCustomFields(db, actor, resource);
    for (const [name, { type }] of fields)
      if (type === "person")
        uses.push(db`
          union all select (custom_properties ->> ${name}::text)::uuid from ${raw(resource.table)}
          where account_id = ${actor.accountId} and custom_properties <> '{}'
            and custom_properties ->> ${name}::text = any(${[...ids]}::text[])`);
  }
  const rows = await db<{ id: string }[]>`select null::uuid as id where false ${uses}`;
  return new Set(rows.map(({ id }) => id));
}
