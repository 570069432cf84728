import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import type { Resource } from "../definition/resource.ts";
import { parsePublicListQuery } from "../request/list-query.ts";
import { checkAccept } from "../request/media-type.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { resolveId } from "../request/reach.ts";
import { parseNoQuery } from "../request/shape.ts";
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
    const body = await publicList(context, resource, request.query as RawQuery);
    return sendCached(request, reply, resource, body);
  };

/** The document of a list as visitors read it. */
export async function publicList(
  context: RequestContext,
  resource: Resource,
  raw: RawQuery,
): Promise<string> {
  const { actor, catalogue, publicUrl } = context;
  const query = parsePublicListQuery(catalogue, resource, raw, actor);
  const page = await readPage(context, resource, query);
  return documentOfPage(context, resource, query, `${publicUrl}/v1/${resource.type}`, page);
}

/** `GET /p/v1/cells/:id` */
export const publicReadRoute =
  (resource: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOfVisitor(dependencies, request, reply);
    const body = await publicDocument(context, resource, idIn(request), request.query as RawQuery);
    return sendCached(request, reply, resource, body);
  };

/** The document of one resource as visitors read it. Throws 404 if they cannot. */
export async function publicDocument(
  context: RequestContext,
  resource: Resource,
  givenId: string,
  raw: RawQuery = {},
): Promise<string> {
  const shape = parseNoQuery(context.catalogue, resource, raw);
  const id = resolveId(resource, context.actor, givenId);
  const found = await readOne(context, resource, id, shape);
  const self = urlOf(context, resource, id);
  return (await documentOfOne(context, resource, found, shape, self)).body;
}

/** 406, then 401 or 403 for the visitor. */
async function contextOfVisitor(
  dependencies: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestContext> {
  checkAccept(request.headers.accept);
  return contextFor(dependencies, await dependencies.admitVisitor(request, reply));
}

/** The context in which a visitor reads. Links of the public area begin with `/p`. */
export const contextFor = (
  { catalogue, customFieldsOf, db, files, publicUrl }: VisitDependencies,
  actor: Actor,
): RequestContext => ({
  db: db.ofAccount(actor.accountId),
  catalogue,
  actor,
  publicUrl: `${publicUrl}/p`,
  files,
  customFieldsOf,
});

export type VisitDependencies = Pick<
  RouteDependencies,
  "catalogue" | "customFieldsOf" | "db" | "files" | "publicUrl"
>;

function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  body: string,
) {
  reply.headers({ "Cache-Control": "public, max-age=300", "Vary": "Authorization, Origin" });
  return sendOne(request, reply, resource, { body, version: 0 });
}
