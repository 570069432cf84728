import type { Actor } from "../../../access/actor.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import type { Position } from "./position.ts";
import { reachChanged } from "./rights.ts";
import type { ChangeContext } from "./rows.ts";
import type { Tree, View } from "./view.ts";

/**
 * A position holds for the reach that its caller had when it was given. Rows tell of all daily changes. Rare changes that show or hide
 * much at once refuse the position: a move in the tree, the publicity of a place in the tree, and memberships, enrollments and
 * households of the caller. Other rights have another digest.
 */

/**
 * 410 if the journal has a change of the caller's reach after the position. It is asked after the rows were read, so no such
 * change is passed over.
 */
export async function assertSameReach(
  { actor, db }: ChangeContext,
  view: View,
  { source }: Position,
): Promise<void> {
  const statement = new StatementBuilder(actor.accountId);
  const changes = [...ownLinks(statement, actor, view), ...placeChanges(statement, actor, view)];
  if (changes.length === 0) return;
  const rows = await statement.rows(
    db,
    `select 1 from journal where journal.account_id = ${statement.account} and journal.id > ${statement.bind(source)}::uuid
       and (${changes.join(" or ")}) limit 1`,
  );
  if (rows.length > 0) throw reachChanged();
}

/** The caller's own memberships, where they show other resources than themselves. */
const ownLinks = (
  statement: StatementBuilder,
  { personId }: Actor,
  { links, ownLinks: types }: View,
): string[] =>
  [...types].flatMap((type) => {
    const link = links.get(type);
    if (!link) return [];
    const decisive = `journal.changes ?| ${statement.bind([...link.decisive])}::text[]`;
    return `journal.subject_id = ${statement.bind(personId)}::uuid and journal.resource_type = ${statement.bind(type)}
      and (journal.action <> 'updated' or ${decisive})`;
  });

/** Moves in the trees that change what the scopes reach, and places that became public or stopped being so. */
const placeChanges = (statement: StatementBuilder, actor: Actor, view: View): string[] =>
  [...view.trees].flatMap(([type, tree]) => {
    const changed = [
      ...(view.scoped.has(type)
        ? [`journal.changes ?| ${statement.bind([...tree.publicity])}::text[]`]
        : []),
      ...[...tree.parents].flatMap((parent) => moves(statement, actor, tree, parent)),
    ];
    return changed.length === 0
      ? []
      : `journal.resource_type = ${statement.bind(type)} and journal.action = 'updated' and (${changed.join(" or ")})`;
  });

/**
 * A move counts if the place was above a scope, or is one, or if it crossed the border of a scope. Where a place above no longer
 * exists, its side of the border is unknown. The last of several moves across a border has both sides as they are now.
 */
function moves(
  statement: StatementBuilder,
  { assignments }: Actor,
  { below, scopes }: Tree,
  parent: string,
): string[] {
  const ids = assignments
    .filter(({ scopeType }) => scopes.has(scopeType))
    .flatMap(({ scopeIds }) => scopeIds);
  if (ids.length === 0) return [];
  const all = `${statement.bind(ids)}::uuid[]`;
  const { account } = statement;
  const name = `${statement.bind(parent)}::text`;
  const [from, to] = ["from", "to"].map(
    (side) => `(journal.changes -> ${name} ->> '${side}')::uuid`,
  );
  const inTree = (up: string, down: string) =>
    `exists (select from ${below.table} tree where tree.account_id = ${account}
      and tree.${below.from} = ${up} and tree.${below.to} = ${down})`;
  const isGone = (place: string | undefined) =>
    `${place} is not null and not ${inTree(String(place), String(place))}`;
  return [
    `journal.changes ? ${name} and (
      exists (select from ${below.table} tree where tree.account_id = ${account}
        and tree.${below.from} = journal.resource_id and tree.${below.to} = any(${all}))
      or ${isGone(from)} or ${isGone(to)}
      or exists (select from unnest(${all}) root where ${inTree("root", String(from))} <> ${inTree("root", String(to))}))`,
  ];
}
