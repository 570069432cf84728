import type { FastifyReply, FastifyRequest } from "fastify";
import type { Resource } from "../definition/resource.ts";
import { checkAccept } from "../request/media-type.ts";
import { parseNoQuery, parsePublicListQuery, type RawQuery } from "../request/query.ts";
import { resolveId } from "../request/reach.ts";
import { readPage } from "../sql/list.ts";
import { readOne } from "../sql/read.ts";
import { documentOfOne, documentOfPage, urlOf } from "./documents.ts";
import {
  type Handler,
  idIn,
  type RequestContext,
  type RouteDependencies,
  sendOne,
} from "./steps.ts";

/** `GET /p/v1/cells` */
export const publicListRoute =
  (resource: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOfVisitor(dependencies, request, reply);
    const { actor, catalogue, publicUrl } = context;
    const query = parsePublicListQuery(catalogue, resource, request.query as RawQuery, actor);
    const page = await readPage(context, resource, query);
    const url = `${publicUrl}/v1/${resource.type}`;
    const body = await documentOfPage(context, resource, query, url, page);
    return sendCached(request, reply, resource, body);
  };

/** `GET /p/v1/cells/:id` */
export const publicReadRoute =
  (resource: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOfVisitor(dependencies, request, reply);
    const shape = parseNoQuery(context.catalogue, resource, request.query as RawQuery);
    const id = resolveId(resource, context.actor, idIn(request));
    const found = await readOne(context, resource, id, shape);
    const { body } = await documentOfOne(
      context,
      resource,
      found,
      shape,
      urlOf(context, resource, id),
    );
    return sendCached(request, reply, resource, body);
  };

/** 406, then 401 or 403 for the visitor. Links of the public area begin with `/p`. */
async function contextOfVisitor(
  { admitVisitor, catalogue, customFieldsOf, db, files, publicUrl }: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestContext> {
  checkAccept(request.headers.accept);
  const actor = await admitVisitor(request, reply);
  return {
    db: db.ofAccount(actor.accountId),
    catalogue,
    actor,
    publicUrl: `${publicUrl}/p`,
    files,
    customFieldsOf,
  };
}

function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  body: string,
) {
  reply.headers({ "Cache-Control": "public, max-age=300", "Vary": "Authorization, Origin" });
  return sendOne(request, reply, resource, { body, version: 0 });
}
