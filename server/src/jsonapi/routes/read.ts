import type { Resource } from "../definition/resource.ts";
import { parseShape, type RawQuery } from "../request/query.ts";
import { resolveId } from "../request/reach.ts";
import { readOne } from "../sql/read.ts";
import { documentOfOne, urlOf } from "./documents.ts";
import {
  contextOf,
  forbidStoring,
  type Handler,
  idIn,
  type RouteDependencies,
  sendOne,
} from "./steps.ts";

/** `GET /v1/courses/:id` */
export const readRoute =
  (of: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, of, request);
    const shape = parseShape(context.catalogue, of, request.query as RawQuery);
    const id = resolveId(of, context.actor, idIn(request));
    const found = await readOne(context, of, id, shape);
    const self = urlOf(context, of, id);
    const document = await documentOfOne(context, of, found, shape, self);
    forbidStoring(reply, context, of, request.query as RawQuery);
    return sendOne(request, reply, of, document);
  };
