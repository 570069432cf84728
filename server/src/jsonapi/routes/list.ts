import type { Resource } from "../definition/resource.ts";
import { parseListQuery, type RawQuery } from "../request/query.ts";
import { readPage, type Restriction } from "../sql/list.ts";
import { customFieldsIn } from "../sql/read.ts";
import { documentOfPage } from "./documents.ts";
import {
  contextOf,
  type Handler,
  type RequestContext,
  type RouteDependencies,
  send,
} from "./steps.ts";

/** `GET /v1/courses` */
export const listRoute =
  (of: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, of, request);
    const list = await listDocument(
      context,
      of,
      request.query as RawQuery,
      `${context.publicUrl}/v1/${of.type}`,
    );
    return send(reply, list);
  };

/** Lists and related lists understand the same parameters. */
export async function listDocument(
  context: RequestContext,
  of: Resource,
  raw: RawQuery,
  path: string,
  restrict?: Restriction,
): Promise<string> {
  const query = parseListQuery(context.catalogue, of, raw, {
    actor: context.actor,
    customFields: await customFieldsIn(context, of),
  });
  const page = await readPage(context, of, query, restrict);
  return documentOfPage(context, of, query, path, page);
}
