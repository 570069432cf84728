import { reachesNothing } from "../../access/reach.ts";
import { notFound } from "../../base/errors.ts";
import { linkedBy, shows } from "../definition/layout.ts";
import type { Relationship } from "../definition/relationships.ts";
import type { Resource } from "../definition/resource.ts";
import { definitionOf, targetOf } from "../definition/targets.ts";
import { reachCondition } from "../request/reach-conditions.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { reachOfLinks, readReach, resolveId } from "../request/reach.ts";
import { parseShapeOfOne, wholeShape } from "../request/shape.ts";
import { writeDocument } from "../response/document.ts";
import { relatedTo } from "../sql/linkage.ts";
import type { Restriction } from "../sql/list.ts";
import { assertReadable, findOne, readOne } from "../sql/read.ts";
import { documentOfOne, type OneDocument, urlOf } from "./documents.ts";
import { listDocument } from "./list.ts";
import {
  contextOf,
  forbidStoring,
  type Handler,
  idIn,
  type RequestContext,
  type RouteDependencies,
  send,
  sendOne,
} from "./steps.ts";

/** `GET /v1/courses/:id/teachers` is a list, `GET /v1/courses/:id/created-by` one resource or null. */
export const relatedRoute =
  (
    resource: Resource,
    name: string,
    relationship: Relationship,
    dependencies: RouteDependencies,
  ): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, resource, request);
    const id = resolveId(resource, context.actor, idIn(request));
    const url = `${urlOf(context, resource, id)}/${name}`;
    const query = request.query as RawQuery;
    if (relationship.kind === "to-many") {
      const target = targetOf(context.catalogue, relationship);
      if (resource.reduced) await assertShown(context, resource, id, name);
      else await assertReadable(context, resource, id);
      const reach = reachOfLinks(context.actor, target, relationship);
      const related = relatedTo(id, relationship);
      const restrict: Restriction = (statement) =>
        related(statement) + (relationship.tells ? reachCondition(statement, target, reach) : "");
      const list = await listDocument(context, target, query, url, restrict);
      forbidStoring(reply, context, target, query);
      return send(reply, list);
    }
    const row = await assertShown(context, resource, id, name);
    const linked = linkedBy(resource, row, name);
    const target = definitionOf(context.catalogue, linked.type ?? relationship.target);
    const one = await relatedOne(context, target, linked.id, { query, url });
    forbidStoring(reply, context, target, query);
    return sendOne(request, reply, target, one);
  };

async function relatedOne(
  context: RequestContext,
  target: Resource,
  id: string | null,
  { query, url }: { query: RawQuery; url: string },
): Promise<OneDocument> {
  const shape = parseShapeOfOne(context.catalogue, target, query);
  const shown = id !== null && !reachesNothing(readReach(context.actor, target));
  const found = shown && (await findOne(context, target, id, shape));
  if (!found) return { body: writeDocument({ data: "null", links: { self: url } }), version: 0 };
  return documentOfOne(context, target, found, shape, url);
}

/** Throws 404 if the caller cannot read the resource, or not this relationship. */
async function assertShown(context: RequestContext, resource: Resource, id: string, name: string) {
  const { row } = await readOne(context, resource, id, wholeShape);
  if (!shows(resource, row, name)) throw notFound();
  return row;
}
