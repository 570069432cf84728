import type { Actor } from "../access/actor.ts";
import { type Reach, reachesNothing, reachOf } from "../access/policy.ts";
import { forbidden, notFound } from "../errors.ts";
import { isId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { Queryable } from "../store/db.ts";
import type { CustomFields } from "./custom-fields.ts";
import {
  type DocumentParts,
  identifier,
  identifiers,
  type Linkage,
  type Reader,
  versionOf,
  writeDocument,
  writeResource,
} from "./document.ts";
import { Included } from "./include.ts";
import {
  castOf,
  type Cursor,
  encodeCursor,
  type ListQuery,
  type Shape,
  type SortKey,
} from "./query.ts";
import {
  type Catalogue,
  policyOf,
  type Resource,
  type ToMany,
  type ToOne,
  targetOf,
  tenantOf,
} from "./resource.ts";
import { ID, layoutOf, linkSource, onRequest, oneSql, ownRows, readReach } from "./select.ts";
import { type Row, Statement } from "./statement.ts";

/** What reading needs: where, of which types, for whom. */
export interface ReadContext {
  db: Queryable;
  catalogue: Catalogue;
  actor: Actor;
  customFieldsOf: (db: Queryable, actor: Actor, of: Resource) => Promise<CustomFields | undefined>;
}

export interface OneAnswer {
  body: string;
  version: number;
}

export function readerOf(context: ReadContext): (of: Resource) => Promise<Reader> {
  return async (of) => ({
    actor: context.actor,
    customFields: of.customProperties
      ? await context.customFieldsOf(context.db, context.actor, of)
      : undefined,
  });
}

/** The words for an id that mean the caller, and the ids that cannot exist. */
export function resolveId(of: Resource, actor: Actor, id: string): string {
  const alias = of.aliases && Object.hasOwn(of.aliases, id) ? of.aliases[id] : undefined;
  if (alias) return alias(actor);
  if (!isId(id)) throw notFound();
  return id;
}

/** How far a list or a read carries; whoever reaches nothing of a type is told so instead of shown an empty list. */
export function reachFor(actor: Actor, of: Resource, operation: "list" | "read"): Reach {
  const policy = of.operations[operation];
  if (!policy) throw notFound();
  const reach = reachOf(actor, policyOf(policy), of.scopes ?? {});
  if (reachesNothing(reach)) throw forbidden(`This person may not read ${of.type}.`);
  return reach;
}

export async function readOne(
  context: ReadContext,
  of: Resource,
  id: string,
  shape: Shape,
  meta?: Record<string, unknown>,
): Promise<OneAnswer> {
  const found = await findOne(context, of, id, shape);
  if (!found) throw notFound();
  const { data, included } = await writeWithIncluded(
    context,
    of,
    [found.row],
    shape,
    [found.linkage],
    found.extras,
  );
  return {
    body: writeDocument({
      data: data[0] ?? "null",
      included,
      links: { self: `/v1/${of.type}/${id}` },
      ...(meta && { meta }),
    }),
    version: versionOf(found.row),
  };
}

interface FoundOne {
  row: Row;
  linkage: Map<string, Linkage>;
  extras: { name: string; attribute: Resource["attributes"][string]; index: number }[];
}

async function findOne(
  context: ReadContext,
  of: Resource,
  id: string,
  shape: Shape,
): Promise<FoundOne | undefined> {
  const reach = reachFor(context.actor, of, "read");
  const statement = new Statement(context.actor.accountId);
  const plan = oneSql(statement, context.catalogue, context.actor, of, id, {
    reach,
    fields: shape.fields.get(of.type),
  });
  const [row] = await statement.rows(context.db, plan.sql);
  if (!row) return undefined;

  const { width } = layoutOf(of);
  const linkage = new Map<string, Linkage>();
  for (const [position, name] of plan.linkage.entries()) {
    const text = row[width + position] as string;
    const ids = text === "" ? [] : text.split(",");
    linkage.set(
      name,
      ids.length > limits.linkageMax ? { total: await countLinked(context, of, id, name) } : ids,
    );
  }
  const extras = plan.extras.map(({ name, attribute }, position) => ({
    name,
    attribute,
    index: width + plan.linkage.length + position,
  }));
  return { row, linkage, extras };
}

async function countLinked(
  context: ReadContext,
  of: Resource,
  id: string,
  name: string,
): Promise<number> {
  const relationship = of.relationships[name] as ToMany;
  const target = targetOf(context.catalogue, relationship);
  const statement = new Statement(context.actor.accountId);
  const source = linkSource(
    statement,
    context.catalogue,
    relationship,
    readReach(context.actor, target),
    false,
  );
  const [row] = await statement.rows(
    context.db,
    `select count(distinct ${relationship.table}."${relationship.to}") from ${source.from}` +
      ` where ${relationship.table}.account_id = ${statement.account}` +
      ` and ${relationship.table}."${relationship.from}" = ${statement.bind(id)}${source.where}`,
  );
  return (row?.[0] as number | undefined) ?? 0;
}

async function writeWithIncluded(
  context: ReadContext,
  of: Resource,
  rows: readonly Row[],
  shape: Shape,
  linkages?: readonly Map<string, Linkage>[],
  extras?: FoundOne["extras"],
): Promise<{ data: string[]; included: string[] | undefined }> {
  const fields = shape.fields.get(of.type);
  const reader = await readerOf(context)(of);
  let loaded: readonly Map<string, Linkage>[] | undefined;
  let included: string[] | undefined;
  if (shape.include) {
    const inclusion = new Included({ ...context, readerOf: readerOf(context) });
    loaded = await inclusion.load(of, rows, shape.include);
    included = await inclusion.write(shape.fields);
  }
  const data = rows.map((row, position) => {
    const own = linkages?.[position];
    const more = loaded?.[position];
    const linkage = own && more ? new Map([...own, ...more]) : (more ?? own);
    return writeResource(of, row, reader, {
      fields,
      ...(linkage && { linkage }),
      ...(extras && { extras }),
    });
  });
  return { data, included };
}

/** Where a list's rows come from: the whole church, or what one resource is related to. */
export interface ListSource {
  path: string;
  /** Puts the conditions that hold beside the caller's filters into the statement. */
  restrict?: (statement: Statement) => string;
}

export async function readList(
  context: ReadContext,
  of: Resource,
  query: ListQuery,
  source: ListSource,
): Promise<string> {
  const reach = reachFor(context.actor, of, "list");
  const where = (statement: Statement) => {
    statement.prepared = query.conditions.length === 0;
    return (
      ownRows(statement, of, reach) +
      (source.restrict?.(statement) ?? "") +
      query.conditions.map((condition) => ` and (${condition(statement)})`).join("")
    );
  };

  // Sent together: on two connections they run side by side.
  const [total, rows] = await Promise.all([
    countRows(context, of, where),
    pageRows(context, of, query, where),
  ]);

  const more = query.page.kind === "after" && rows.length > query.page.size;
  const shown = more ? rows.slice(0, query.page.size) : rows;
  const fields = query.fields.get(of.type);
  const extras = onRequest(of, fields).map(({ name, attribute }, position) => ({
    name,
    attribute,
    index: layoutOf(of).width + (query.page.kind === "after" ? 1 : 0) + position,
  }));
  const { data, included } = await writeWithIncluded(context, of, shown, query, undefined, extras);
  return writeDocument({
    data: `[${data.join(",")}]`,
    included,
    ...pageParts(of, query, source.path, total, shown, more),
  });
}

async function countRows(
  context: ReadContext,
  of: Resource,
  where: (statement: Statement) => string,
): Promise<number> {
  const statement = new Statement(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select count(*) from ${of.table} where ${where(statement)}`,
  );
  return (row?.[0] as number | undefined) ?? 0;
}

async function pageRows(
  context: ReadContext,
  of: Resource,
  query: ListQuery,
  where: (statement: Statement) => string,
): Promise<Row[]> {
  const statement = new Statement(context.actor.accountId);
  const columns =
    layoutOf(of).columns +
    (query.page.kind === "after" ? `, ${sortColumn(of, query.sort[0])}::text` : "") +
    onRequest(of, query.fields.get(of.type))
      .map((extra) => `, ${extra.expression}`)
      .join("");
  const condition = where(statement);
  const order = orderOf(of, query.sort);
  if (query.page.kind === "number") {
    const { number, size } = query.page;
    const limit = `limit ${limitOf(statement, size)}`;
    // Columns are worked out for the rows that are skipped, too: further pages find their ids first.
    const found =
      number === 1
        ? condition
        : `${of.table}.${tenantOf(of)} = ${statement.account} and ${of.table}.id = any(array(` +
          `select ${of.table}.id from ${of.table} where ${condition} order by ${order}` +
          ` ${limit} offset ${statement.bind((number - 1) * size)}))`;
    return statement.rows(
      context.db,
      `select ${columns} from ${of.table} where ${found} order by ${order} ${limit}`,
    );
  }
  const { after, size } = query.page;
  const beyond = after ? ` and ${beyondCursor(statement, of, query.sort[0], after)}` : "";
  return statement.rows(
    context.db,
    `select ${columns} from ${of.table} where ${condition}${beyond} order by ${order} limit ${limitOf(statement, size + 1)}`,
  );
}

/** The sizes that nearly everybody asks for, and one more for cursors: few, since each makes a statement of its own. */
const usualSizes = new Set([10, 20, 25, 50, 100].flatMap((size) => [size, size + 1]));

/**
 * PostgreSQL keeps the plan of a page whose size it knows. Where the size is a parameter it plans each time anew, which
 * takes as long as reading 25 people does.
 */
const limitOf = (statement: Statement, size: number): string =>
  usualSizes.has(size) ? String(size) : statement.bind(size);

const sortColumn = (of: Resource, key: SortKey | undefined): string =>
  `${of.table}."${key?.sort.column ?? "id"}"`;

/** The id decides between equals, so that a page never repeats or skips a row. */
function orderOf(of: Resource, sort: readonly SortKey[]): string {
  const keys = sort.map(
    (key) => `${sortColumn(of, key)} ${key.descending ? "desc" : "asc"} nulls last`,
  );
  const last = sort.at(-1);
  if (last?.name !== "id") keys.push(`${of.table}.id ${last?.descending ? "desc" : "asc"}`);
  // An index serves `asc nulls last` and, read backwards, `desc nulls first`: say neither where nothing is null.
  return keys
    .map((key, position) => (sort[position]?.sort.nullable ? key : key.replace(" nulls last", "")))
    .join(", ");
}

function beyondCursor(
  statement: Statement,
  of: Resource,
  key: SortKey | undefined,
  cursor: Cursor,
): string {
  const column = key?.sort.column ?? "id";
  const operator = key?.descending ? "<" : ">";
  if (column === "id") return `${of.table}.id ${operator} ${statement.bind(cursor.id)}::uuid`;
  const value = `${statement.bind(cursor.value)}::${key ? castOf(of, key) : "text"}`;
  return `(${sortColumn(of, key)}, ${of.table}.id) ${operator} (${value}, ${statement.bind(cursor.id)}::uuid)`;
}

function pageParts(
  of: Resource,
  query: ListQuery,
  path: string,
  total: number,
  rows: readonly Row[],
  more: boolean,
): Pick<DocumentParts, "meta" | "links"> {
  const link = (page: Record<string, string | number>): string => {
    const parameters = new URLSearchParams([
      ...query.carried.map(([name, value]) => [name, value]),
      ...Object.entries(page).map(([name, value]) => [`page[${name}]`, String(value)]),
    ] as [string, string][]);
    return `${path}?${parameters.toString()}`;
  };
  const { page } = query;
  if (page.kind === "after") {
    const last = rows.at(-1);
    const [key] = query.sort;
    const next =
      more && last && key
        ? encodeCursor(key, { value: String(last[layoutOf(of).width]), id: String(last[ID]) })
        : undefined;
    return {
      meta: { total, size: page.size },
      links: {
        self: link({
          after: page.after && key ? encodeCursor(key, page.after) : "",
          size: page.size,
        }),
        first: link({ after: "", size: page.size }),
        next: next === undefined ? null : link({ after: next, size: page.size }),
      },
    };
  }
  const { number, size } = page;
  const lastPage = Math.max(1, Math.ceil(total / size));
  return {
    meta: { total, page: number, size },
    links: {
      self: link({ number, size }),
      first: link({ number: 1, size }),
      prev: number > 1 ? link({ number: Math.min(number - 1, lastPage), size }) : null,
      next: number < lastPage ? link({ number: number + 1, size }) : null,
      last: link({ number: lastPage, size }),
    },
  };
}

/** `GET /v1/courses/:id/relationships/teachers` */
export async function readLinkage(
  context: ReadContext,
  of: Resource,
  id: string,
  name: string,
): Promise<string> {
  const relationship = of.relationships[name];
  if (!relationship) throw notFound();
  const path = `/v1/${of.type}/${id}`;
  const links = { self: `${path}/relationships/${name}`, related: `${path}/${name}` };
  const found = await findOne(context, of, id, { include: undefined, fields: new Map() });
  if (!found) throw notFound();
  if (relationship.kind === "to-one") {
    const to = found.row[layoutOf(of).toOne.get(name) ?? -1] as string | null;
    return writeDocument({
      data: to === null ? "null" : identifier(relationship.target, to),
      links,
    });
  }
  const linkage = found.linkage.get(name) ?? [];
  if (!("total" in linkage))
    return writeDocument({
      data: identifiers(relationship.target, linkage),
      meta: { total: linkage.length },
      links,
    });
  return writeDocument({
    data: identifiers(relationship.target, await linkedIds(context, of, id, relationship)),
    meta: { total: linkage.total },
    links,
  });
}

/** The relationship's own route shows what a document leaves out, up to what one answer can include. */
async function linkedIds(
  context: ReadContext,
  of: Resource,
  id: string,
  relationship: ToMany,
): Promise<string[]> {
  const statement = new Statement(context.actor.accountId);
  const restriction = relatedTo(context, of, id, relationship)(statement);
  const target = targetOf(context.catalogue, relationship);
  const rows = await statement.rows(
    context.db,
    `select ${target.table}.id from ${target.table} where ${ownRows(statement, target, readReach(context.actor, target))}` +
      `${restriction} order by 1 limit ${limits.includedMax}`,
  );
  return rows.map((row) => row[0] as string);
}

function relatedTo(_context: ReadContext, _of: Resource, id: string, relationship: ToMany) {
  return (statement: Statement): string => {
    const { table } = relationship;
    const where = Object.entries(relationship.where ?? {})
      .map(([column, value]) =>
        typeof value === "string"
          ? ` and x."${column}" = '${value}'`
          : ` and x."${column}" in (${value.map((one) => `'${one}'`).join(", ")})`,
      )
      .join("");
    return (
      ` and id in (select x."${relationship.to}" from ${table} x where x.account_id = ${statement.account}` +
      ` and x."${relationship.from}" = ${statement.bind(id)}${where})`
    );
  };
}

/** `GET /v1/courses/:id/teachers`: a list of the target's type, with all that lists understand. */
export async function relatedSource(
  context: ReadContext,
  of: Resource,
  id: string,
  name: string,
  relationship: ToMany,
): Promise<ListSource> {
  await assertReadable(context, of, id);
  return {
    path: `/v1/${of.type}/${id}/${name}`,
    restrict: relatedTo(context, of, id, relationship),
  };
}

/** `GET /v1/courses/:id/created-by`: the one resource, or null. */
export async function readRelatedOne(
  context: ReadContext,
  of: Resource,
  id: string,
  name: string,
  relationship: ToOne,
  shape: Shape,
): Promise<string> {
  const found = await findOne(context, of, id, { include: undefined, fields: new Map() });
  if (!found) throw notFound();
  const links = { self: `/v1/${of.type}/${id}/${name}` };
  const to = found.row[layoutOf(of).toOne.get(name) ?? -1] as string | null;
  const target = targetOf(context.catalogue, relationship);
  if (to === null || reachesNothing(readReach(context.actor, target)))
    return writeDocument({ data: "null", links });
  const related = await findOne(context, target, to, shape);
  if (!related) return writeDocument({ data: "null", links });
  const { data, included } = await writeWithIncluded(
    context,
    target,
    [related.row],
    shape,
    [related.linkage],
    related.extras,
  );
  return writeDocument({ data: data[0] ?? "null", included, links });
}

/** 404 unless the caller may know that it exists. */
export async function assertReadable(
  context: ReadContext,
  of: Resource,
  id: string,
): Promise<void> {
  const reach = reachFor(context.actor, of, "read");
  const statement = new Statement(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select 1 from ${of.table} where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.bind(id)}`,
  );
  if (!row) throw notFound();
}
