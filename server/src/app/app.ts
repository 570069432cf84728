import type { IncomingMessage, ServerResponse } from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Actor } from "../access/actor.ts";
import { Confirmation } from "../access/confirmation.ts";
import { type CallerRoute, type Credentials, identify } from "../access/identify.ts";
import { registerChurchPages } from "./church-pages/register.ts";
import { compressDocuments } from "./http/compression.ts";
import { CustomFieldsCache } from "../features/accounts/custom-fields-cache.ts";
import { registerErrorFiles } from "../features/imports/file/error-file.ts";
import { registerChanges } from "../features/journal/changes/routes.ts";
import { registerImportFiles } from "../features/imports/file/upload.ts";
import { SessionCookie } from "../access/session-cookie.ts";
import { findVisited, isPublicOrigin, visitorOf } from "../access/visitor.ts";
import { ApiError, fail } from "../base/errors.ts";
import { newId } from "../base/ids.ts";
import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { assertContentType } from "../jsonapi/request/media-type.ts";
import { type GivenQuotas, limits } from "../base/limits.ts";
import { credentialsOf, registerSignIn } from "../features/sign-in/routes.ts";
import { registerAccessTokens } from "../features/sign-in/access-tokens/access-tokens.ts";
import { noVisitLimits, visitLimitsOf } from "../features/visitors/counts.ts";
import { registerVisitors } from "../features/visitors/routes.ts";
import { registerSession } from "../features/sign-in/session/routes.ts";
import type { Db } from "../store/db.ts";
import type { Files } from "../store/files/files.ts";
import { registerEventTypes, type WebhookParts } from "../webhooks/index.ts";
import { BrokenRequests } from "./http/broken-requests.ts";
import { catalogueOf } from "../catalogue.ts";
import { sendError } from "./http/errors-out.ts";
import { RequestHooks } from "./http/request-hooks.ts";
import { registerHealth } from "./http/health.ts";
import { answerOtherMethods, METHODS, methodNotAllowed } from "./http/other-methods.ts";
import { originHeaders, originOf, readableFrom } from "./http/origin.ts";
import { type Admission, quotasWith, rateLimiter } from "./rate-limit.ts";
import { registerReference } from "./pages/reference.ts";
import { registerSetPassword } from "./pages/set-password.ts";
import type { WebApp } from "./pages/web-app.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { registerDownloads } from "../jsonapi/routes/download.ts";
import { registerResources } from "../jsonapi/routes/register.ts";
import { registerUploads } from "../jsonapi/routes/upload.ts";

export interface AppOptions {
  db: Db;
  origins: readonly string[];
  publicUrl: string;
  /** Whether the service can send mail. The default is false. */
  sendsMail?: boolean;
  rateLimits: boolean | GivenQuotas;
  /** The limits of the public area. */
  visitorLimits: boolean;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[];
  /** The key of the hashes under which failed log-ins are counted. It is the same on every node. */
  throttleKey: Uint8Array;
  /** The key of what visitors send: form tokens, challenges, and the hashes under which they are counted. */
  visitorKey: Uint8Array;
  webhooks: WebhookParts;
  files: Files;
  /** The build of the web app, if there is one. */
  web?: WebApp | undefined;
  /** A line that `/readyz` adds. */
  readinessNote?: (() => string) | undefined;
  /** The time limit for the arrival of a request. Tests shorten it. */
  requestMsMax?: number;
  /** The maximum age of the caller's rights when a write commits. Tests change it. */
  callerMsMax?: number;
}

/** The HTTP application, not listening yet. Tests pass a catalogue of their own. */
export function buildApp(
  options: AppOptions,
  catalogue: WholeCatalogue = catalogueOf(options.webhooks),
): FastifyInstance {
  const requestMsMax = options.requestMsMax ?? limits.bodyMsMax;
  const cookie = new SessionCookie(options.publicUrl);
  const origins = new Set(options.origins);
  const { rateLimits, visitorLimits } = options;
  const limiter = rateLimiter(quotasWith(typeof rateLimits === "object" ? rateLimits : {}), {
    callers: rateLimits !== false,
    visitors: visitorLimits,
  });
  const security = securityHeaders(options.publicUrl);
  const broken = new BrokenRequests(
    options.publicUrl,
    { ...security, ...originHeaders(undefined, origins) },
    requestMsMax,
  );
  const requestHooks = new RequestHooks({
    broken,
    cookie,
    isPublicOrigin: (origin) => isPublicOrigin(options.db, origin),
    limiter,
    origins,
    security,
  });
  const app = Fastify({
    logger: false,
    genReqId: newId,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytesMax,
    // Limits how long a client that stops in the middle of a request can hold it. BrokenRequests has the limit of each route.
    requestTimeout: Math.max(requestMsMax, limits.uploadMsMax),
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // Requests on open connections are served while the service stops.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytesMax,
      // The onRequest hook rejects such requests with a JSON:API error.
      requireHostHeader: false,
      headersTimeout: requestMsMax / 2,
      connectionsCheckingInterval: requestMsMax / 20,
    },
    routerOptions: { maxParamLength: 200 },
    // Fastify runs no hooks for the requests that it rejects itself.
    frameworkErrors: (error, request, reply) => {
      requestHooks.start(request, reply);
      reply.raw.once("finish", () => requestHooks.finish(request, reply));
      sendError(error, request, reply);
    },
    clientErrorHandler: broken.refuse,
  });

  app.decorate("publicUrl", options.publicUrl);
  app.server.on("connect", broken.refuseConnect);
  app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    requestHooks.markUnsupportedExpect(request);
    app.server.emit("request", request, response);
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    if (options.web?.isPage(request)) return options.web.sendPage(request, reply);
    const known = METHODS.some((method) => method === request.method);
    if (!known) reply.header("Allow", METHODS.join(", "));
    sendError(known ? noSuchPath() : methodNotAllowed(request.method, METHODS), request, reply);
  });
  parseBodies(app);
  requestHooks.register(app);
  compressDocuments(app);
  answerOtherMethods(app);

  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });

  const own = new URL(options.publicUrl).origin;
  const credentials = (request: FastifyRequest): Credentials => ({
    ...credentialsOf(request),
    origin: originOf(request.headers, own),
  });
  const personCredentials = (request: FastifyRequest): Credentials => {
    const { sessionToken } = request;
    if (sessionToken !== undefined) cookie.assertOwnOrigin(request);
    return { ...credentials(request), sessionToken };
  };
  const callerOptions = { origins, rights: catalogue.declared };
  const identifyRequest = async (
    request: FastifyRequest,
    route: CallerRoute = "data",
    namedIds: readonly string[] = [],
  ): Promise<Actor> => {
    request.callerKnownAt = performance.now();
    request.callerRoute = route;
    try {
      const sent = personCredentials(request);
      const actor = await identify(options.db, sent, callerOptions, route, namedIds);
      limiter.settle(request.admission, true);
      request.caller = actor;
      return actor;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        limiter.settle(request.admission, false);
      throw error;
    }
  };

  const admitVisitor = async (request: FastifyRequest, reply: FastifyReply): Promise<Actor> => {
    const sent = credentials(request);
    const visited = await findVisited(options.db, sent);
    if (visited.listsOrigin && sent.origin !== undefined) reply.headers(readableFrom(sent.origin));
    request.caller = visitorOf(visited);
    return request.caller;
  };

  const confirmation = (request: FastifyRequest, caller: Actor) =>
    new Confirmation(caller, {
      identifyAgain: (tx) =>
        identify(tx, personCredentials(request), callerOptions, request.callerRoute),
      knownAt: request.callerKnownAt,
      ageMsMax: options.callerMsMax ?? limits.callerMsMax,
    });

  const { read: customFieldsOf, lock: lockCustomFields } = new CustomFieldsCache();
  registerHealth(app, options.db, () => stopping, options.readinessNote);
  const callers = { identify: identifyRequest, confirmation };
  const { db, files, publicUrl, sendsMail = false, throttleKey, visitorKey, web } = options;
  registerSignIn(app, { ...options, ...callers, catalogue, origins, sendsMail });
  const fields = { customFieldsOf, lockCustomFields };
  const parts = { db, catalogue, publicUrl, files, sendsMail };
  const visitLimits = options.visitorLimits ? visitLimitsOf(db, visitorKey) : noVisitLimits;
  const routes = { ...parts, admitVisitor, ...callers, ...fields, visitorKey, visitLimits };
  registerAccessTokens(app, routes);
  registerSession(app, { ...routes, cookie, throttleKey, web: web?.hash ?? null });
  registerResources(app, routes);
  registerVisitors(app, routes);
  registerUploads(app, routes);
  registerDownloads(app, routes);
  registerImportFiles(app, routes);
  registerErrorFiles(app, routes);
  registerChanges(app, routes);
  registerEventTypes(app, catalogue.declared, { publicUrl, identify: identifyRequest });
  registerReference(app, catalogue);
  registerChurchPages(app, routes);
  if (web) web.register(app);
  else {
    registerSetPassword(app);
    // The service prints its root address at the start, and people open it.
    app.get("/", async (_request, reply) => reply.redirect("/docs"));
  }
  return app;
}

const noSuchPath = () => fail("not-found", "Unknown path. /docs lists the paths.");

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Routes accept JSON:API. Routes configured with `body: "json"` accept plain JSON, too, and those with `body: "form"` accept forms alone. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    const type = request.headers["content-type"];
    const { body: accepted } = request.routeOptions.config;
    try {
      if (accepted === "form") return done(null, parseForm(type, body));
      assertContentType(type, accepted === "json");
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parseForm(type: string | undefined, body: Buffer): URLSearchParams {
  if (type?.split(";", 1)[0]?.trim().toLowerCase() !== FORM)
    throw fail("unsupported-media-type", `The body must be ${FORM}.`, { header: "Content-Type" });
  return new URLSearchParams(body.toString("utf8"));
}

const FORM = "application/x-www-form-urlencoded";

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    const { message } = error as Error;
    throw fail(
      "malformed-json",
      `The body is not valid JSON in UTF-8 (${message.slice(0, 200)}).`,
      { pointer: "" },
    );
  }
}

declare module "fastify" {
  interface FastifyContextConfig {
    body?: "json" | "form";
    /** The time in which the body must arrive, if the usual time is too short. */
    bodyMsMax?: number;
    /** Counted by another quota. A page can show a hundred photos, and pages for visitors count like the public area. */
    counted?: "file" | "visit";
    /** Excluded from rate limits, because load balancers call it every second. */
    uncounted?: true;
  }
  interface FastifyInstance {
    publicUrl: string;
  }
  interface FastifyRequest {
    startedAt: number;
    /** The token of a browser session, if the request has no other credentials. */
    sessionToken: string | undefined;
    admission: Admission;
    /** Set when the caller is identified. */
    caller?: Actor;
    /** The time at which the caller's rights were read. */
    callerKnownAt: number;
    /** The kind of route for which the caller was identified. */
    callerRoute: CallerRoute;
    /** The codes of the reported errors, for the log. */
    codes?: readonly string[];
  }
}
