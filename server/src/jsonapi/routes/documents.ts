import type { ReadContext, Resource, WriteContext, Written } from "../definition/resource.ts";
import { extrasOf, ID } from "../definition/layout.ts";
import type { Found, Linkage, Row } from "../definition/rows.ts";
import { etagOf } from "../request/etag.ts";
import type { WriteResponse } from "../request/idempotency.ts";
import type { ListQuery } from "../request/list-query.ts";
import { mayCreate } from "../request/may-create.ts";
import type { Shape } from "../request/shape.ts";
import {
  type Reader,
  versionOf,
  type View,
  writeDocument,
  writeResource,
} from "../response/document.ts";
import { pageParts } from "../response/pages.ts";
import { loadIncluded } from "../sql/include.ts";
import type { PageOfRows } from "../sql/list.ts";
import { mayOf } from "../sql/may.ts";
import { customFieldsIn, readOne } from "../sql/read.ts";

/** Makes documents from the rows that were read, and loads included resources. */

/** The absolute address of a resource. */
export const urlOf = ({ publicUrl }: ReadContext, resource: Resource, id: string): string =>
  `${publicUrl}/v1/${resource.type}/${id}`;

export interface OneDocument {
  body: string;
  version: number;
}

export async function documentOfOne(
  context: ReadContext,
  resource: Resource,
  found: Found,
  shape: Shape,
  self: string,
): Promise<OneDocument> {
  const { extras, linkage, row } = found;
  const meta = shape.may && { may: await mayOf(context, resource, row[ID] as string) };
  const view = { extras, linkage, ...(meta && { meta }) };
  const { data, included } = await writeRows(context, resource, [row], shape, view);
  const body = writeDocument({ data: data[0] ?? "null", included, links: { self } });
  return { body, version: versionOf(row) };
}

export async function documentOfPage(
  context: ReadContext,
  resource: Resource,
  query: ListQuery,
  url: string,
  page: PageOfRows,
): Promise<string> {
  const { extras, rows } = page;
  const view = { extras, isOneOfSeveral: true };
  const { data, included } = await writeRows(context, resource, rows, query, view);
  const { links, meta } = pageParts(resource, query, url, page);
  const document = writeDocument({
    // `join` would copy the whole text once more.
    data: `[${data.length > 0 ? data.reduce((all, one) => `${all},${one}`) : ""}]`,
    included,
    meta: { ...meta, ...(query.may && { may: { create: mayCreate(context, resource) } }) },
    ...(links && { links }),
  });
  // The driver holds on to the array for a while. Emptying it frees the rows now (docs/decisions/0006).
  rows.length = 0;
  return document;
}

async function writeRows(
  context: ReadContext,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  view: View,
): Promise<{ data: string[]; included: string[] | undefined }> {
  const loaded = shape.include && (await loadIncluded(context, resource, rows, shape.include));
  const reader = await readerOf(context, resource);
  const fields = shape.fields.get(resource.type);
  const data = rows.map((row, position) => {
    const followed = loaded?.primary[position]?.linkage ?? new Map<string, Linkage>();
    const linkage = view.linkage ? new Map([...view.linkage, ...followed]) : followed;
    return writeResource(resource, row, reader, { ...view, fields, linkage });
  });
  if (!loaded) return { data, included: undefined };

  const included: string[] = [];
  for (const one of loaded.included) {
    const { linkage, row } = one;
    const shown = { fields: shape.fields.get(one.resource.type), linkage, isOneOfSeveral: true };
    included.push(writeResource(one.resource, row, await readerOf(context, one.resource), shown));
  }
  return { data, included };
}

export const readerOf = async (context: ReadContext, resource: Resource): Promise<Reader> => ({
  actor: context.actor,
  publicUrl: context.publicUrl,
  links: context.files.links,
  customFields: await customFieldsIn(context, resource),
});

/** Adds `data.meta`. The ETag of a resource does not depend on it. */
export function withMeta(body: string, meta: Record<string, unknown> | undefined): string {
  if (!meta) return body;
  const document = JSON.parse(body) as { data: { meta?: object } };
  const all = { ...document.data.meta, ...meta };
  return JSON.stringify({ ...document, data: { ...document.data, meta: all } });
}

/** Says in the `meta` of a document that a log-in ended with the write. */
export function withEndedLogin({ body, ...answer }: WriteResponse): WriteResponse {
  if (!body) return { ...answer, body };
  const document = JSON.parse(body) as { meta?: object };
  return {
    ...answer,
    body: JSON.stringify({ ...document, meta: { ...document.meta, "log-in-ended": true } }),
  };
}

/** The answer to a write, with the resource as it is now. */
export async function answerWritten(
  context: ReadContext,
  resource: Resource,
  written: Written,
  shape: Shape,
  status: number,
): Promise<WriteResponse> {
  const { id, meta, reveals } = written;
  const extras = extrasOf(resource, shape.fields.get(resource.type), "one");
  // An update returns the row it wrote. A second read is needed only for what that row does not have.
  const found =
    written.found && extras.length === 0
      ? written.found
      : await readOne(context, resource, id, shape);
  const self = urlOf(context, resource, id);
  const { body, version } = await documentOfOne(context, resource, found, shape, self);
  const headers = { ETag: etagOf(resource, version, body) };
  return { status, headers, body: withMeta(body, meta), ...(reveals && { reveals }) };
}

/** Like `answerWritten`, with the `Location` of the new resource. */
export async function answerCreated(
  context: WriteContext,
  resource: Resource,
  written: Written,
  shape: Shape,
  status = 201,
): Promise<WriteResponse> {
  const answer = await answerWritten(context, resource, written, shape, status);
  const headers = { ...answer.headers, Location: urlOf(context, resource, written.id) };
  return { ...answer, headers };
}
