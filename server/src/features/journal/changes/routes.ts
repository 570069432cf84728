import type { FastifyInstance, FastifyRequest } from "fastify";
import { pageLinks } from "../../../jsonapi/response/pages.ts";
import { writeDocument } from "../../../jsonapi/response/document.ts";
import { checkAccept } from "../../../jsonapi/request/media-type.ts";
import type { RawQuery } from "../../../jsonapi/request/query-reader.ts";
import { type RouteDependencies, send } from "../../../jsonapi/routes/steps.ts";
import { assertValid, NOW, positionText, presentPosition } from "./position.ts";
import { parseChangesQuery, parseStreamQuery } from "./query.ts";
import { readChanges } from "./read-changes.ts";
import type { ChangeContext } from "./rows.ts";
import { resourceText } from "./resource-text.ts";
import { Streams } from "./streams.ts";

const path = "/v1/changes";

type Dependencies = Pick<RouteDependencies, "catalogue" | "db" | "identify" | "publicUrl">;

/** Registers the feed of changes, as pages and as a stream. */
export function registerChanges(
  app: FastifyInstance,
  { catalogue, db, identify, publicUrl }: Dependencies,
): void {
  const contextOf = async (request: FastifyRequest): Promise<ChangeContext> => {
    const actor = await identify(request, "data");
    return { actor, catalogue, db: db.ofAccount(actor.accountId) };
  };

  app.get(path, async (request, reply) => {
    checkAccept(request.headers.accept);
    const context = await contextOf(request);
    const query = parseChangesQuery(catalogue, request.query as RawQuery);
    const { after, linkParameters } = query;
    if (after !== undefined && after !== NOW) await assertValid(context, after);
    const page =
      after === NOW
        ? {
            changes: [],
            last: (await presentPosition(context)).source,
            isComplete: true,
            behind: 0,
          }
        : await readChanges(context, { ...query, after });
    const body = writeDocument({
      data: `[${page.changes.map((one) => resourceText(one, context.actor)).join(",")}]`,
      links: {
        next: pageLinks(
          publicUrl + path,
          linkParameters,
        )({ after: positionText(page.last, context.actor) }),
      },
      meta: { "is-complete": page.isComplete, "behind": page.behind },
    });
    return send(reply, body);
  });

  const streams = new Streams(db);
  app.addHook("preClose", async () => streams.close());
  // A HEAD request would hold a stream that it never reads.
  app.get(`${path}/stream`, { exposeHeadRoute: false }, async (request, reply) => {
    const context = await contextOf(request);
    const lastEventId = request.headers["last-event-id"]?.toString();
    const query = parseStreamQuery(catalogue, request.query as RawQuery, lastEventId);
    const stream = await streams.open(context, query, async () => {
      const { actor } = await contextOf(request);
      return actor;
    });
    reply.headers({ "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" });
    return reply.send(stream);
  });
}
