import { linkedBy, shows } from "../definition/layout.ts";
import { notFound } from "../../base/errors.ts";
import type { Relationship } from "../definition/relationships.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { resolveId } from "../request/reach.ts";
import { parseNoQuery, wholeShape } from "../request/shape.ts";
import { identifier, identifiers, writeDocument } from "../response/document.ts";
import { linkedIds } from "../sql/linkage.ts";
import { readOne } from "../sql/read.ts";
import { urlOf } from "./documents.ts";
import { contextOf, type Handler, idIn, type RouteDependencies, send } from "./steps.ts";

/** `GET /v1/courses/:id/relationships/teachers` */
export const linkageRoute =
  (
    resource: Resource,
    name: string,
    relationship: Relationship,
    dependencies: RouteDependencies,
  ): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, resource, request);
    parseNoQuery(context.catalogue, resource, request.query as RawQuery);
    const id = resolveId(resource, context.actor, idIn(request));
    return send(reply, await linkageDocument(context, resource, id, name, relationship));
  };

export async function linkageDocument(
  context: ReadContext,
  resource: Resource,
  id: string,
  name: string,
  relationship: Relationship,
): Promise<string> {
  const url = urlOf(context, resource, id);
  const links = { self: `${url}/relationships/${name}`, related: `${url}/${name}` };
  const found = await readOne(context, resource, id, wholeShape);
  if (!shows(resource, found.row, name)) throw notFound();
  if (relationship.kind === "to-one") {
    const { id: to, type = relationship.target } = linkedBy(resource, found.row, name);
    const data = to === null ? "null" : identifier(type, to);
    return writeDocument({ data, links });
  }
  const linkage = found.linkage.get(name) ?? [];
  const tooMany = "total" in linkage;
  const ids = tooMany ? await linkedIds(context, id, relationship) : linkage;
  const meta = { total: tooMany ? linkage.total : linkage.length };
  return writeDocument({ data: identifiers(relationship.target, ids), meta, links });
}
