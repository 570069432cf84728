import { lockAccount } from "../../../access/locks.ts";
import { removeLogin } from "../../../access/logins.ts";
import { isId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { noteAuthorship } from "../../../events/author.ts";
import { capture } from "../../../events/capture.ts";
import type { MergeConflict, Merging } from "../../../jsonapi/definition/merge.ts";
import type { MergeFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { wholeShape } from "../../../jsonapi/request/shape.ts";
import { discardFiles } from "../../../jsonapi/sql/files.ts";
import { readOne } from "../../../jsonapi/sql/read.ts";
import { endPasswordLinks } from "../../../jsonapi/sql/rights.ts";
import { insertRow, snapshotter } from "../../../jsonapi/sql/write.ts";
import { assignments, json, revised } from "../../../store/sql.ts";
import { compareLater } from "../duplicates/find-duplicates.ts";
import { lockPlacesOf } from "../lock-places.ts";
import { moveReferences } from "../remove-references.ts";
import { writeSearchText } from "../search-text.ts";
import { assertMergeable, type CheckedMerge } from "./assert-mergeable.ts";

/**
 * POST /v1/person-merges. One transaction moves everything that names a removed person to the kept person, and deletes the
 * removed people.
 */
export async function createMerge(
  context: WriteContext<MergeFields>,
  input: CreateInput<MergeFields>,
): Promise<Written> {
  const people = [input.toOne.kept, ...(input.toMany.removed ?? [])];
  // The same order of locks as the deletion of a person.
  await lockAccount(context.db, context.actor.accountId);
  const passSeats = await lockPlacesOf(context, people.filter(isId));
  const checked = await assertMergeable(context, input);
  const { keptId, removedIds, values } = checked;
  const { actor, db } = context;
  const { accountId, personId: actorId } = actor;
  const keepHouseholds = input.attributes["keep-households"] === true;

  noteAuthorship(db, { cause: "merge" });
  // The removed people still exist, so that the row can name them.
  const { id } = await insertRow(context, context.resource, input);
  const passed = await moveRows(context, {
    db,
    accountId,
    actorId,
    keptId,
    removedIds,
    keepHouseholds,
  });
  await moveReferences(context, { keptId, removedIds });
  for (const personId of removedIds) await removeLogin(db, { accountId, personId });
  await db`delete from people where account_id = ${accountId} and id = any(${[...removedIds]}::uuid[])`;
  await updateKept(context, checked);
  await discardFiles(db, accountId, values.droppedPhotos);
  if (checked.keptGainsRights) await endPasswordLinks(context, [keptId]);
  const conflicts = [...values.conflicts, ...passed.conflicts].slice(0, limits.mergeConflictsMax);
  await db`
    update person_merges set moved_counts = ${json(passed.moved)}, conflicts = ${json(conflicts)}
    where account_id = ${accountId} and id = ${id}`;
  await captureMerge(context, checked);
  await passSeats();
  return { id };
}

interface PassedRows {
  moved: Record<string, number>;
  conflicts: readonly MergeConflict[];
}

/** Applies the rule of every column that names a person. */
async function moveRows({ catalogue }: WriteContext, merging: Merging): Promise<PassedRows> {
  const counts = new Map<string, number>();
  const conflicts: MergeConflict[] = [];
  for (const [place, rule] of Object.entries(catalogue.personColumns)) {
    if (typeof rule === "string") continue;
    const [table = "", column = ""] = place.split(".");
    const passed = await rule(merging, { table, column });
    for (const [type, count] of Object.entries(passed.moved ?? {}))
      if (count > 0) counts.set(type, (counts.get(type) ?? 0) + count);
    conflicts.push(...(passed.conflicts ?? []));
  }
  return { moved: Object.fromEntries(counts), conflicts };
}

/** Runs after the removed people are deleted, because their e-mail addresses are free then. */
async function updateKept(
  { actor, db }: WriteContext,
  { keptId, mergedIds, values }: CheckedMerge,
): Promise<void> {
  const columns = Object.fromEntries(
    [...values.values].map(([column, value]) => [
      column,
      typeof value === "object" && value !== null ? json(value) : value,
    ]),
  );
  const status = values.values.has("membership_status")
    ? db`membership_status_changed_at = now(),`
    : db``;
  await db`
    update people set ${assignments({ ...columns, modified_by: actor.personId })}, ${status}
      merged_ids = merged_ids || ${mergedIds as string[]}::uuid[], ${revised()}
    where account_id = ${actor.accountId} and id = ${keptId}`;
  await writeSearchText(db, actor.accountId, [keptId]);
  compareLater(db, actor.accountId, [keptId]);
}

async function captureMerge(
  context: WriteContext,
  { keptId, removedIds }: CheckedMerge,
): Promise<void> {
  const people = definitionOf(context.catalogue, "people");
  const { row } = await readOne(context, people, keptId, wholeShape);
  await capture(context.db, context.actor, {
    type: "person.merged",
    subject: { type: "people", id: keptId },
    snapshot: await snapshotter(context, people, row),
    merge: { "kept-id": keptId, "removed-ids": removedIds },
  });
}
