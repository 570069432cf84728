import { formersOf, isCondition, type ScopedReach } from "../../../access/reach.ts";
import type { Resource } from "../../../jsonapi/definition/resource.ts";
import { ownRows } from "../../../jsonapi/request/reach-conditions.ts";
import { standingConditions } from "../../../jsonapi/request/list-query.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { positionAfter } from "./position.ts";
import { readPlaces } from "./places.ts";
import type { Change, ChangeContext, JournalRow } from "./rows.ts";
import { membersRead, PEOPLE, type Scoped, type View } from "./view.ts";

/**
 * The rows that a caller with a scope sees. A row is shown if the caller reads its resource now. A resource that the caller does not
 * read now has left the scope, or was never in it: the places of the row tell. With a link, such as a membership, its person has
 * entered or left.
 */
export async function changesInScope(
  context: ChangeContext,
  view: View,
  after: string,
  rows: readonly JournalRow[],
  isShown: (type: string) => boolean,
): Promise<readonly Change[]> {
  const wanted = new Map<string, Set<string>>();
  const want = (type: string, id: string) =>
    wanted.set(type, (wanted.get(type) ?? new Set()).add(id));
  for (const row of rows) {
    want(row.type, row.id);
    const person = personOf(view, row);
    if (person !== undefined) want(PEOPLE, person);
  }
  const seen = await visible(context, view, wanted);
  const isVisible = (type: string, id: string) =>
    view.whole.has(type) || (seen.get(type)?.has(id) ?? false);
  const unseen = rows.filter((row) => !isVisible(row.type, row.id));
  const unseenPeople = rows.flatMap((row) => {
    const person = personOf(view, row);
    return person !== undefined && !isVisible(PEOPLE, person) ? [{ row, person }] : [];
  });
  const endedLinks = await linksOfGone(context, view, after, unseen);
  const movedLinks = await visible(context, view, idsByType([...endedLinks.values()].flat()));
  const former = await formerlyRead(context, view, unseen, unseenPeople);
  const dangling = await danglingRows(context, view, rows);
  const stillSeen = await visible(context, view, idsByType([...dangling.values()].flat()));
  const places = await readPlaces(
    context,
    view,
    [...unseen, ...unseenPeople.map(({ row }) => row), ...[...endedLinks.values()].flat()],
    [...dangling.values()].flat().map(({ type }) => type),
  );

  const people = view.scoped.get(PEOPLE);
  const wasSeen = (scoped: Scoped, row: JournalRow): boolean =>
    places.contain(scoped, row) ||
    former.has(`${row.type} ${row.id}`) ||
    (endedLinks.get(row) ?? []).some(
      (link) => places.lost(scoped, link) || movedLinks.get(link.type)?.has(link.id),
    );
  const changes: Change[] = [];
  const told = new Set<string>();
  const tell = (change: Change) => {
    told.add(`${change.type} ${change.id}`);
    changes.push(change);
  };
  for (const row of rows) {
    const scoped = view.scoped.get(row.type);
    const action = scoped
      ? isVisible(row.type, row.id)
        ? presentAction(scoped, row)
        : goneAction(context, scoped, row, () => wasSeen(scoped, row))
      : view.whole.has(row.type) && row.action;
    const isTold = action === "left" && told.has(`${row.type} ${row.id}`);
    if (action && isShown(row.type) && !isTold) tell({ ...row, action });
    for (const [at, { id, type }] of (dangling.get(row) ?? []).entries()) {
      const of = view.scoped.get(type);
      if (!of || !isShown(type) || stillSeen.get(type)?.has(id)) continue;
      if (places.contain(of, row)) tell({ ...follower(row, at + 1), action: "left", type, id });
    }
    const person = personOf(view, row);
    if (!people || person === undefined || !isShown(PEOPLE) || told.has(`${PEOPLE} ${person}`))
      continue;
    const isIn = isVisible(PEOPLE, person);
    if (!isIn && !places.lost(people, row) && !former.has(`${PEOPLE} ${person}`)) continue;
    tell({ ...follower(row, 1), action: isIn ? "entered" : "left", type: PEOPLE, id: person });
  }
  return changes;
}

/** A row that follows from another one. */
const follower = (row: JournalRow, number: number): JournalRow => ({
  ...row,
  position: positionAfter(row.position, number),
  mergedInto: null,
  members: [],
});

/** The person whom a link brings into a scope or out of it. */
function personOf(
  { links, scoped }: View,
  { action, members, subjectId, type }: JournalRow,
): string | undefined {
  const link = links.get(type);
  if (!link || subjectId === null || !scoped.has(PEOPLE)) return undefined;
  const matters = action !== "updated" || members.some((one) => link.decisive.has(one));
  return matters ? subjectId : undefined;
}

/** A change of what a path depends on can bring the resource into the scope, with what belongs to it. */
const presentAction = (scoped: Scoped, { action, members }: JournalRow): string =>
  action === "updated" && pathsEnd(scoped, members) ? "entered" : action;

function goneAction(
  { actor }: ChangeContext,
  scoped: Scoped,
  { action, members, subjectId }: JournalRow,
  wasSeen: () => boolean,
): string | undefined {
  if (action === "created") return undefined;
  if (action === "updated") return decides(scoped, members) || wasSeen() ? "left" : undefined;
  const wasOwn = subjectId === actor.personId && isOwn(scoped);
  return wasOwn || wasSeen() ? action : undefined;
}

/** Whether the person of a row reads it. The subject of a note does not. */
const isOwn = ({ reach }: Scoped): boolean =>
  reach.some(({ path, scope }) => scope === "self" && "column" in path);

/** Whether a condition of the reach reads one of the members, such as the status that makes a class public. */
const decides = ({ reach, resource }: Scoped, members: readonly string[]): boolean =>
  intersects(
    reach.flatMap(({ path }) => (isCondition(path) ? membersRead(resource, path.where) : [])),
    members,
  );

/** Whether another table leads to the row by one of the members, such as the audience of a material. */
const pathsEnd = ({ reach, resource }: Scoped, members: readonly string[]): boolean =>
  intersects(
    reach.flatMap(({ path }) =>
      isCondition(path)
        ? []
        : formersOf(path).flatMap(({ where = "" }) => membersRead(resource, where)),
    ),
    members,
  );

const intersects = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.includes(one));

/**
 * The resources that the caller may have read before the row, by the ids that led to them: those whose paths depend on what
 * changed, and the people of links. The ids of a resource that was deleted since are unknown.
 */
async function formerlyRead(
  { actor, db }: ChangeContext,
  { scoped }: View,
  rows: readonly JournalRow[],
  links: readonly { person: string }[],
): Promise<ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  const changed = new Set<string>();
  const add = (type: string, id: string) => ids.set(type, (ids.get(type) ?? new Set()).add(id));
  for (const { action, id, members, type } of rows) {
    const one = scoped.get(type);
    if (!one || action !== "updated" || !pathsEnd(one, members)) continue;
    changed.add(id);
    add(type, id);
  }
  for (const { person } of links) add(PEOPLE, person);
  const found = new Set<string>();
  for (const [type, those] of ids) {
    const one = scoped.get(type);
    if (!one) continue;
    const statement = new StatementBuilder(actor.accountId);
    const conditions = one.reach.flatMap((by) => formerly(statement, by));
    if (conditions.length === 0) continue;
    const rows = await statement.rows(
      db,
      `select asked.id, gone.id is null from unnest(${statement.bind([...those])}::uuid[]) asked (id)
       left join ${one.resource.table} gone on gone.account_id = ${statement.account} and gone.id = asked.id
       where gone.id is null or ${conditions.join(" or ")}`,
    );
    for (const [id, isMissing] of rows)
      if (!isMissing || changed.has(String(id))) found.add(`${type} ${String(id)}`);
  }
  return found;
}

function formerly(statement: StatementBuilder, { ids, path }: ScopedReach): string[] {
  if (isCondition(path)) return [];
  const { below } = path;
  return formersOf(path).map((former) => {
    const given = `${statement.bind(ids)}::uuid[]`;
    return below
      ? `exists (select from ${below.table} tree where tree.account_id = ${statement.account}
          and tree.${below.to} = any(${former.ids}) and tree.${below.from} = any(${given}))`
      : `(${former.ids}) && ${given}`;
  });
}

/** The resources that name a place that was deleted, such as the assignments of roles in a cell. No scope leads to them any more. */
async function danglingRows(
  { actor, db }: ChangeContext,
  { scopeTypes, scoped }: View,
  rows: readonly JournalRow[],
): Promise<ReadonlyMap<JournalRow, readonly { type: string; id: string }[]>> {
  const deleted = rows.filter(({ action, type }) => action === "deleted" && scopeTypes.has(type));
  const found = new Map<JournalRow, { type: string; id: string }[]>();
  if (deleted.length === 0) return found;
  for (const [type, { reach, resource }] of scoped) {
    const ids = new Set(
      reach.flatMap(({ path }) =>
        isCondition(path)
          ? []
          : formersOf(path).flatMap((former) => (former.dangling ? former.ids : [])),
      ),
    );
    for (const named of ids) {
      const statement = new StatementBuilder(actor.accountId);
      const all = `${statement.bind(deleted.map(({ id }) => id))}::uuid[]`;
      const naming = await statement.rows(
        db,
        `select gone.id, array(select unnest(${named}) intersect select unnest(${all})) from ${resource.table} gone
         where gone.account_id = ${statement.account} and (${named}) && ${all}`,
      );
      for (const [id, places] of naming)
        for (const row of deleted)
          if ((places as string[]).includes(row.id))
            found.set(row, [...(found.get(row) ?? []), { type, id: String(id) }]);
    }
  }
  return found;
}

/** An anonymized person has left. */
const GONE: ReadonlySet<string> = new Set(["deleted", "merged", "left"]);

/**
 * The links of people who were deleted, merged or anonymized, up to that transaction: those that ended with them, and those that the merge passed
 * on. A merge also passes on the older rows of the journal.
 */
async function linksOfGone(
  { actor, db }: ChangeContext,
  { links, scoped }: View,
  after: string,
  unseen: readonly JournalRow[],
): Promise<ReadonlyMap<JournalRow, readonly JournalRow[]>> {
  const gone = unseen.filter(({ action, type }) => type === PEOPLE && GONE.has(action));
  if (gone.length === 0 || !scoped.has(PEOPLE)) return new Map();
  const found = new Map<JournalRow, JournalRow[]>();
  const rows = await db<(JournalRow & { goneAt: string })[]>`
    select gone.position as "goneAt", link.id as position, link.action, link.resource_type as type, link.resource_id as id,
      link.subject_id as "subjectId", coalesce(link.places, '{}') as places
    from unnest(${gone.map(({ position }) => position)}::uuid[], ${gone.map(({ id }) => id)}::uuid[],
      ${gone.map(({ mergedInto }) => mergedInto)}::uuid[]) gone (position, person, kept)
    join journal link on link.account_id = ${actor.accountId} and link.subject_id in (gone.person, gone.kept)
      and link.resource_type = any(${[...links.keys()]}::text[])
      and link.id between ${after}::uuid and (left(gone.position::text, 19) || 'ffff-ffffffffffff')::uuid`;
  for (const row of gone)
    found.set(
      row,
      rows.filter(({ goneAt }) => goneAt === row.position),
    );
  return found;
}

const idsByType = (rows: readonly { type: string; id: string }[]): Map<string, Set<string>> =>
  new Map(
    [...Map.groupBy(rows, ({ type }) => type)].map(([type, those]) => [
      type,
      new Set(those.map(({ id }) => id)),
    ]),
  );

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
    `select ${table}.id from ${table} where ${[ownRows(statement, resource, reach), ...standingConditions(resource)].join(" and ")}` +
      ` and ${table}.id = any(${statement.bind([...ids])}::uuid[])`,
  );
  return new Set(rows.map(([id]) => id as string));
}
