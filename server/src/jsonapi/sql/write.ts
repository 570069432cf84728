import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../access/actor.ts";
import { authorOf } from "../../access/operator.ts";
import type { Reach } from "../../access/reach.ts";
import { fail, forbidden, notFound } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { capture, capturesEvents } from "../../events/capture.ts";
import type { CapturedType } from "../../events/event-types.ts";
import { revised } from "../../store/sql.ts";
import type { Attribute } from "../definition/attributes.ts";
import { ID, layoutOf } from "../definition/layout.ts";
import { columnsByType, type ToMany } from "../definition/relationships.ts";
import type { Fields, ResourceInput, RowInput } from "../definition/input.ts";
import { accountColumnOf, columnOf, membersOf } from "../definition/members.ts";
import type { ReadContext, Resource, WriteContext, Written } from "../definition/resource.ts";
import type { Linkage, Row } from "../definition/rows.ts";
import { definitionOf } from "../definition/targets.ts";
import { reachFor, reachTo, readReach } from "../request/reach.ts";
import { type Reader, writeResource } from "../response/document.ts";
import { type LinkageColumn, linkageIn, linkageColumnsOf } from "./linkage.ts";
import { addLinks, type LinkChange, linkChanges, replacing } from "./write-linkage.ts";
import { customFieldsIn } from "./read.ts";
import {
  changesRights,
  confirmFor,
  endLinksAfter,
  namesGivingRights,
  refuseMerged,
} from "./rights.ts";
import { columnsFor, ownRows, reachCondition } from "../request/reach-conditions.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** Before the transaction, `expectedVersion` may be absent. */
type CheckContext = ReadContext & Partial<Pick<WriteContext, "expectedVersion">>;

const casts: Record<Attribute["storage"], string> = {
  text: "::text",
  number: "::bigint",
  boolean: "::boolean",
  timestamp: "::timestamptz",
  date: "::date",
  // Cast to text first, because the driver would convert a JavaScript array to a PostgreSQL array.
  json: "::text::jsonb",
  texts: "::text[]",
  uuids: "::uuid[]",
  link: "::uuid",
  file: "::uuid",
  phone: "::text",
};

interface Assignment {
  /** The member of the document, for `changed-fields`. */
  member: string;
  column: string;
  value: unknown;
  cast: string;
}

/** The version, the time and the author of a change, for rules that write rows themselves. */
export const revisedBy = (author: Pick<Actor, "personId">, row?: string): Sql =>
  sql`${revised(row)}, modified_by = ${authorOf(author)}::uuid`;

/** In `ExtraColumns`, the id of the caller. */
export const AUTHOR = "author";

/** Columns that are not attributes, and the SQL of their values. The SQL is constant and never contains input. */
export type ExtraColumns = Readonly<Record<string, string>>;

function assignmentsOf(resource: Resource, input: ResourceInput): Assignment[] {
  const assignments: Assignment[] = [];
  for (const [name, value] of Object.entries(input.attributes)) {
    const attribute = resource.attributes[name];
    if (attribute && !attribute.writeOnly)
      assignments.push({
        member: name,
        column: columnOf(name, attribute),
        value,
        cast: casts[attribute.storage],
      });
  }
  for (const [name, value] of Object.entries(input.toOne)) {
    const relationship = resource.relationships[name];
    if (relationship?.kind !== "to-one" || !("column" in relationship)) continue;
    const target = input.targets?.[name] ?? relationship.target;
    for (const [type, column] of Object.entries(columnsByType(relationship)))
      assignments.push({
        member: name,
        column,
        value: type === target ? value : null,
        cast: "::uuid",
      });
  }
  return assignments;
}

const changeableCondition = ({ unchangeable }: Resource): string =>
  unchangeable ? ` and not (${unchangeable.where})` : "";

const versionCondition = (
  statement: StatementBuilder,
  { expectedVersion }: WriteContext,
): string =>
  expectedVersion === undefined ? "" : ` and version = ${statement.bind(expectedVersion)}`;

/** Inserts a row and its joining rows, and captures the event. */
export async function insertRow<F extends Fields>(
  context: WriteContext,
  resource: Resource<F>,
  input: RowInput<NoInfer<F>>,
  extra: ExtraColumns = {},
): Promise<Written> {
  const [id = ""] = await insertRows(context, resource, [{ input, extra }]);
  return { id };
}

/**
 * Inserts a row as the last act of a request. The answer shows it without a second read, so nothing that it shows may be written
 * after it.
 */
export async function insertLast<F extends Fields>(
  context: WriteContext,
  resource: Resource<F>,
  input: RowInput<NoInfer<F>>,
  extra: ExtraColumns = {},
): Promise<Written> {
  const { ids, inserted } = await insertAll(context, resource, [{ input, extra }]);
  const [[id = ""], [row]] = [ids, inserted];
  const isReadable = reachFor(context.actor, resource, "read") === "everything";
  if (!row || !isReadable || resource.rows !== undefined || replacing(input).length > 0)
    return { id };
  const links = Object.entries(resource.relationships).filter(([, { kind }]) => kind === "to-many");
  const linkage = new Map<string, Linkage>(links.map(([name]) => [name, []]));
  return { id, found: { row, linkage, extras: [] } };
}

export interface NewRow<F extends Fields = Fields> {
  input: RowInput<F>;
  extra?: ExtraColumns;
}

/** Inserts rows with one statement, and returns their ids in the same order. Members that a row lacks take their defaults. */
export async function insertRows<F extends Fields>(
  context: WriteContext,
  resource: Resource<F>,
  rows: readonly NewRow<NoInfer<F>>[],
): Promise<string[]> {
  const { ids } = await insertAll(context, resource, rows);
  return ids;
}

async function insertAll<F extends Fields>(
  context: WriteContext,
  resource: Resource<F>,
  rows: readonly NewRow<NoInfer<F>>[],
): Promise<{ ids: string[]; inserted: readonly Row[] }> {
  const [first] = rows;
  if (!first) return { ids: [], inserted: [] };
  for (const { input } of rows) {
    const names = namesGivingRights(resource, input);
    await refuseMerged(context, resource, names);
    await confirmFor(context, resource, names);
  }
  const statement = new StatementBuilder(context.actor.accountId);
  statement.prepared = rows.length === 1 && Object.keys(first.input.attributes).length <= 1;
  const author = `${statement.bind(authorOf(context.actor))}::uuid`;
  const ids = rows.map(() => newId());
  const valuesOf = rows.map(({ extra = {}, input }, position) => {
    const values = new Map([
      [accountColumnOf(resource), statement.account],
      ["id", `${statement.bind(ids[position])}::uuid`],
      ["created_by", author],
      ["modified_by", author],
    ]);
    for (const { column, value, cast } of assignmentsOf(resource, input))
      values.set(column, `${statement.bind(bindable(value, cast))}${cast}`);
    for (const [column, sql] of Object.entries(extra))
      values.set(column, sql === AUTHOR ? author : sql);
    return values;
  });
  const columns = [...new Set(valuesOf.flatMap((values) => [...values.keys()]))];
  const texts = valuesOf.map(
    (values) => `(${columns.map((column) => values.get(column) ?? "default").join(", ")})`,
  );
  const inserted = await statement.rows(
    context.db,
    `insert into ${resource.table} (${columns.map((column) => `"${column}"`).join(", ")}) values ${texts.join(", ")}` +
      ` returning ${columnsFor(statement, context, resource)}`,
  );
  for (const [position, { input }] of rows.entries())
    for (const change of replacing(input))
      await addLinks(
        context,
        resource.relationships[change.name] as ToMany,
        ids[position] ?? "",
        change,
      );
  for (const [position, { input }] of rows.entries())
    await endLinksAfter(context, resource, [ids[position] ?? ""], input);
  const { created } = resource.captures ?? {};
  if (created && (await mayCapture(context, inserted)))
    for (const row of inserted) await captureRow(context, resource, created, row);
  return { ids, inserted };
}

const bindable = (value: unknown, cast: string): unknown =>
  cast === casts.json && value !== null ? JSON.stringify(value) : value;

export interface Updated extends Written {
  /** The changed members, as `changed-fields` names them. If it is empty, nothing was written. */
  changed: readonly string[];
  row: Row;
}

export interface UpdateOptions {
  links?: readonly LinkChange[];
  /** The event of this change, if it has a type of its own. */
  event?: CapturedType | undefined;
  /** The row gets a new version even if no member differs, because rows that belong to it change. */
  touch?: boolean;
}

/**
 * Updates the members that differ, in one statement that also returns their names. An update to equal values writes
 * nothing, keeps the version and captures no event.
 *
 * Rows are locked `for no key update`, so that other transactions can insert references to them.
 */
export async function updateRow<F extends Fields>(
  context: WriteContext,
  resource: Resource<F>,
  id: string,
  input: RowInput<NoInfer<F>>,
  extra: ExtraColumns = {},
  { event, links = replacing(input), touch = false }: UpdateOptions = {},
): Promise<Updated> {
  const reach = reachTo(context.actor, resource, "update");
  const named = [
    ...Object.keys({ ...input.attributes, ...input.toOne }),
    ...links.map(({ name }) => name),
  ];
  // The row is locked, because two concurrent replacements of the links could otherwise mix.
  if (links.length > 0 || changesRights(resource, named))
    await readForChange(context, resource, id, reach, "for no key update");
  const onlyTakes = links.length > 0 && links.every(({ how }) => how === "remove");
  if (!onlyTakes) await refuseMerged(context, resource, named);
  await confirmFor(context, resource, named);
  const linksChanged: string[] = [];
  for (const link of links) {
    const relationship = resource.relationships[link.name] as ToMany;
    if (await linkChanges[link.how](context, relationship, id, link)) linksChanged.push(link.name);
  }

  const change = {
    assignments: assignmentsOf(resource, input),
    extra,
    touch: touch || linksChanged.length > 0,
  };
  const [row, linkageColumns] = await runUpdate(context, resource, id, change, reach);
  if (!row) return { ...(await readForChange(context, resource, id, reach)), changed: [] };

  const { width } = layoutOf(resource);
  const changed = [
    ...(row[width] as string[]).flatMap((name) => expandCustom(name, row[width + 1])),
    ...linksChanged,
  ];
  const isEnded = await endLinksAfter(context, resource, [id], only(input, changed));
  const captured = event ?? resource.captures?.updated;
  // The end of a log-in changes the row of its person once more.
  const { row: last } = isEnded
    ? await readForChange({ ...context, expectedVersion: undefined }, resource, id, reach)
    : { row };
  if (captured && changed.length > 0) await captureRow(context, resource, captured, last, changed);
  if (last !== row) return { id, row: last, changed };
  const linkage = await linkageIn(context, resource, row, linkageColumns, width + 2);
  return { id, row, found: { row, linkage, extras: [] }, changed };
}

/** The members of a document with these names. */
function only({ attributes, toOne }: ResourceInput, names: readonly string[]) {
  const pick = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
  return { attributes: pick(attributes), toOne: pick(toOne) };
}

/** Gives a row a new version because rows that belong to it changed, and captures the event of an update. */
export const touchRow = (
  context: WriteContext,
  resource: Resource,
  id: string,
  changed: readonly string[],
): Promise<void> => touchRows(context, resource, [id], changed);

/** The same for many rows, with one statement. */
export async function touchRows(
  context: WriteContext,
  resource: Resource,
  ids: readonly string[],
  changed: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const statement = new StatementBuilder(context.actor.accountId);
  const rows = await statement.rows(
    context.db,
    `update ${resource.table} set ${revised().sql}, modified_by = ${statement.bind(authorOf(context.actor))}` +
      ` where ${accountColumnOf(resource)} = ${statement.account} and id = any(${statement.bind(ids)}::uuid[])` +
      ` returning ${layoutOf(resource).columns}`,
  );
  const { updated } = resource.captures ?? {};
  if (updated && (await mayCapture(context, rows)))
    for (const row of rows) await captureRow(context, resource, updated, row, changed);
}

/** For one row, its own statement finds out whether the account captures events. */
const mayCapture = async ({ actor, db }: WriteContext, rows: readonly Row[]): Promise<boolean> =>
  rows.length === 1 || (rows.length > 1 && (await capturesEvents(db, actor.accountId)));

/** A column that an update sets, as parts of the statement. */
interface ColumnChange {
  /** The name of the member if its value changed, for `changed-fields`. */
  name: string;
  set: string;
  /** The value before the update. */
  before: string;
  /** Whether the update would change the value. */
  differs: string;
  /** The names of the custom fields that changed. Undefined for all other columns. */
  fields: string | undefined;
}

function columnChangeOf(
  statement: StatementBuilder,
  { customProperties, table }: Resource,
  { cast, column, member, value }: Assignment,
): ColumnChange {
  const given = `${statement.bind(bindable(value, cast))}${cast}`;
  const isCustom = customProperties && member === "custom-properties";
  // Custom fields that the document omits keep their values.
  const next = (row: string) =>
    isCustom ? `jsonb_strip_nulls(${row}.custom_properties || ${given})` : given;
  return {
    name: `case when before."${column}" is distinct from ${table}."${column}" then '${member}' end`,
    set: `"${column}" = ${next(table)}`,
    before: `"${column}"`,
    differs: `before."${column}" is distinct from ${next("before")}`,
    fields: isCustom
      ? `(select array_agg(key) from jsonb_each(${given}) as field(key, value)` +
        ` where before.custom_properties -> key is distinct from ${table}.custom_properties -> key)`
      : undefined,
  };
}

interface Change {
  assignments: readonly Assignment[];
  extra: ExtraColumns;
  touch: boolean;
}

async function runUpdate(
  context: WriteContext,
  resource: Resource,
  id: string,
  { assignments, extra, touch }: Change,
  reach: Reach,
): Promise<[row: Row | undefined, linkageColumns: readonly LinkageColumn[]]> {
  if (assignments.length === 0 && !touch) return [undefined, []];
  const statement = new StatementBuilder(context.actor.accountId, id);
  statement.prepared = assignments.length <= 1;
  const { table } = resource;
  const changes = assignments.map((one) => columnChangeOf(statement, resource, one));
  const expected = versionCondition(statement, context);
  const before =
    `select ${["id", ...changes.map((one) => one.before)].join(", ")} from ${table}` +
    ` where ${ownRows(statement, resource, reach)} and id = ${statement.id}${changeableCondition(resource)}${expected} for no key update`;
  const linkageColumns = linkageColumnsOf(context, statement, resource);
  const author = `${statement.bind(authorOf(context.actor))}::uuid`;
  const sets = [
    ...changes.map((one) => one.set),
    ...Object.entries(extra).map(
      ([column, sql]) => `"${column}" = ${sql === AUTHOR ? author : sql}`,
    ),
    revised(table).sql,
    `modified_by = ${author}`,
  ];
  const differs = changes.map((one) => one.differs).join(" or ");
  const returned = [
    columnsFor(statement, context, resource),
    `array_remove(array[${changes.map((one) => one.name).join(", ")}]::text[], null)`,
    changes.find((one) => one.fields)?.fields ?? "null::text[]",
    ...linkageColumns.map(({ column }) => column),
  ];
  const [row] = await statement.rows(
    context.db,
    `with before as (${before}) update ${table} set ${sets.join(", ")}` +
      ` from before where ${table}.${accountColumnOf(resource)} = ${statement.account} and ${table}.id = before.id` +
      (touch ? "" : ` and (${differs})`) +
      ` returning ${returned.join(", ")}`,
  );
  return [row, linkageColumns];
}

const expandCustom = (name: string, fields: unknown): string[] =>
  name === "custom-properties" && Array.isArray(fields)
    ? fields.map((field) => `custom-properties.${field}`)
    : [name];

/** Throws 404 if the caller cannot read the resource, and 403 if the caller cannot change it. */
export async function assertMayChange(context: CheckContext, resource: Resource, id: string) {
  const reach = reachTo(context.actor, resource, "update");
  if (reach !== "everything") await readForChange(context, resource, id, reach);
}

/** Reads a row without changing it. Throws if it is absent, forbidden to change, or has another version. */
async function readForChange(
  context: CheckContext,
  resource: Resource,
  id: string,
  reach: Reach,
  lock: "for no key update" | "" = "",
): Promise<{ id: string; row: Row }> {
  const statement = new StatementBuilder(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select ${columnsFor(statement, context, resource)}, (true${reachCondition(statement, resource, reach)}),` +
      ` (true${changeableCondition(resource)}) from ${resource.table}` +
      ` where ${ownRows(statement, resource, readReach(context.actor, resource))} and ${resource.table}.id = ${statement.bind(id)} ${lock}`,
  );
  if (!row) throw notFound();
  if (row[layoutOf(resource).width] !== true)
    throw forbidden("This person may read this resource, but not change it.");
  const { unchangeable } = resource;
  if (unchangeable && row[layoutOf(resource).width + 1] !== true)
    throw fail(unchangeable.code, unchangeable.detail);
  if (context.expectedVersion !== undefined && row[1] !== context.expectedVersion)
    throw staleVersion();
  return { id, row };
}

export const staleVersion = () =>
  fail("stale-version", "The resource has changed. Read it again and retry.", {
    header: "If-Match",
  });

/** Deletes a row. Foreign keys delete dependent rows or reject the deletion. */
export async function deleteRow(
  context: WriteContext,
  resource: Resource,
  id: string,
  reach = reachTo(context.actor, resource, "delete"),
): Promise<void> {
  if (changesRights(resource, membersOf(resource))) {
    await readForChange(context, resource, id, reach, "for no key update");
    await context.confirmation.now(context.db);
  }
  const statement = new StatementBuilder(context.actor.accountId);
  const expected = versionCondition(statement, context);
  const [row] = await statement.rows(
    context.db,
    `delete from ${resource.table} where ${ownRows(statement, resource, reach)} and ${resource.table}.id = ${statement.bind(id)}${changeableCondition(resource)}${expected} returning id`,
  );
  if (!row) {
    await readForChange(context, resource, id, reach);
    throw notFound();
  }
  if (resource.captures?.deleted)
    await capture(context.db, context.actor, {
      type: resource.captures.deleted,
      subject: { type: resource.type, id },
      snapshot: () => JSON.stringify({ type: resource.type, id }),
    });
}

/** Captures an event about a row that was written. */
export async function captureRow(
  context: WriteContext,
  resource: Resource,
  type: CapturedType,
  row: Row,
  changed?: readonly string[],
): Promise<void> {
  const shown = await asReadByAll(context, resource, row);
  // Only `*.updated` names the changes. The name of another event says what happened.
  const names = type.endsWith(".updated") ? changed : undefined;
  await capture(context.db, context.actor, {
    type,
    subject: { type: resource.type, id: row[ID] as string },
    ...(names && { changedFields: await visibleChanges(context, resource, names) }),
    snapshot: await snapshotter(context, resource, shown),
  });
}

/** The row with the columns of a reader of the whole account, if they differ from those of the caller. */
async function asReadByAll(context: WriteContext, resource: Resource, row: Row): Promise<Row> {
  if (layoutOf(resource).ofReader === undefined) return row;
  const [whole = row] = await wholeRows(context, resource, [row[ID] as string]);
  return whole;
}

const wholeRows = (
  { actor, db }: WriteContext,
  resource: Resource,
  ids: readonly string[],
): Promise<Row[]> => {
  const statement = new StatementBuilder(actor.accountId);
  return statement.rows(
    db,
    `select ${layoutOf(resource).columns} from ${resource.table}` +
      ` where ${resource.table}.account_id = ${statement.account} and ${resource.table}.id = any(${statement.bind(ids)}::uuid[])`,
  );
};

/** Captures one event for each of these rows, in the order of the ids, with the rows as they are now. */
export async function captureRows(
  context: WriteContext,
  type: string,
  event: CapturedType,
  ids: readonly string[],
  changed?: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const resource = definitionOf(context.catalogue, type);
  const rows = await wholeRows(context, resource, ids);
  const byId = new Map(rows.map((row) => [row[ID], row]));
  for (const id of ids) {
    const row = byId.get(id);
    if (row) await captureRow(context, resource, event, row, changed);
  }
}

/** The changed members that a snapshot shows. The name of a hidden member would reveal that it changed. */
async function visibleChanges(
  context: WriteContext,
  resource: Resource,
  changed: readonly string[],
) {
  const customFields = await customFieldsIn(context, resource);
  return changed.filter((name) => {
    const [, field] = name.split("custom-properties.");
    if (field !== undefined) return customFields?.isShownToAll(field);
    const { readableWith, withheld } = resource.attributes[name] ?? {};
    return readableWith === undefined && !withheld;
  });
}

/** A snapshot shows what every reader of the account may see, so it has no sensitive members or restricted fields. */
export async function snapshotter(
  context: ReadContext,
  resource: Resource,
  row: Row,
): Promise<() => string> {
  const customFields = await customFieldsIn(context, resource);
  const { actor, publicUrl } = context;
  const reader: Reader = { actor, publicUrl, customFields, audience: "everyone" };
  return () => writeResource(resource, row, reader);
}
