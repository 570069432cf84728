import type { FastifyInstance } from "fastify";
import { isLinkable } from "../definition/relationships.ts";
import type { Resource } from "../definition/resource.ts";
import { commandRoute } from "./command.ts";
import { createRoute } from "./create.ts";
import { deleteRoute } from "./delete.ts";
import { linkRoute } from "./change-linkage.ts";
import { linkageRoute } from "./linkage.ts";
import { listRoute } from "./list.ts";
import { publicListRoute, publicReadRoute } from "./public.ts";
import { readRoute } from "./read.ts";
import { relatedRoute } from "./related.ts";
import { namingKept } from "./merged.ts";
import type { Handler, RouteDependencies } from "./steps.ts";
import { updateRoute } from "./update.ts";

/** Registers every route that follows from the definitions of a catalogue. */
export function registerResources(app: FastifyInstance, dependencies: RouteDependencies): void {
  const { commands, publicTypes, resources } = dependencies.catalogue;
  for (const resource of resources.values()) registerResource(app, resource, dependencies);
  for (const resource of publicTypes.values())
    if (!resource.issued) registerPublicType(app, resource, dependencies);
  for (const command of commands.values())
    app.post(`/v1/${command.type}`, commandRoute(command, dependencies));
}

function registerPublicType(
  app: FastifyInstance,
  resource: Resource,
  dependencies: RouteDependencies,
) {
  const path = `/p/v1/${resource.type}`;
  if (resource.operations.list) app.get(path, publicListRoute(resource, dependencies));
  app.get(`${path}/:id`, publicReadRoute(resource, dependencies));
}

function registerResource(
  app: FastifyInstance,
  resource: Resource,
  dependencies: RouteDependencies,
) {
  const { operations, relationships, type } = resource;
  const path = `/v1/${type}`;
  const one = (handler: Handler) =>
    type === "people" ? namingKept(resource, dependencies, handler) : handler;
  if (operations.list) app.get(path, listRoute(resource, dependencies));
  if (operations.create) app.post(path, createRoute(resource, operations.create, dependencies));
  if (operations.read) app.get(`${path}/:id`, one(readRoute(resource, dependencies)));
  if (operations.update)
    app.patch(`${path}/:id`, one(updateRoute(resource, operations.update, dependencies)));
  if (operations.delete)
    app.delete(`${path}/:id`, one(deleteRoute(resource, operations.delete, dependencies)));
  if (!operations.read) return;
  for (const [name, relationship] of Object.entries(relationships)) {
    const linkage = `${path}/:id/relationships/${name}`;
    app.get(`${path}/:id/${name}`, one(relatedRoute(resource, name, relationship, dependencies)));
    app.get(linkage, one(linkageRoute(resource, name, relationship, dependencies)));
    if (!operations.update || !isLinkable(relationship)) continue;
    const { update } = operations;
    const change = { resource, name, relationship, update };
    app.patch(linkage, one(linkRoute({ ...change, how: "replace" }, dependencies)));
    if (relationship.kind === "to-one") continue;
    app.post(linkage, one(linkRoute({ ...change, how: "add" }, dependencies)));
    app.delete(linkage, one(linkRoute({ ...change, how: "remove" }, dependencies)));
  }
}
