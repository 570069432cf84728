import { isCondition, type ScopedReach } from "../../../access/reach.ts";
import type { Resource } from "../../../jsonapi/definition/resource.ts";
import { ownRows } from "../../../jsonapi/request/reach-conditions.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { limits } from "../../../base/limits.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import { expired, positionAfter } from "./position.ts";
import { type Places, readPlaces } from "./places.ts";
import type { Change, ChangeContext, JournalRow } from "./rows.ts";
import { belongings, type Belonging } from "./belongings.ts";
import { PEOPLE, type Scoped, type View } from "./view.ts";

/**
 * The rows that a caller with a scope sees. A row is shown if the caller reads its resource now. A resource that the caller does not
 * read now has left the scope, or was never in it: the places of the row tell.
 *
 *     a link, such as a membership     its person has entered or left
 *     a place that moved in the tree   so have the places below, their links and the people there
 */
export async function changesInScope(
  context: ChangeContext,
  view: View,
  rows: readonly JournalRow[],
  isShown: (type: string) => boolean,
): Promise<readonly Change[]> {
  const moved = rows.filter((row) => isMove(view, row));
  const carried = await belongings(context, view, moved);
  const followers = new Map(
    rows.map((row) => [row, [...personOf(view, row), ...(carried.get(row) ?? [])]] as const),
  );
  const wanted = new Map<string, Set<string>>();
  const want = (type: string, id: string) =>
    wanted.set(type, (wanted.get(type) ?? new Set()).add(id));
  for (const row of rows) want(row.type, row.id);
  for (const all of followers.values()) for (const { id, type } of all) want(type, id);
  const seen = await visible(context, view, wanted);
  const isVisible = (type: string, id: string) =>
    view.whole.has(type) || (seen.get(type)?.has(id) ?? false);
  const unseen = rows.filter(
    (row) =>
      isMove(view, row) ||
      [row, ...(followers.get(row) ?? [])].some(({ id, type }) => !isVisible(type, id)),
  );
  const places = await readPlaces(context, view, unseen);

  const changes: Change[] = [];
  const told = new Set<string>();
  const tell = (change: Change) => {
    told.add(`${change.type} ${change.id}`);
    changes.push(change);
  };
  for (const row of rows) {
    const scoped = view.scoped.get(row.type);
    const action = scoped
      ? ownAction(context, scoped, places, row, isVisible(row.type, row.id))
      : view.whole.has(row.type) && row.action;
    if (action && isShown(row.type)) tell({ ...row, action });
    let count = 0;
    for (const { above, id, type } of followers.get(row) ?? []) {
      const of = view.scoped.get(type);
      if (!of || !isShown(type) || told.has(`${type} ${id}`)) continue;
      if (isMove(view, row) && places.keep(of, row)) continue;
      const isIn = isVisible(type, id);
      if (!isIn && !places.lost(of, row, above)) continue;
      if (++count > limits.changesDerivedMax) throw expired();
      const position = positionAfter(row.position, count);
      const { occurredAt } = row;
      const done = isIn ? "entered" : "left";
      tell({ position, action: done, type, id, mergedInto: null, occurredAt });
    }
  }
  return changes;
}

/** Whether a place moved in its tree. */
const isMove = ({ trees }: View, { action, members, type }: JournalRow): boolean =>
  action === "updated" && members.some((one) => trees.get(type)?.parents.has(one));

/** The person whom a link brings into a scope or out of it. */
function personOf({ links }: View, { action, members, subjectId, type }: JournalRow): Belonging[] {
  const link = links.get(type);
  if (!link || subjectId === null) return [];
  const matters = action !== "updated" || members.some((one) => link.decisive.has(one));
  return matters ? [{ type: PEOPLE, id: subjectId, above: false }] : [];
}

function ownAction(
  { actor }: ChangeContext,
  scoped: Scoped,
  places: Places,
  row: JournalRow,
  isVisible: boolean,
): string | undefined {
  if (isVisible) return row.action;
  if (row.action === "created") return undefined;
  const wasThere = places.contain(scoped, row);
  if (row.action === "updated")
    return wasThere || decides(scoped, row.members) ? "left" : undefined;
  const isOwn =
    scoped.reach.some(({ scope }) => scope === "self") && row.subjectId === actor.personId;
  // Other tables lead to such a row, and they no longer do. The id says nothing else.
  const isUnplaced = row.places.length === 0 && scoped.reach.some(leadsElsewhere);
  return wasThere || isOwn || isUnplaced ? row.action : undefined;
}

const leadsElsewhere = ({ path }: ScopedReach): boolean => isCondition(path) || "table" in path;

/** Whether a condition of the reach reads one of the members, such as the status that makes a class public. */
function decides({ reach, resource }: Scoped, members: readonly string[]): boolean {
  const conditions = reach.flatMap(({ path }) => ("table" in path ? [] : (path.where ?? [])));
  return members.some((name) => {
    const attribute = resource.attributes[name];
    if (!attribute) return false;
    const column = new RegExp(`\\b${columnOf(name, attribute)}\\b`);
    return conditions.some((one) => column.test(one));
  });
}

/** The ids that the caller reads now, by type, with one statement for each type. */
async function visible(
  context: ChangeContext,
  { scoped }: View,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const all = [...wanted].flatMap(([type, ids]) => {
    const one = scoped.get(type);
    return one ? [readable(context, one, ids).then((found) => [type, found] as const)] : [];
  });
  return new Map(await Promise.all(all));
}

async function readable(
  { actor, db }: ChangeContext,
  { reach, resource }: { reach: readonly ScopedReach[]; resource: Resource },
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const statement = new StatementBuilder(actor.accountId);
  const { table } = resource;
  const rows = await statement.rows(
    db,
    `select ${table}.id from ${table} where ${ownRows(statement, resource, reach)}` +
      ` and ${table}.id = any(${statement.bind([...ids])}::uuid[])`,
  );
  return new Set(rows.map(([id]) => id as string));
}
