import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import { notFound } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import type { PublicWrite } from "../../jsonapi/definition/public-write.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { parseResource } from "../../jsonapi/request/input.ts";
import { checkAccept } from "../../jsonapi/request/media-type.ts";
import type { RawQuery } from "../../jsonapi/request/query-reader.ts";
import { parseNoQuery } from "../../jsonapi/request/shape.ts";
import { writeDocument } from "../../jsonapi/response/document.ts";
import { contextFor, publicDocument, type VisitDependencies } from "../../jsonapi/routes/public.ts";
import { idIn, send } from "../../jsonapi/routes/steps.ts";
import { newChallenge } from "./challenges.ts";
import { newFormToken } from "./form-tokens.ts";
import { receive } from "./receive.ts";
import type { OpenReception, Reception } from "./reception.ts";
import { isSigned, signsIn } from "./signs.ts";

export interface VisitorDependencies extends OpenReception {
  admitVisitor: (request: FastifyRequest, reply: FastifyReply) => Promise<Actor>;
}

/** Registers forms with their tokens, `POST /p/v1/challenges`, and the types that visitors create. */
export function registerVisitors(app: FastifyInstance, dependencies: VisitorDependencies): void {
  const { admitVisitor, catalogue, visitLimits, visitorKey } = dependencies;

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<Actor> => {
    checkAccept(request.headers.accept);
    reply.headers({ "Cache-Control": "no-store", "Vary": "Authorization, Origin" });
    return admitVisitor(request, reply);
  };

  app.post(
    "/p/v1/challenges",
    {
      bodyLimit: limits.loginBodyBytesMax,
      onRequest: async (request, reply) => void (await admit(request, reply)),
    },
    async (request, reply) => {
      const actor = callerOf(request);
      parseResource(challenges, request.body, { actor, customFields: undefined });
      // JSON:API reserves `type` in attributes.
      const { type: _, ...attributes } = await newChallenge(visitorKey, actor.accountId);
      return sendData(reply, 201, { type: challenges.type, id: newId(), attributes });
    },
  );

  app.get("/p/v1/forms/:id", async (request, reply) => {
    const actor = await admit(request, reply);
    const form = await readForm(dependencies, actor, idIn(request), request.query as RawQuery);
    return send(reply, JSON.stringify(form));
  });

  const register = (write: PublicWrite) =>
    app.post(
      `/p/v1/${write.type}`,
      {
        bodyLimit: limits.visitBodyBytesMax,
        onRequest: async (request, reply) => void (await admit(request, reply)),
      },
      async (request, reply) => {
        const { accountId, integrationId } = callerOf(request);
        const hasSign = await isSigned(visitorKey, accountId, signsIn(request.body));
        await visitLimits.countVisit(
          { accountId, address: request.ip, isIntegration: integrationId !== undefined },
          hasSign ? "signed" : "none",
        );
        const resource = definitionOf(catalogue, write.type);
        parseNoQuery(catalogue, resource, request.query as RawQuery);
        const sent = { actor: callerOf(request), document: request.body, address: request.ip };
        const attributes = await receive(dependencies, write, sent);
        return sendData(reply, write.status, { type: write.type, id: newId(), attributes });
      },
    );
  for (const write of catalogue.publicWrites.values()) register(write);
}

interface FormDocument {
  data: { id: string; attributes: Record<string, unknown> };
}

/** The document of a form as a visitor reads it, with a token and a challenge of its own. */
export async function readForm(
  dependencies: VisitDependencies & Pick<Reception, "visitorKey">,
  actor: Actor,
  given: string,
  query: RawQuery = {},
): Promise<FormDocument> {
  const { accountId } = actor;
  const { catalogue, visitorKey } = dependencies;
  const resource = catalogue.publicTypes.get("forms");
  if (!resource) throw notFound();
  const context = contextFor(dependencies, actor);
  const form = await catalogue.published.findPublicForm(context.db, { accountId, id: given });
  if (!form) throw notFound();
  const document = JSON.parse(
    await publicDocument(context, resource, form.id, query),
  ) as FormDocument;
  const version = Number(document.data.attributes["version"]);
  Object.assign(document.data.attributes, {
    "form-token": newFormToken(visitorKey, { accountId, formId: form.id, version }),
    "challenge": form.needsProof ? await newChallenge(visitorKey, accountId) : null,
  });
  return document;
}

const challenges = { type: "challenges", attributes: {}, relationships: {} };

/** The visitor whom `admit` has found. */
function callerOf({ caller }: FastifyRequest): Actor {
  if (!caller) throw new Error("The request has no caller.");
  return caller;
}

export const sendData = (reply: FastifyReply, status: 200 | 201 | 202, data: object) =>
  send(reply.code(status), writeDocument({ data: JSON.stringify(data) }));
