import { reachesNothing } from "../../access/reach.ts";
import { fail } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { ID, layoutOf, shows, linkedBy } from "../definition/layout.ts";
import { targetTypes, type ToMany } from "../definition/relationships.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import type { Linkage, Row } from "../definition/rows.ts";
import { definitionOf } from "../definition/targets.ts";
import { anyOf } from "../request/binding.ts";
import { reachOfLinks, readReach } from "../request/reach.ts";
import { columnsFor, ownRows } from "../request/reach-conditions.ts";
import type { IncludeTree } from "../request/shape.ts";
import { constants, linkSource, repeats } from "./select.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** A primary or included resource. */
export interface Entry {
  resource: Resource;
  row: Row;
  /** The linkage of the included relationships. */
  linkage: Map<string, Linkage>;
}

/** Loads included resources with one statement per step of a path, for all resources of a page together. */
export async function loadIncluded(
  context: ReadContext,
  resource: Resource,
  rows: readonly Row[],
  tree: IncludeTree,
): Promise<{ primary: readonly Entry[]; included: readonly Entry[] }> {
  return new Inclusion(context).load(resource, rows, tree);
}

/** Contains each resource once, even if several relationships lead to it. */
class Inclusion {
  readonly #context: ReadContext;
  readonly #primary = new Map<string, Entry>();
  readonly #found = new Map<string, Entry>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async load(resource: Resource, rows: readonly Row[], tree: IncludeTree) {
    const primary = rows.map((row) => {
      const entry: Entry = { resource, row, linkage: new Map() };
      this.#primary.set(key(resource, row), entry);
      return entry;
    });
    await this.#follow(resource, primary, tree);
    // Steps run in parallel, so the order in which they found resources varies. The ETag must not.
    const found = [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1));
    return { primary, included: found.map(([, entry]) => entry) };
  }

  async #follow(resource: Resource, from: readonly Entry[], tree: IncludeTree): Promise<void> {
    if (from.length === 0) return;
    await Promise.all(
      Object.entries(tree).map(async ([name, deeper]) => {
        const relationship = resource.relationships[name];
        if (!relationship) return;
        const shown = from.filter(({ row }) => shows(resource, row, name));
        for (const type of targetTypes(relationship)) {
          const target = definitionOf(this.#context.catalogue, type);
          const rows =
            relationship.kind === "to-one"
              ? await this.#toOne(resource, name, target, shown)
              : await this.#toMany(name, relationship, target, shown);
          const next = rows.map((row) => this.#add(target, row));
          await this.#follow(target, next, deeper);
        }
      }),
    );
  }

  #add(resource: Resource, row: Row): Entry {
    const name = key(resource, row);
    const known = this.#primary.get(name) ?? this.#found.get(name);
    if (known) return known;
    if (this.#found.size >= limits.includedMax) throw tooMany();
    const found = { resource, row, linkage: new Map<string, Linkage>() };
    this.#found.set(name, found);
    return found;
  }

  async #toOne(resource: Resource, name: string, target: Resource, from: readonly Entry[]) {
    const ids = new Set(
      from.flatMap(({ row }) => {
        const { id, type } = linkedBy(resource, row, name);
        return type === target.type && id !== null ? [id] : [];
      }),
    );
    const reach = readReach(this.#context.actor, target);
    if (ids.size === 0 || reachesNothing(reach)) return [];
    const statement = new StatementBuilder(this.#context.actor.accountId);
    return statement.rows(
      this.#context.db,
      `select ${columnsFor(statement, this.#context, target)} from ${target.table} where ${ownRows(statement, target, reach)}` +
        ` and ${target.table}.id ${anyOf(statement, [...ids], "uuid")}`,
    );
  }

  /** The linkage with the ids of deleted resources, which are not included. */
  async #linkDangling({ from, table, to }: ToMany, linked: ReadonlyMap<string, string[]>) {
    const { actor, db } = this.#context;
    const statement = new StatementBuilder(actor.accountId);
    const rows = await statement.rows(
      db,
      `select "${from}", "${to}" from ${table} where account_id = ${statement.account}` +
        ` and "${from}" ${anyOf(statement, [...linked.keys()], "uuid")} order by 1, 2`,
    );
    for (const ids of linked.values()) ids.length = 0;
    for (const [id, other] of rows as [string, string][]) linked.get(id)?.push(other);
  }

  async #toMany(name: string, relationship: ToMany, target: Resource, from: readonly Entry[]) {
    const { actor, catalogue, db } = this.#context;
    const linked = new Map<string, string[]>();
    for (const entry of from) {
      const ids: string[] = [];
      linked.set(entry.row[ID] as string, ids);
      entry.linkage.set(name, ids);
    }
    const reach = reachOfLinks(actor, target, relationship);
    if (reachesNothing(reach)) return [];
    const statement = new StatementBuilder(actor.accountId);
    const { table } = relationship;
    const source = linkSource(statement, catalogue, relationship, reach, true);
    const layout = layoutOf(target);
    const rows = await statement.rows(
      db,
      `select ${repeats(relationship) ? `distinct on (${table}."${relationship.from}", ${target.table}.id) ` : ""}` +
        `${columnsFor(statement, this.#context, target)}, ${table}."${relationship.from}" from ${source.from}` +
        ` where ${table}.account_id = ${statement.account}` +
        ` and ${table}."${relationship.from}" ${anyOf(statement, [...linked.keys()], "uuid")}${constants(table, relationship)}${source.reach}` +
        ` order by ${table}."${relationship.from}", ${target.table}.id limit ${limits.includedMax + 1}`,
    );
    if (rows.length > limits.includedMax) throw tooMany();
    for (const row of rows) linked.get(row[layout.width] as string)?.push(row[ID] as string);
    if (relationship.dangling) await this.#linkDangling(relationship, linked);
    return rows;
  }
}

const key = (resource: Resource, row: Row): string => `${resource.type} ${row[ID] as string}`;

const tooMany = () =>
  fail(
    "too-many-included",
    `More than ${limits.includedMax} resources would be included. Request a smaller page or fewer paths.`,
    { parameter: "include" },
  );
