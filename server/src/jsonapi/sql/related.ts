import { reachesNothing } from "../../access/policy.ts";
import { notFound } from "../../base/errors.ts";
import { identifier, identifiers, versionOf, writeDocument } from "../response/document.ts";
import { linkedIds, relatedTo } from "../response/linkage.ts";
import type { ListSource } from "./list.ts";
import { type Shape, wholeShape } from "../request/query.ts";
import { assertReadable, findOne, type OneAnswer, partsOf, type ReadContext } from "./read.ts";
import { type Resource, type ToMany, type ToOne, targetOf } from "../definition/resource.ts";
import { layoutOf, readReach } from "./select.ts";

/** `GET /v1/courses/:id/relationships/teachers` */
export async function readLinkage(context: ReadContext, of: Resource, id: string, name: string) {
  const relationship = of.relationships[name];
  if (!relationship) throw notFound();
  const path = `/v1/${of.type}/${id}`;
  const links = { self: `${path}/relationships/${name}`, related: `${path}/${name}` };
  const found = await findOne(context, of, id, wholeShape);
  if (!found) throw notFound();
  if (relationship.kind === "to-one") {
    const to = found.row[layoutOf(of).toOne.get(name) ?? -1] as string | null;
    const data = to === null ? "null" : identifier(relationship.target, to);
    return writeDocument({ data, links });
  }
  const linkage = found.linkage.get(name) ?? [];
  const tooMany = "total" in linkage;
  const ids = tooMany ? await linkedIds(context, id, relationship) : linkage;
  const meta = { total: tooMany ? linkage.total : linkage.length };
  return writeDocument({ data: identifiers(relationship.target, ids), meta, links });
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
  return { path: `/v1/${of.type}/${id}/${name}`, restrict: relatedTo(id, relationship) };
}

/** `GET /v1/courses/:id/created-by`: the one resource, or null. */
export async function readRelatedOne(
  context: ReadContext,
  of: Resource,
  id: string,
  name: string,
  relationship: ToOne,
  shape: Shape,
): Promise<OneAnswer> {
  const found = await findOne(context, of, id, wholeShape);
  if (!found) throw notFound();
  const links = { self: `/v1/${of.type}/${id}/${name}` };
  const to = found.row[layoutOf(of).toOne.get(name) ?? -1] as string | null;
  const target = targetOf(context.catalogue, relationship);
  const shown = to !== null && !reachesNothing(readReach(context.actor, target));
  const related = shown && (await findOne(context, target, to, shape));
  if (!related) return { body: writeDocument({ data: "null", links }), version: 0 };
  const parts = await partsOf(context, target, related, shape);
  return { body: writeDocument({ ...parts, links }), version: versionOf(related.row) };
}
