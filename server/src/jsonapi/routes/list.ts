import { computedListOf } from "../definition/operations.ts";
import type { ComputedList, Resource } from "../definition/resource.ts";
import { type ListQuery, parseListQuery } from "../request/list-query.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { type PageOfRows, readPage, type Restriction } from "../sql/list.ts";
import { ownRows } from "../request/reach-conditions.ts";
import { reachFor } from "../request/reach.ts";
import { customFieldsIn } from "../sql/read.ts";
import { documentOfPage } from "./documents.ts";
import {
  contextOf,
  forbidStoring,
  type Handler,
  type RequestContext,
  type RouteDependencies,
  send,
} from "./steps.ts";

/** `GET /v1/courses` */
export const listRoute =
  (resource: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, resource, request);
    const list = await listDocument(
      context,
      resource,
      request.query as RawQuery,
      `${context.publicUrl}/v1/${resource.type}`,
    );
    forbidStoring(reply, context, resource, request.query as RawQuery);
    return send(reply, list);
  };

/** Lists and related lists understand the same parameters. */
export async function listDocument(
  context: RequestContext,
  resource: Resource,
  raw: RawQuery,
  path: string,
  restrict?: Restriction,
): Promise<string> {
  const reader = {
    actor: context.actor,
    customFields: await customFieldsIn(context, resource),
  };
  const isRelated = restrict !== undefined;
  const query = parseListQuery(context.catalogue, resource, raw, reader, { isRelated });
  const computed = computedListOf(resource);
  const page = computed
    ? await computedPage(context, resource, computed, query)
    : await readPage(context, resource, query, restrict);
  return documentOfPage(context, resource, query, path, page);
}

async function computedPage(
  context: RequestContext,
  resource: Resource,
  { run }: ComputedList,
  { linkParameters, conditions, page, sort }: ListQuery,
): Promise<PageOfRows> {
  const reach = reachFor(context.actor, resource, "list");
  const given = linkParameters.flatMap(([name, value]) => {
    const [, filter] = /^filter\[(.+)\]$/.exec(name) ?? [];
    return filter === undefined ? [] : [[filter, value] as const];
  });
  const number = page.kind === "number" ? page.number : 1;
  const { rows, total } = await run(context, {
    where: (statement) =>
      ownRows(statement, resource, reach) +
      conditions.map((condition) => ` and (${condition(statement)})`).join(""),
    filters: new Map(given),
    descending: sort[0]?.descending ?? false,
    limit: page.size,
    offset: (number - 1) * page.size,
  });
  return { rows, total, extras: [], more: false };
}
