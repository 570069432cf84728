import type { Resource } from "../definition/resource.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { resolveId } from "../request/reach.ts";
import { parseShapeWithMay } from "../request/shape.ts";
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
  (resource: Resource, dependencies: RouteDependencies): Handler =>
  async (request, reply) => {
    const context = await contextOf(dependencies, resource, request);
    const shape = parseShapeWithMay(context.catalogue, resource, request.query as RawQuery);
    const id = resolveId(resource, context.actor, idIn(request));
    const found = await readOne(context, resource, id, shape);
    const self = urlOf(context, resource, id);
    const document = await documentOfOne(context, resource, found, shape, self);
    forbidStoring(reply, context, resource, request.query as RawQuery);
    return sendOne(request, reply, resource, document);
  };
