import { reachesNothing } from "../../access/policy.ts";
import { fail } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { type Linkage, type Reader, writeResource } from "../response/document.ts";
import type { IncludeTree } from "../request/query.ts";
import type { ReadContext } from "./read.ts";
import { type Resource, type ToMany, targetOf } from "../definition/resource.ts";
import { constants, ID, layoutOf, linkSource, ownRows, readReach, repeats } from "./select.ts";
import { anyOf, type Row, Statement } from "./statement.ts";

type IncludeContext = Pick<ReadContext, "actor" | "catalogue" | "db"> & {
  readerOf: (of: Resource) => Promise<Reader>;
};

interface Found {
  of: Resource;
  row: Row;
  linkage: Map<string, Linkage>;
}

/**
 * The resources `include` asks for, each once, and the linkage that leads to them. Two statements at most for a path,
 * however long the page: one for each step.
 */
export class Included {
  readonly #context: IncludeContext;
  readonly #primary = new Map<string, Found>();
  readonly #found = new Map<string, Found>();

  constructor(context: IncludeContext) {
    this.#context = context;
  }

  /** Answers the linkage by row of what was included, row for row. */
  async load(
    of: Resource,
    rows: readonly Row[],
    tree: IncludeTree,
  ): Promise<Map<string, Linkage>[]> {
    const entries = rows.map((row) => {
      const entry: Found = { of, row, linkage: new Map() };
      this.#primary.set(key(of, row), entry);
      return entry;
    });
    await this.#follow(of, entries, tree);
    return entries.map((entry) => entry.linkage);
  }

  async #follow(of: Resource, from: readonly Found[], tree: IncludeTree): Promise<void> {
    if (from.length === 0) return;
    await Promise.all(
      Object.entries(tree).map(async ([name, deeper]) => {
        const relationship = of.relationships[name];
        if (!relationship) return;
        const target = targetOf(this.#context.catalogue, relationship);
        const rows =
          relationship.kind === "to-one"
            ? await this.#toOne(of, name, target, from)
            : await this.#toMany(name, relationship, target, from);
        const next = rows.map((row) => this.#add(target, row));
        await this.#follow(target, next, deeper);
      }),
    );
  }

  #add(of: Resource, row: Row): Found {
    const name = key(of, row);
    const known = this.#primary.get(name) ?? this.#found.get(name);
    if (known) return known;
    if (this.#found.size >= limits.includedMax) throw tooMany();
    const found = { of, row, linkage: new Map<string, Linkage>() };
    this.#found.set(name, found);
    return found;
  }

  async #toOne(of: Resource, name: string, target: Resource, from: readonly Found[]) {
    const index = layoutOf(of).toOne.get(name);
    if (index === undefined) return [];
    const ids = new Set(from.map((entry) => entry.row[index] as string | null));
    ids.delete(null);
    const reach = readReach(this.#context.actor, target);
    if (ids.size === 0 || reachesNothing(reach)) return [];
    const statement = new Statement(this.#context.actor.accountId);
    return statement.rows(
      this.#context.db,
      `select ${layoutOf(target).columns} from ${target.table} where ${ownRows(statement, target, reach)}` +
        ` and ${target.table}.id ${anyOf(statement, [...ids], "uuid")}`,
    );
  }

  async #toMany(name: string, relationship: ToMany, target: Resource, from: readonly Found[]) {
    const { actor, catalogue, db } = this.#context;
    const linked = new Map<string, string[]>();
    for (const entry of from) {
      const ids: string[] = [];
      linked.set(entry.row[ID] as string, ids);
      entry.linkage.set(name, ids);
    }
    const reach = readReach(actor, target);
    if (reachesNothing(reach)) return [];
    const statement = new Statement(actor.accountId);
    const { table } = relationship;
    const source = linkSource(statement, catalogue, relationship, reach, true);
    const layout = layoutOf(target);
    const rows = await statement.rows(
      db,
      `select ${repeats(relationship) ? `distinct on (${table}."${relationship.from}", ${target.table}.id) ` : ""}` +
        `${layout.columns}, ${table}."${relationship.from}" from ${source.from}` +
        ` where ${table}.account_id = ${statement.account}` +
        ` and ${table}."${relationship.from}" ${anyOf(statement, [...linked.keys()], "uuid")}${constants(table, relationship)}${source.reach}` +
        ` order by ${table}."${relationship.from}", ${target.table}.id limit ${limits.includedMax + 1}`,
    );
    if (rows.length > limits.includedMax) throw tooMany();
    for (const row of rows) linked.get(row[layout.width] as string)?.push(row[ID] as string);
    return rows;
  }

  async write(fields: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
    const written: string[] = [];
    // Not as they were found: steps run side by side, and what has not changed keeps its ETag.
    const found = [...this.#found].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [, { of, row, linkage }] of found) {
      const reader = await this.#context.readerOf(of);
      written.push(writeResource(of, row, reader, { fields: fields.get(of.type), linkage }));
    }
    return written;
  }
}

const key = (of: Resource, row: Row): string => `${of.type} ${row[ID] as string}`;

const tooMany = () =>
  fail(
    "too-many-included",
    `More than ${limits.includedMax} resources would be included. Ask for a smaller page or fewer paths.`,
    { parameter: "include" },
  );
