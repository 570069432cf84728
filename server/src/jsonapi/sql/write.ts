import type { Reach } from "../../access/policy.ts";
import { fail, forbidden, notFound } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { capture } from "../../events/capture.ts";
import type { Attribute } from "../definition/attributes.ts";
import { layoutOf } from "../definition/layout.ts";
import type { ToMany } from "../definition/relationships.ts";
import {
  columnOf,
  type ReadContext,
  type Resource,
  type ResourceInput,
  tenantOf,
  type WriteContext,
  type Written,
} from "../definition/resource.ts";
import type { Row } from "../definition/rows.ts";
import { reachTo, readReach } from "../request/reach.ts";
import { type Reader, writeResource } from "../response/document.ts";
import { type Look, linkageIn, linkageLooks } from "./linkage.ts";
import { addLinks, type LinkChange, linkChanges, replacing } from "./links.ts";
import { customFieldsIn } from "./read.ts";
import { ownRows, reachCondition } from "./select.ts";
import { Statement } from "./statement.ts";

/** Before the transaction there may be no version to expect. */
type Looking = ReadContext & Partial<Pick<WriteContext, "expectedVersion">>;

const casts: Record<Attribute["storage"], string> = {
  text: "::text",
  number: "::bigint",
  boolean: "::boolean",
  timestamp: "::timestamptz",
  date: "::date",
  // As text first: the driver would take a JavaScript array for one of PostgreSQL's.
  json: "::text::jsonb",
  texts: "::text[]",
  uuids: "::uuid[]",
};

interface Assignment {
  /** The member of the document it came from, for `changed-fields`. */
  member: string;
  column: string;
  value: unknown;
  cast: string;
}

/** In `ExtraColumns` of a new row: whoever makes it. */
export const AUTHOR = "author";

/** Columns that are no attributes, and the SQL they are set to: constants of the code, never a caller's words. */
export type ExtraColumns = Readonly<Record<string, string>>;

function assignmentsOf(of: Resource, input: ResourceInput): Assignment[] {
  const assignments: Assignment[] = [];
  for (const [name, value] of input.attributes) {
    const attribute = of.attributes[name];
    if (attribute)
      assignments.push({
        member: name,
        column: columnOf(name, attribute),
        value,
        cast: casts[attribute.storage],
      });
  }
  for (const [name, value] of input.toOne) {
    const relationship = of.relationships[name];
    if (relationship?.kind === "to-one")
      assignments.push({ member: name, column: relationship.column, value, cast: "::uuid" });
  }
  return assignments;
}

const versionCondition = (statement: Statement, { expectedVersion }: WriteContext): string =>
  expectedVersion === undefined ? "" : ` and version = ${statement.bind(expectedVersion)}`;

/** Inserts a row and its joining rows, and tells the event. */
export async function insertRow(
  context: WriteContext,
  of: Resource,
  input: ResourceInput,
  extra: ExtraColumns = {},
): Promise<Written> {
  const id = newId();
  const statement = new Statement(context.actor.accountId);
  statement.prepared = input.attributes.size <= 1;
  const author = `${statement.bind(context.actor.personId)}::uuid`;
  const columns = [tenantOf(of), "id", "created_by", "modified_by"];
  const values = [statement.account, `${statement.bind(id)}::uuid`, author, author];
  for (const { column, value, cast } of assignmentsOf(of, input)) {
    columns.push(`"${column}"`);
    values.push(`${statement.bind(bindable(value, cast))}${cast}`);
  }
  for (const [column, sql] of Object.entries(extra)) {
    columns.push(`"${column}"`);
    values.push(sql === AUTHOR ? author : sql);
  }
  const [row] = await statement.rows(
    context.db,
    `insert into ${of.table} (${columns.join(", ")}) values (${values.join(", ")}) returning ${layoutOf(of).columns}`,
  );
  for (const change of replacing(input))
    await addLinks(context, of.relationships[change.name] as ToMany, id, change);
  if (of.captures?.created && row)
    await capture(context.db, context.actor, {
      type: of.captures.created,
      subject: { type: of.type, id },
      snapshot: await snapshotter(context, of, row),
    });
  return { id };
}

const bindable = (value: unknown, cast: string): unknown =>
  cast === casts.json && value !== null ? JSON.stringify(value) : value;

export interface Updated extends Written {
  /** What differs from before, in the words of `changed-fields`. Empty: nothing was written. */
  changed: readonly string[];
  row: Row;
}

/**
 * Changes what differs, in one statement that also says what that was. A change to what is already so writes nothing:
 * the version stays, and there is no event.
 *
 * Rows are locked `for no key update`, here and elsewhere: others may refer to them meanwhile. Two people who change each
 * other's record, each referring to who changed it, would otherwise wait in a circle.
 */
export async function updateRow(
  context: WriteContext,
  of: Resource,
  id: string,
  input: ResourceInput,
  extra: ExtraColumns = {},
  links: readonly LinkChange[] = replacing(input),
): Promise<Updated> {
  const reach = reachTo(context.actor, of, "update");
  // Links are not the row: if it were not locked, two writers could each keep half of what they sent.
  if (links.length > 0) await unchanged(context, of, id, reach, "for no key update");
  const linksChanged: string[] = [];
  for (const link of links) {
    const relationship = of.relationships[link.name] as ToMany;
    if (await linkChanges[link.how](context, relationship, id, link)) linksChanged.push(link.name);
  }

  const change = { assignments: assignmentsOf(of, input), extra, touch: linksChanged.length > 0 };
  const [row, looks] = await runUpdate(context, of, id, change, reach);
  if (!row) return { ...(await unchanged(context, of, id, reach)), changed: [] };

  const { width } = layoutOf(of);
  const changed = [
    ...(row[width] as string[]).flatMap((name) => expandCustom(name, row[width + 1])),
    ...linksChanged,
  ];
  if (of.captures?.updated && changed.length > 0)
    await capture(context.db, context.actor, {
      type: of.captures.updated,
      subject: { type: of.type, id },
      changedFields: await toldOf(context, of, changed),
      snapshot: await snapshotter(context, of, row),
    });
  const linkage = await linkageIn(context, of, row, looks, width + 2);
  return { id, row, found: { row, linkage, extras: [] }, changed };
}

interface Change {
  assignments: readonly Assignment[];
  extra: ExtraColumns;
  touch: boolean;
}

async function runUpdate(
  context: WriteContext,
  of: Resource,
  id: string,
  { assignments, extra, touch }: Change,
  reach: Reach,
): Promise<[row: Row | undefined, looks: readonly Look[]]> {
  const statement = new Statement(context.actor.accountId, id);
  statement.prepared = assignments.length <= 1;
  const { table } = of;
  const tenant = tenantOf(of);
  const sets: string[] = [];
  const befores: string[] = [];
  const differences: string[] = [];
  const names: string[] = [];
  let custom = "null::text[]";
  for (const { member, column, value, cast } of assignments) {
    const given = `${statement.bind(bindable(value, cast))}${cast}`;
    // A church's own fields are changed one by one: those that are not named keep their values.
    const next =
      of.customProperties && member === "custom-properties"
        ? `jsonb_strip_nulls(${table}.custom_properties || ${given})`
        : given;
    befores.push(`"${column}" as "${column}"`);
    sets.push(`"${column}" = ${next}`);
    differences.push(
      `before."${column}" is distinct from ${next.replaceAll(`${table}.custom`, "before.custom")}`,
    );
    if (member)
      names.push(
        `case when before."${column}" is distinct from ${table}."${column}" then '${member}' end`,
      );
    if (of.customProperties && member === "custom-properties")
      custom =
        `(select array_agg(key) from jsonb_each(${given}) as field(key, value)` +
        ` where before.custom_properties -> key is distinct from ${table}.custom_properties -> key)`;
  }
  if (sets.length === 0 && !touch) return [undefined, []];
  const expected = versionCondition(statement, context);
  const before =
    `select id${befores.map((one) => `, ${one}`).join("")} from ${table}` +
    ` where ${ownRows(statement, of, reach)} and id = ${statement.id}${expected} for no key update`;
  const looks = linkageLooks(context, statement, of);
  const changes = [
    ...sets,
    ...Object.entries(extra).map(([column, sql]) => `"${column}" = ${sql}`),
    `version = ${table}.version + 1`,
    "modified_at = now()",
    `modified_by = ${statement.bind(context.actor.personId)}`,
  ];
  const [row] = await statement.rows(
    context.db,
    `with before as (${before}) update ${table} set ${changes.join(", ")}` +
      ` from before where ${table}.${tenant} = ${statement.account} and ${table}.id = before.id` +
      (touch || differences.length === 0 ? "" : ` and (${differences.join(" or ")})`) +
      ` returning ${layoutOf(of).columns}, array_remove(array[${names.join(", ")}]::text[], null), ${custom}${looks.map(({ column }) => `, ${column}`).join("")}`,
  );
  return [row, looks];
}

const expandCustom = (name: string, fields: unknown): string[] =>
  name === "custom-properties" && Array.isArray(fields)
    ? fields.map((field) => `custom-properties.${field}`)
    : [name];

/** Before anything is told about a row: 404 for who may not know of it, 403 for who may not change it. */
export async function assertMayChange(context: Looking, of: Resource, id: string) {
  const reach = reachTo(context.actor, of, "update");
  if (reach !== "everything") await unchanged(context, of, id, reach);
}

/** A row that is not changed, or not yet. Says so where it is not there, not the caller's to change, or not as it was. */
async function unchanged(
  context: Looking,
  of: Resource,
  id: string,
  reach: Reach,
  lock: "for no key update" | "" = "",
): Promise<{ id: string; row: Row }> {
  const statement = new Statement(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select ${layoutOf(of).columns}, (true${reachCondition(statement, of, reach)}) from ${of.table}` +
      ` where ${ownRows(statement, of, readReach(context.actor, of))} and ${of.table}.id = ${statement.bind(id)} ${lock}`,
  );
  if (!row) throw notFound();
  if (row[layoutOf(of).width] !== true)
    throw forbidden("This person may read this resource, but not change it.");
  if (context.expectedVersion !== undefined && row[1] !== context.expectedVersion)
    throw staleVersion();
  return { id, row };
}

export const staleVersion = () =>
  fail("stale-version", "The resource has changed. Read it again before retrying.", {
    header: "If-Match",
  });

/** Deletes a row; what hangs on it goes by the database's own rules. */
export async function deleteRow(context: WriteContext, of: Resource, id: string): Promise<void> {
  const reach = reachTo(context.actor, of, "delete");
  const statement = new Statement(context.actor.accountId);
  const expected = versionCondition(statement, context);
  const [row] = await statement.rows(
    context.db,
    `delete from ${of.table} where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.bind(id)}${expected} returning id`,
  );
  if (!row) {
    await unchanged(context, of, id, reach);
    throw notFound();
  }
  if (of.captures?.deleted)
    await capture(context.db, context.actor, {
      type: of.captures.deleted,
      subject: { type: of.type, id },
      snapshot: () => JSON.stringify({ type: of.type, id }),
    });
}

/** Of what changed, the names of what a snapshot shows: that something about somebody changed tells of it, too. */
async function toldOf(context: WriteContext, of: Resource, changed: readonly string[]) {
  const customFields = await customFieldsIn(context, of);
  return changed.filter((name) => {
    const [, field] = name.split("custom-properties.");
    if (field !== undefined) return customFields?.isShownToAll(field);
    return of.attributes[name]?.readableWith === undefined;
  });
}

/** A snapshot shows what any reader of the whole church sees: no sensitive member, no field kept from them. */
export async function snapshotter(
  context: ReadContext,
  of: Resource,
  row: Row,
): Promise<() => string> {
  const customFields = await customFieldsIn(context, of);
  const { actor, publicUrl } = context;
  const reader: Reader = { actor, publicUrl, customFields, audience: "everyone" };
  return () => writeResource(of, row, reader);
}
