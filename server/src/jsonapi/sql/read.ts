import type { Actor } from "../../access/actor.ts";
import { type Policy, type Reach, reachesNothing, reachOf } from "../../access/policy.ts";
import { forbidden, notFound } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { Queryable } from "../../store/db.ts";
import type { CustomFields } from "../definition/custom-fields.ts";
import {
  type Linkage,
  type Reader,
  versionOf,
  writeDocument,
  writeResource,
} from "../response/document.ts";
import { Included } from "./include.ts";
import { linkageIn, linkageLooks } from "../response/linkage.ts";
import type { Shape } from "../request/query.ts";
import { type Catalogue, meant, policyOf, type Resource } from "../definition/resource.ts";
import { extrasOf, layoutOf, ownRows, placed } from "./select.ts";
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

/** The fields the church defined for a type, if it can. */
export const customFieldsIn = async (context: ReadContext, of: Resource) =>
  of.customProperties ? context.customFieldsOf(context.db, context.actor, of) : undefined;

const readerOf =
  (context: ReadContext) =>
  async (of: Resource): Promise<Reader> => ({
    actor: context.actor,
    customFields: await customFieldsIn(context, of),
  });

/** The words for an id that mean the caller, and the ids that cannot exist: as absent as others, to whoever may do it to some. */
export function resolveId(
  of: Resource,
  actor: Actor,
  id: string,
  verb: "read" | "update" = "read",
): string {
  const own = meant(of, actor, id);
  if (isId(own)) return own;
  const operation = of.operations[verb];
  if (operation) allowedReach(actor, of, operation, verb === "read" ? verb : "change");
  throw notFound();
}

/** How far a list or a read carries; whoever reaches nothing of a type is told so instead of shown an empty list. */
export function reachFor(actor: Actor, of: Resource, operation: "list" | "read"): Reach {
  const policy = of.operations[operation];
  if (!policy) throw notFound();
  return allowedReach(actor, of, policy, "read");
}

/** Whether an operation is allowed at all; how far, where it is not the whole church. */
export function allowedReach(
  actor: Actor,
  of: Pick<Resource, "type" | "scopes">,
  operation: { allow: Policy } | Policy,
  verb: string,
): Reach {
  const reach = reachOf(actor, policyOf(operation), of.scopes ?? {});
  if (reachesNothing(reach)) throw forbidden(`This person may not ${verb} ${of.type}.`);
  return reach;
}

export async function readOne(
  context: ReadContext,
  of: Resource,
  id: string,
  shape: Shape,
): Promise<OneAnswer> {
  const found = await findOne(context, of, id, shape);
  if (!found) throw notFound();
  return writeFound(context, of, id, found, shape);
}

/** The document of a resource that has been read already. */
export async function writeFound(
  context: ReadContext,
  of: Resource,
  id: string,
  found: FoundOne,
  shape: Shape,
): Promise<OneAnswer> {
  const parts = await partsOf(context, of, found, shape);
  const links = { self: `/v1/${of.type}/${id}` };
  return { body: writeDocument({ ...parts, links }), version: versionOf(found.row) };
}

/** A resource that has been read and what is included with it, as a document has them. */
export async function partsOf(context: ReadContext, of: Resource, found: FoundOne, shape: Shape) {
  const { extras, linkage, row } = found;
  const { data, included } = await writeWithIncluded(context, of, [row], shape, [linkage], extras);
  return { data: data[0] ?? "null", included };
}

export interface FoundOne {
  row: Row;
  linkage: Map<string, Linkage>;
  extras: ReturnType<typeof placed>;
}

/** Reads one resource with the linkage of its relationships. */
export async function findOne(
  context: ReadContext,
  of: Resource,
  id: string,
  shape: Shape,
): Promise<FoundOne | undefined> {
  const { actor, db } = context;
  const reach = reachFor(actor, of, "read");
  const statement = new Statement(actor.accountId, id);
  const extras = extrasOf(of, shape.fields.get(of.type), "one");
  const looks = linkageLooks(context, statement, of);
  const more = [...looks.map(({ column }) => column), ...extras.map((extra) => extra.expression)];
  const [row] = await statement.rows(
    db,
    `select ${[layoutOf(of).columns, ...more].join(", ")} from ${of.table}` +
      ` where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.id}`,
  );
  if (!row) return undefined;

  const { width } = layoutOf(of);
  const linkage = await linkageIn(context, of, row, looks, width);
  return { row, linkage, extras: placed(extras, width + looks.length) };
}

export async function writeWithIncluded(
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

/** 404 unless the caller may know that it exists. */
export async function assertReadable(context: ReadContext, of: Resource, id: string) {
  if (!(await isReadable(context, of, id))) throw notFound();
}

export async function isReadable(context: ReadContext, of: Resource, id: string): Promise<boolean> {
  const reach = reachFor(context.actor, of, "read");
  const statement = new Statement(context.actor.accountId);
  const [row] = await statement.rows(
    context.db,
    `select 1 from ${of.table} where ${ownRows(statement, of, reach)} and ${of.table}.id = ${statement.bind(id)}`,
  );
  return row !== undefined;
}
