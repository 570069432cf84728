import { type ComputedList, computedListOf, type Resource } from "../definition/resource.ts";
import { type ListQuery, parseListQuery, type RawQuery } from "../request/query.ts";
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
  (of: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, of, request);
    const list = await listDocument(
      context,
      of,
      request.query as RawQuery,
      `${context.publicUrl}/v1/${of.type}`,
    );
    forbidStoring(reply, context, of, request.query as RawQuery);
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
  const computed = computedListOf(of);
  const page = computed
    ? await computedPage(context, of, computed, query)
    : await readPage(context, of, query, restrict);
  return documentOfPage(context, of, query, path, page);
}

async function computedPage(
  context: RequestContext,
  of: Resource,
  { run }: ComputedList,
  { carried, conditions, page, sort }: ListQuery,
): Promise<PageOfRows> {
  const reach = reachFor(context.actor, of, "list");
  const given = carried.flatMap(([name, value]) => {
    const [, filter] = /^filter\[(.+)\]$/.exec(name) ?? [];
    return filter === undefined ? [] : [[filter, value] as const];
  });
  const number = page.kind === "number" ? page.number : 1;
  const { rows, total } = await run(context, {
    where: (statement) =>
      ownRows(statement, of, reach) +
      conditions.map((condition) => ` and (${condition(statement)})`).join(""),
    filters: new Map(given),
    descending: sort[0]?.descending ?? false,
    limit: page.size,
    offset: (number - 1) * page.size,
  });
  return { rows, total, extras: [], more: false };
}
