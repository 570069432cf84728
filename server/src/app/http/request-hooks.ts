import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkForLog } from "../../access/address.ts";
import type { SessionCookie } from "../../access/session-cookie.ts";
import { codes, fail } from "../../base/errors.ts";
import { NIL_ID } from "../../base/ids.ts";
import { observe } from "../../base/observe.ts";
import type { BrokenRequests } from "./broken-requests.ts";
import { routeOf } from "./errors-out.ts";
import {
  type Headers,
  isPreflight,
  originHeaders,
  preflightHeaders,
  publicPreflightHeaders,
  readableFrom,
} from "./origin.ts";
import { markUndecodable } from "./query-encoding.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { cacheControl } from "./security-headers.ts";

interface RequestHookParts {
  broken: BrokenRequests;
  cookie: SessionCookie;
  /** Whether an active account lists the origin for its public area. */
  isPublicOrigin: (origin: string) => Promise<boolean>;
  limiter: RateLimiter;
  origins: ReadonlySet<string>;
  security: Headers;
}

/** Hooks that run before and after every request. */
export class RequestHooks {
  readonly #parts: RequestHookParts;
  readonly #unsupportedExpect = new WeakSet<IncomingMessage>();

  constructor(parts: RequestHookParts) {
    this.#parts = parts;
  }

  register(app: FastifyInstance): void {
    app.addHook("onRequest", async (request, reply) => {
      this.start(request, reply);
      return this.#admit(request, reply);
    });
    app.addHook("onResponse", async (request, reply) => this.finish(request, reply));
  }

  /** Marks a request whose `Expect` header is not `100-continue`. */
  markUnsupportedExpect(request: IncomingMessage): void {
    this.#unsupportedExpect.add(request);
  }

  start(request: FastifyRequest, reply: FastifyReply): void {
    const { broken, cookie, origins, security } = this.#parts;
    broken.noteArrival(reply);
    request.startedAt = performance.now();
    // Fastify's onRequestAbort misses clients that disconnect after they sent the complete body.
    reply.raw.once("close", () => {
      if (reply.raw.writableFinished) return;
      this.#settleUnidentified(request);
      observe({ kind: "request-aborted", ...observed(request) });
    });
    const { authorization, origin } = request.headers;
    request.sessionToken = cookie.tokenIn(request);
    const isAnonymous = authorization === undefined && request.sessionToken === undefined;
    reply.headers({
      ...security,
      ...originHeaders(origin, origins),
      ...(request.sessionToken !== undefined && { Vary: "Origin, Cookie" }),
      "X-Request-Id": request.id,
      "Cache-Control": isAnonymous ? cacheControl.never : cacheControl.authenticated,
    });
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { limiter } = this.#parts;
    const { authorization, origin } = request.headers;
    if (asksForUpgrade(request)) reply.header("Connection", "close");
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      throw fail("malformed-request", "HTTP/1.1 needs a Host header.", { header: "Host" });
    if (this.#unsupportedExpect.has(request.raw))
      throw fail("expectation-failed", codes["expectation-failed"][2], { header: "Expect" });
    if (isPreflight(request.method, request.headers["access-control-request-method"]))
      return reply
        .code(204)
        .headers(await this.#preflight(request))
        .send();
    markUndecodable(request);
    if (request.routeOptions.config.uncounted) return;
    const { counted } = request.routeOptions.config;
    const visit = isPublic(request) || counted === "visit" ? visitOf(request.method) : undefined;
    const clientToken = request.headers["x-svc-api-token"]?.toString();
    const isFile = counted === "file";
    const address = request.ip;
    request.admission = await limiter.admit({
      authorization,
      sessionToken: request.sessionToken,
      clientToken,
      address,
      isFile,
      visit,
    });
    reply.headers(request.admission.headers);
    if (!request.admission.refusal) return;
    // The account is not known yet. The error contains nothing that a page may not read.
    if (visit && origin !== undefined) reply.headers(readableFrom(origin));
    throw request.admission.refusal;
  }

  async #preflight(request: FastifyRequest): Promise<Headers> {
    const { isPublicOrigin, limiter, origins } = this.#parts;
    const { origin } = request.headers;
    if (origin === undefined || origins.has(origin) || !isPublic(request))
      return preflightHeaders(origin, origins);
    const { refusal } = await limiter.admit({ address: request.ip, visit: "preflight" });
    if (refusal) throw refusal;
    return (await isPublicOrigin(origin))
      ? publicPreflightHeaders(origin)
      : preflightHeaders(undefined, origins);
  }

  finish(request: FastifyRequest, reply: FastifyReply): void {
    this.#parts.broken.noteDeparture(reply);
    // A 401 has counted already.
    if (reply.statusCode !== 401 && reply.statusCode < 500) this.#settleUnidentified(request);
    observe({
      kind: "request-finished",
      ...observed(request),
      status: reply.statusCode,
      ...(request.codes && { codes: request.codes }),
    });
  }

  /** A token that was never checked proves nothing, so the request counts against the client address. */
  #settleUnidentified({ admission, caller }: FastifyRequest): void {
    if (admission && !admission.known && caller === undefined)
      this.#parts.limiter.settle(admission, false);
  }
}

/** The fields that every observation of a request has. */
function observed(request: FastifyRequest) {
  const { caller, id, method, startedAt } = request;
  return {
    requestId: id,
    method,
    route: routeOf(request),
    milliseconds: performance.now() - startedAt,
    client: networkForLog(request.ip),
    ...(caller && { accountId: caller.accountId }),
    // A visitor of the public area is no person.
    ...(caller && caller.personId !== NIL_ID && { personId: caller.personId }),
    ...(caller?.integrationId && { integrationId: caller.integrationId }),
  };
}

const visitOf = (method: string) => (method === "POST" ? "write" : "read");

const isPublic = ({ url }: FastifyRequest): boolean => url.startsWith("/p/v1/");

/**
 * Protocol upgrades are not supported, and the request is handled as usual. Node discards data after such a request, so
 * the connection is closed and the client sends the rest again.
 */
const asksForUpgrade = ({ headers }: FastifyRequest): boolean =>
  headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? "");
