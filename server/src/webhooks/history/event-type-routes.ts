import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import type { CallerRoute } from "../../access/identify.ts";
import { notFound } from "../../base/errors.ts";
import { writeDocument } from "../../jsonapi/response/document.ts";
import { etagOf, isNotModified } from "../../jsonapi/request/etag.ts";
import { serializeText, checkAccept, MEDIA_TYPE } from "../../jsonapi/request/media-type.ts";
import { pageSizesOf, readNumberedPage } from "../../jsonapi/request/pages.ts";
import { doesNotAccept, QueryReader, type RawQuery } from "../../jsonapi/request/query-reader.ts";
import {
  EVENT_TYPES,
  type EventCatalogue,
  eventTypeAttributes,
  type EventTypeResource,
  eventTypeResources,
} from "./event-types.ts";
import { numberedParts, pageLinks } from "../../jsonapi/response/pages.ts";

export interface EventTypeDeps {
  publicUrl: string;
  identify: (request: FastifyRequest, route: CallerRoute) => Promise<Actor>;
}

const path = `/v1/${EVENT_TYPES}`;

/** The routes of `webhook-event-types`. They are written by hand, because the kernel reads only tables. */
export function registerEventTypes(
  app: FastifyInstance,
  events: EventCatalogue,
  { identify, publicUrl }: EventTypeDeps,
): void {
  const url = publicUrl + path;
  const resources = eventTypeResources(events);
  app.get(path, async (request, reply) => {
    checkAccept(request.headers.accept);
    await identify(request, "webhook-management");
    return send(reply, listed(url, resources, request.query as RawQuery));
  });

  app.get(`${path}/:id`, async (request, reply) => {
    checkAccept(request.headers.accept);
    await identify(request, "webhook-management");
    const { id } = request.params as { id: string };
    const body = one(url, resources, id, request.query as RawQuery);
    const etag = etagOf({ unversioned: true }, 0, body);
    reply.header("ETag", etag);
    if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return send(reply, body);
  });
}

type EventTypeResources = ReadonlyMap<string, EventTypeResource>;

function listed(url: string, resources: EventTypeResources, query: RawQuery): string {
  const reader = new QueryReader(query);
  const linkParameters = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const fields = readFields(reader);
  const page = readNumberedPage(reader, pageSizesOf({}));
  const sort = reader.take("sort") ?? "id";
  if (sort !== "id" && sort !== "-id") reader.report("sort", doesNotAccept(sort, ["id"]));
  reader.finish();

  const all = [...resources.values()];
  if (sort === "-id") all.reverse();
  const shown = all.slice((page.number - 1) * page.size, page.number * page.size);
  return writeDocument({
    data: `[${shown.map((each) => written(url, each, fields)).join(",")}]`,
    ...numberedParts(pageLinks(url, linkParameters), page, all.length),
  });
}

function one(url: string, resources: EventTypeResources, id: string, query: RawQuery): string {
  const reader = new QueryReader(query);
  const fields = readFields(reader);
  reader.finish();
  const found = resources.get(id);
  if (!found) throw notFound();
  return writeDocument({ data: written(url, found, fields), links: { self: `${url}/${id}` } });
}

function readFields(reader: QueryReader): ReadonlySet<string> | undefined {
  let fields: ReadonlySet<string> | undefined;
  for (const [type, parameter, value] of reader.takeFamily("fields")) {
    const names = value.split(",").filter(Boolean);
    const unknown = names.find((name) => !eventTypeAttributes.some((known) => known === name));
    if (type !== EVENT_TYPES)
      reader.report(parameter, { rule: "unknown", given: type, hint: `Types: ${EVENT_TYPES}.` });
    else if (unknown !== undefined)
      reader.report(parameter, doesNotAccept(unknown, eventTypeAttributes));
    fields = new Set(names);
  }
  return fields;
}

function written(
  url: string,
  { attributes, id }: EventTypeResource,
  fields?: ReadonlySet<string>,
): string {
  const shown = Object.entries(attributes).filter(([name]) => fields?.has(name) ?? true);
  return JSON.stringify({
    type: EVENT_TYPES,
    id,
    attributes: Object.fromEntries(shown),
    links: { self: `${url}/${id}` },
  });
}

const send = (reply: FastifyReply, body: string) =>
  reply.header("Content-Type", MEDIA_TYPE).serializer(serializeText).send(body);
