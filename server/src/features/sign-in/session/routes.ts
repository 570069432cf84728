import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { unauthorized } from "../../../access/identify.ts";
import type { SessionCookie } from "../../../access/session-cookie.ts";
import { ApiError, problem } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import { SECOND } from "../../../base/clock.ts";
import { etagOf, isNotModified } from "../../../jsonapi/request/etag.ts";
import { checkAccept, serializeText } from "../../../jsonapi/request/media-type.ts";
import type { RequestContext, RouteDependencies } from "../../../jsonapi/routes/steps.ts";
import { readPlain, readSessionLogin } from "../input.ts";
import { readPasswordLink } from "../passwords/read-password-link.ts";
import { bootstrapOf, type ServiceParts } from "./bootstrap.ts";
import { deviceOf } from "./device.ts";
import { parseDevice } from "./known-device.ts";
import { endSession, startSession } from "./log-in.ts";

export interface SessionDeps extends Omit<RouteDependencies, "admitVisitor"> {
  cookie: SessionCookie;
  throttleKey: Uint8Array;
  /** The hash of the web app's sources. Null without a build. */
  web: ServiceParts["web"];
}

/** `/session`: pages of the service's own origin log in with a cookie that no script can read. */
export function registerSession(app: FastifyInstance, deps: SessionDeps): void {
  const { cookie, db, sendsMail, throttleKey, web } = deps;

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await deps.identify(request, "data");
    const context: RequestContext = { ...deps, db: db.ofAccount(actor.accountId), actor };
    const body = JSON.stringify(await bootstrapOf(context, { sendsMail, web }));
    const etag = etagOf({ unversioned: true }, 0, body);
    reply.headers({ "Cache-Control": "no-store", "ETag": etag, "Vary": "Origin, Cookie" });
    if (request.method !== "POST" && isNotModified(request.headers["if-none-match"], etag))
      return reply.code(304).send();
    return reply.type("application/json").serializer(serializeText).send(body);
  };

  const plain = { config: { body: "json" }, bodyLimit: limits.loginBodyBytesMax } as const;
  app.post("/session", plain, async (request, reply) => {
    cookie.assertOwnOrigin(request);
    const login = readSessionLogin(request.body);
    const { device, token } = await startSession(db, login, {
      address: request.ip,
      requestId: request.id,
      throttleKey,
      knownDevice: parseDevice(cookie.deviceIn(request)),
      device: deviceOf(request.headers["user-agent"]),
    });
    // Another person may have left a session in this browser. Its cookie is gone with this response.
    await endSession(db, request.sessionToken);
    request.sessionToken = token;
    const age = login.remember ? limits.sessionMsMax / SECOND : undefined;
    reply.header("Set-Cookie", [
      cookie.set(token, age),
      cookie.setDevice(device, limits.knownDeviceMs / SECOND),
    ]);
    return answer(request, reply);
  });

  app.post("/session/password-link", plain, async (request, reply) => {
    cookie.assertOwnOrigin(request);
    const { token } = readPlain(request.body, ["token"]);
    const link = await readPasswordLink(db, token, { address: request.ip, throttleKey });
    return reply.header("Cache-Control", "no-store").type("application/json").send(link);
  });

  app.get("/session", async (request, reply) => {
    checkAccept(request.headers.accept);
    try {
      if (request.sessionToken === undefined) throw sessionMissing();
      return await answer(request, reply);
    } catch (error) {
      // The page that logs in needs to know whether a forgotten password can be mailed.
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const problems = error.problems.map((one) => ({ ...one, meta: { mail: sendsMail } }));
      throw new ApiError(problems, error.headers);
    }
  });

  app.delete("/session", async (request, reply) => {
    cookie.assertOwnOrigin(request);
    await endSession(db, request.sessionToken);
    return reply
      .headers({ "Cache-Control": "no-store", "Set-Cookie": cookie.clear() })
      .code(204)
      .send();
  });
}

const sessionMissing = () =>
  unauthorized([
    problem("credentials-missing", "There is no browser session. Log in with POST /session.", {
      header: "Cookie",
    }),
  ]);
