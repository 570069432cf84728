import { type Problem, problem } from "../../../base/errors.ts";
import type {
  ImportedValues,
  PlannedRow,
  WrittenRow,
} from "../../../jsonapi/definition/importer.ts";
import type { ResourceInput, WriteContext } from "../../../jsonapi/definition/resource.ts";
import { versionOf } from "../../../jsonapi/response/document.ts";
import { constraintError } from "../../../jsonapi/sql/constraint.ts";
import { insertPeople } from "../create-prospect.ts";
import { updatePerson } from "../update-person.ts";
import { peopleOf, problemsOf, readRow } from "./read-row.ts";
import { mergedValues, type StoredPerson, storedPeople, storedValue } from "./stored-people.ts";

/** Creates and updates the people of a batch. */
export async function writePeople(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<readonly WrittenRow[]> {
  const created = await createPeople(
    context,
    rows.filter(({ action }) => action === "create"),
  );
  const updates = rows.filter(({ action }) => action === "update");
  const stored = await storedPeople(
    context,
    updates.flatMap(({ id }) => id ?? []),
    "for no key update",
  );
  const updated: WrittenRow[] = [];
  for (const one of updates) updated.push(await updateOne(context, one, stored.get(one.id ?? "")));
  return [...created, ...updated];
}

const failed = ({ id, row }: PlannedRow, problems: readonly Problem[]): WrittenRow => ({
  row,
  action: "error",
  id,
  version: null,
  before: null,
  problems,
});

const created = (row: number, id: string): WrittenRow => ({
  row,
  action: "create",
  id,
  version: 1,
  before: null,
  problems: [],
});

/**
 * Inserts all rows with one statement. If one of them violates a constraint, which the dry run could not foresee, each row is
 * inserted alone.
 */
async function createPeople(
  context: WriteContext,
  rows: readonly PlannedRow[],
): Promise<WrittenRow[]> {
  const written: WrittenRow[] = [];
  const valid: { one: PlannedRow; input: ResourceInput }[] = [];
  for (const one of rows)
    try {
      valid.push({ one, input: await readRow(context, one.values, null) });
    } catch (error) {
      written.push(failed(one, problemsOf(error)));
    }
  const insert = (some: typeof valid) =>
    context.db.savepoint(() =>
      insertPeople(
        context,
        some.map(({ input }) => input),
      ),
    );
  try {
    const ids = await insert(valid);
    return [...written, ...valid.map(({ one }, at) => created(one.row, ids[at] ?? ""))];
  } catch (error) {
    refusalOf(context, error);
  }
  for (const each of valid)
    try {
      const [id = ""] = await insert([each]);
      written.push(created(each.one.row, id));
    } catch (error) {
      written.push(failed(each.one, refusalOf(context, error)));
    }
  return written;
}

async function updateOne(
  context: WriteContext,
  one: PlannedRow,
  stored: StoredPerson | undefined,
): Promise<WrittenRow> {
  const { id, row, values } = one;
  if (id === null || !stored)
    return failed(one, [problem("not-found", "The person no longer exists.")]);
  try {
    const input = await readRow(context, mergedValues(context, values, stored.columns), id);
    const { changed, row: after } = await context.db.savepoint(() =>
      updatePerson(context, id, input),
    );
    if (changed.length === 0)
      return { row, action: "skip", id, version: null, before: null, problems: [] };
    const before = valuesBefore(context, stored.columns, changed);
    return { row, action: "update", id, version: versionOf(after), before, problems: [] };
  } catch (error) {
    return failed(one, refusalOf(context, error));
  }
}

function refusalOf(context: WriteContext, error: unknown): readonly Problem[] {
  return problemsOf(constraintError(peopleOf(context), error) ?? error);
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
