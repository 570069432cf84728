import { ApiError, problem } from "../../../base/errors.ts";
import type {
  ImportedValues,
  PlannedRow,
  WrittenRow,
} from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { writeApart } from "../../../jsonapi/sql/write-apart.ts";
import { insertPeople } from "../create-prospect.ts";
import { updatePerson } from "../update-person.ts";
import { splitValues, writeLinks } from "./links.ts";
import { readRow } from "./read-row.ts";
import { mergedValues, type StoredPerson, storedPeople, storedValue } from "./stored-people.ts";
import { people } from "../definition.ts";

/** Creates and updates the people of a batch, with their links. */
export const writePeople = (
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly WrittenRow[]> => writeApart(context, rows, (some) => writeAll(context, some));

/** A row with a person. */
interface Placed extends PlannedRow {
  id: string;
  /** For an update, the former values of what it changed. */
  before: ImportedValues | null;
}

async function writeAll(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly WrittenRow[]> {
  const people = [...(await createPeople(context, rows)), ...(await updatePeople(context, rows))];
  const links = people.map(({ action, id, row, values }) => ({
    row,
    personId: id,
    values,
    isNew: action === "create",
  }));
  const made = await writeLinks(context, links);
  const stored = await storedVersions(
    context,
    people.map(({ id }) => id),
  );
  return people.map(({ action, before, id, row }) => {
    const isSame = before !== null && Object.keys(before).length === 0 && !made.has(row);
    return {
      row,
      action: isSame ? "skip" : action,
      id,
      version: isSame ? null : (stored.get(id) ?? null),
      before: isSame ? null : before,
      made: made.get(row) ?? null,
      problems: [],
    };
  });
}

async function createPeople(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly Placed[]> {
  const created = rows.filter(({ action }) => action === "create");
  const inputs = [];
  for (const { values } of created)
    inputs.push(await readRow(context, splitValues(context, values).person, null));
  const ids = await insertPeople(context, inputs);
  return created.map((one, at) => ({ ...one, id: ids[at] ?? "", before: null }));
}

async function updatePeople(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly Placed[]> {
  const updates = rows.filter(({ action }) => action === "update");
  const ids = updates.flatMap(({ id }) => id ?? []);
  const stored = await storedPeople(context, ids, "for no key update");
  const updated: Placed[] = [];
  for (const one of updates) updated.push(await updateOne(context, one, stored.get(one.id ?? "")));
  return updated;
}

async function updateOne(
  context: WriteContext,
  one: PlannedRow,
  stored: StoredPerson | undefined,
): Promise<Placed> {
  if (!stored) throw new ApiError([problem("not-found", "The person no longer exists.")]);
  const { columns, id } = stored;
  const { person } = splitValues(context, one.values);
  const input = await readRow(context, mergedValues(context, person, columns), id);
  const { changed } = await updatePerson(forType(context, people), id, input);
  return { ...one, id, before: valuesBefore(context, columns, changed) };
}

async function storedVersions(
  { actor, db }: WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db<{ id: string; version: number }[]>`
    select id, version from people where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The former values of the changed members. Null removes a custom field that had no value. */
function valuesBefore(
  context: WriteContext,
  columns: StoredPerson["columns"],
  changed: readonly string[],
): ImportedValues {
  const before: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  const custom = (columns["custom_properties"] ?? {}) as Record<string, unknown>;
  for (const name of changed) {
    const [, field] = name.split("custom-properties.");
    if (field === undefined) before[name] = storedValue(context, columns, name) ?? null;
    else fields[field] = custom[field] ?? null;
  }
  return Object.keys(fields).length > 0 ? { ...before, "custom-properties": fields } : before;
}
