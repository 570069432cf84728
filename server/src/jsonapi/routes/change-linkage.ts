import { ApiError, forbidden, type Problem } from "../../base/errors.ts";
import type { ResourceInput } from "../definition/input.ts";
import { placesOf } from "../definition/members.ts";
import type { Relationship } from "../definition/relationships.ts";
import type { Operations, Resource, WriteContext } from "../definition/resource.ts";
import { mayLink, parseEnvelope, parseLinkage } from "../request/input.ts";
import { resolveId } from "../request/reach.ts";
import { parseNoQuery } from "../request/shape.ts";
import { constraintError } from "../sql/constraint.ts";
import type { LinkChange } from "../sql/write-linkage.ts";
import { updateRow } from "../sql/write.ts";
import {
  accessFirst,
  assertLinkable,
  assertMayLink,
  assertPlace,
  changeRules,
} from "./change-steps.ts";
import { linkageDocument } from "./linkage.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { unshaped, write } from "./write-steps.ts";

interface Link {
  resource: Resource;
  update: NonNullable<Operations["update"]>;
  name: string;
  relationship: Relationship;
  how: LinkChange["how"];
}

/** `POST`, `PATCH` and `DELETE` of `/v1/courses/:id/relationships/teachers` */
export const linkRoute = (link: Link, dependencies: RouteDependencies): Handler => {
  const { how, name, resource, relationship, update } = link;
  const options = how === "remove" ? unshaped : { parseQuery: parseNoQuery };
  return write(
    resource,
    dependencies,
    { ...options, isLinkage: true },
    {
      plan: async (context, { document, id: named }) => {
        const id = resolveId(resource, context.actor, named, "update");
        const rules = await changeRules(context, resource, update, id);
        const ids = await accessFirst(context, resource, id, async () => {
          if (!mayLink(relationship, rules)) throw forbidden(`This person may not change ${name}.`);
          await assertMayLink(context, resource, id, [name], () => "/data");
          const given = parseIds(relationship, how, document);
          const to = given[0] ?? null;
          if (placesOf(resource).includes(name))
            await assertPlace(context, resource, update, { name, id: to });
          if (relationship.kind === "to-one")
            await assertLinkable(context, resource, { toOne: { [name]: to } }, () => "/data");
          return given;
        });
        return { id, ids };
      },
      act: async (context, { id, ids }) => {
        await changeLinks(context, link, id, ids).catch((error: unknown) => {
          throw pointingAtData(name, constraintError(context, resource, error) ?? error);
        });
        return id;
      },
      respond: async (context, id) => {
        const body = await linkageDocument(context, resource, id, name, relationship);
        return { status: 200, headers: {}, body };
      },
    },
  );
};

/** The linkage is the whole document here, so errors about it point at `/data`. */
function pointingAtData(name: string, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const linkage = `/data/relationships/${name}/data`;
  const problems = error.problems.map((one) =>
    one.source && "pointer" in one.source && `${one.source.pointer}/`.startsWith(`${linkage}/`)
      ? { ...one, source: { pointer: one.source.pointer.replace(linkage, "/data") } }
      : one,
  );
  return new ApiError(problems, error.headers);
}

function parseIds(relationship: Relationship, how: LinkChange["how"], body: unknown): string[] {
  const problems: Problem[] = [];
  const malformedIds: Problem[] = [];
  const data = parseEnvelope(body, problems);
  const ids = parseLinkage(relationship, data, "/data", problems, malformedIds);
  // A removal looks up no ids, so malformed ones are reported here.
  if (problems.length > 0 || how === "remove") problems.push(...malformedIds);
  if (problems.length > 0) throw new ApiError(problems);
  return ids;
}

async function changeLinks(
  context: WriteContext,
  { how, name, resource, relationship, update }: Link,
  id: string,
  ids: readonly string[],
): Promise<unknown> {
  const none: ResourceInput = { attributes: {}, toOne: {}, toMany: {} };
  if (relationship.kind === "to-many")
    return updateRow(
      context,
      resource,
      id,
      none,
      {},
      { links: [{ name, how, ids, pointer: "/data" }] },
    );
  const input = { ...none, toOne: { [name]: ids[0] ?? null } };
  return "run" in update ? update.run(context, id, input) : updateRow(context, resource, id, input);
}
