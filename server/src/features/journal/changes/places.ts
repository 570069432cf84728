import { isCondition } from "../../../access/reach.ts";
import type { Below } from "../../../access/scopes.ts";
import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import { MARKS } from "./marks.ts";
import type { ChangeContext, JournalRow } from "./rows.ts";
import { PEOPLE, type Scoped, type View } from "./view.ts";

/** How a place lies to the scopes of a caller. */
interface Situation {
  /** A scope names it. */
  named: boolean;
  /** A scope reaches it through the tree. */
  below: boolean;
  /** A scope names it or a place below it. */
  above: boolean;
}

/** The places of rows, compared with the scopes of a caller. */
export interface Places {
  /** Whether a place of the row led to the caller: a scope of the type contains it, or it is the caller. */
  contain(scoped: Scoped, row: JournalRow): boolean;
  /** Whether the person of a link was in the scopes: at its places, or above them. */
  lost(scoped: Scoped, row: JournalRow): boolean;
}

/** For the types of the rows and for more types. One statement for each set of scopes. Permissions that are held together have the same scopes. */
export async function readPlaces(
  context: ChangeContext,
  { links, scoped, trees }: View,
  rows: readonly JournalRow[],
  more: readonly string[],
): Promise<Places> {
  const below = [...trees.values()].map((one) => one.below);
  const distinct = [...new Set(rows.flatMap(({ places }) => places))];
  const types = new Set([
    ...more,
    ...rows.flatMap(({ type }) => [type, ...(links.has(type) ? [PEOPLE] : [])]),
  ]);
  const known = new Map<string, ReadonlyMap<string, Situation>>();
  for (const [type, one] of scoped) {
    if (!types.has(type)) continue;
    const scopes = scopesOf(one);
    const key = JSON.stringify(scopes);
    if (!known.has(key)) known.set(key, await situations(context, scopes, below, distinct));
  }
  const of = (one: Scoped) => known.get(JSON.stringify(scopesOf(one)));
  /** The row of a place names the places above it, which a scope without the tree does not reach it through. */
  const own = ({ id, places, type }: JournalRow) => (trees.has(type) ? [id] : places);
  const contain: Places["contain"] = (one, row) =>
    own(row).some((place) => of(one)?.get(place)?.named) ||
    row.places.some((place) => of(one)?.get(place)?.below) ||
    leadsToCaller(one, row, context.actor.personId);
  return {
    contain,
    lost: (one, row) => contain(one, row) || row.places.some((place) => of(one)?.get(place)?.above),
  };
}

/** A deleted row also names the people who read it, and the conditions that it met. */
const leadsToCaller = ({ reach }: Scoped, { places }: JournalRow, personId: string): boolean =>
  reach.some(({ scope }) =>
    scope === "account" || scope === "public"
      ? places.includes(MARKS[scope])
      : (scope === "self" || scope === "creator") && places.includes(personId),
  );

interface ScopeIds {
  named: readonly string[];
  trees: readonly string[];
}

function scopesOf({ reach }: Scoped): ScopeIds {
  const placed = reach.filter(({ scope }) => scope !== "self" && scope !== "creator");
  const ids = (inTree: boolean) => [
    ...new Set(
      placed.flatMap(({ ids, path }) =>
        !isCondition(path) && (path.below !== undefined) === inTree ? ids : [],
      ),
    ),
  ];
  return { named: ids(false), trees: ids(true) };
}

/**
 * The tree forgets a place that is deleted, and the row of its deletion names the place above it. Without `offset 0`, PostgreSQL would
 * read all rows of the places that are still in the tree.
 */
async function situations(
  { actor, db }: ChangeContext,
  { named, trees }: ScopeIds,
  below: readonly Below[],
  places: readonly string[],
): Promise<ReadonlyMap<string, Situation>> {
  if (places.length === 0 || named.length + trees.length === 0) return new Map();
  const statement = new StatementBuilder(actor.accountId);
  const { account } = statement;
  const [all, flat, deep] = [places, named, trees].map((ids) => `${statement.bind(ids)}::uuid[]`);
  const inTree = (down: string, up: string) =>
    below
      .map(
        ({ from, table, to }) =>
          `exists (select from ${table} tree where tree.account_id = ${account}` +
          ` and tree.${to} = ${down} and tree.${from} = ${up})`,
      )
      .join(" or ");
  const rows = await statement.rows(
    db,
    `with recursive led (place, at) as (
       select place, place from unnest(${all}) place
       union
       select led.place, up.at
       from (select * from led where cardinality(${deep}) > 0 and not (${inTree("led.at", "led.at")}) offset 0) led
       join journal gone on gone.account_id = ${account} and gone.resource_id = led.at and gone.action = 'deleted'
       cross join unnest(gone.places) up (at)
     )
     select place, place = any(${flat}), bool_or(${inTree("at", `any(${deep})`)}),
       place = any(${flat} || ${deep}) or bool_or(${inTree(`any(${flat} || ${deep})`, "at")})
     from led group by place`,
  );
  return new Map(
    rows.map(([place, isNamed, isBelow, isAbove]) => [
      place as string,
      { named: isNamed === true, below: isBelow === true, above: isAbove === true },
    ]),
  );
}
