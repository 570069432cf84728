import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import type { Confirmation } from "../../access/confirmation.ts";
import type { CallerRoute } from "../../access/identify.ts";
import type { Db } from "../../store/db.ts";
import type { Files } from "../../store/files/files.ts";
import { hasBriefLink } from "../definition/members.ts";
import type { ReadContext, Resource, WriteContext } from "../definition/resource.ts";
import type { WholeCatalogue } from "../definition/whole-catalogue.ts";
import { etagOf, isNotModified } from "../request/etag.ts";
import { serializeText, checkAccept, MEDIA_TYPE } from "../request/media-type.ts";
import type { RawQuery } from "../request/query-reader.ts";
import type { OneDocument } from "./documents.ts";

/** The first and the last step of every request. */

export interface RouteDependencies {
  db: Db;
  catalogue: WholeCatalogue;
  identify: (
    request: FastifyRequest,
    route: CallerRoute,
    namedIds?: readonly string[],
  ) => Promise<Actor>;
  admitVisitor: (request: FastifyRequest, reply: FastifyReply) => Promise<Actor>;
  confirmation: (request: FastifyRequest, caller: Actor) => Confirmation;
  publicUrl: string;
  sendsMail: boolean;
  files: Files;
  customFieldsOf: ReadContext["customFieldsOf"];
  lockCustomFields: WriteContext["lockCustomFields"];
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** The context of reads before and outside a transaction. */
export type RequestContext = ReadContext & { db: Db; catalogue: WholeCatalogue };

/** 406, then 401 or 403 for the caller. */
export async function contextOf(
  { catalogue, customFieldsOf, db, files, identify, publicUrl }: RouteDependencies,
  resource: Resource,
  request: FastifyRequest,
  namedIds: readonly string[] = [],
): Promise<RequestContext> {
  checkAccept(request.headers.accept);
  const actor = await identify(request, resource.callers ?? "data", namedIds);
  return { db: db.ofAccount(actor.accountId), catalogue, actor, publicUrl, files, customFieldsOf };
}

/**
 * `Cache-Control: no-store` if a response can contain a link that works for minutes: in the type that it shows, or in one that
 * `include` names.
 */
export function forbidStoring(
  reply: FastifyReply,
  { catalogue }: ReadContext,
  resource: Resource,
  { include }: RawQuery,
): void {
  const paths = typeof include === "string" ? include.split(",") : [];
  const included = paths.flatMap((path) => {
    let at: Resource | undefined = resource;
    return path.split(".").flatMap((name) => {
      at = catalogue.resources.get(at?.relationships[name]?.target ?? "");
      return at ? [at] : [];
    });
  });
  if ([resource, ...included].some(hasBriefLink)) reply.header("Cache-Control", "no-store");
}

export const idIn = (request: FastifyRequest): string => (request.params as { id: string }).id;

export function sendOne(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: Resource,
  { body, version }: OneDocument,
) {
  const etag = etagOf(resource, version, body);
  reply.header("ETag", etag);
  // An ETag made of the version alone does not cover what `include` and `fields` add.
  const notModified = isNotModified(request.headers["if-none-match"], etag);
  const isStored = reply.getHeader("Cache-Control") !== "no-store";
  if (resource.versionTag === undefined && notModified && isStored) return reply.code(304).send();
  return send(reply, body);
}

export function send(reply: FastifyReply, body: string) {
  if (body === "") return reply.send();
  // Node copies a long string twice on its way out: to measure it and to join it with the headers.
  const sent = body.length < LONG ? body : Buffer.from(body);
  return reply.header("Content-Type", MEDIA_TYPE).serializer(serializeText).send(sent);
}

const LONG = 16_384;
