import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { neighbourhoodOf } from "../access/address.ts";
import { codes, fail } from "../base/errors.ts";
import { observe } from "../base/observe.ts";
import type { BrokenRequests } from "./broken-requests.ts";
import { routeOf } from "./errors-out.ts";
import { type Headers, isPreflight, originHeaders, preflightHeaders } from "./origin.ts";
import { markUndecodable } from "./query-encoding.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { cacheControl } from "./security-headers.ts";

interface GreetingParts {
  broken: BrokenRequests;
  limiter: RateLimiter;
  origins: ReadonlySet<string>;
  security: Headers;
}

/** What happens to every request before anybody looks at what it wants, and once it was answered. */
export class Greeting {
  readonly #parts: GreetingParts;
  readonly #expectingTooMuch = new WeakSet<IncomingMessage>();

  constructor(parts: GreetingParts) {
    this.#parts = parts;
  }

  register(app: FastifyInstance): void {
    app.addHook("onRequest", async (request, reply) => {
      this.meet(request, reply);
      return this.#admit(request, reply);
    });
    app.addHook("onResponse", async (request, reply) => this.part(request, reply));
  }

  /** Node has found an expectation in it that is not `100-continue`. */
  expectsTooMuch(request: IncomingMessage): void {
    this.#expectingTooMuch.add(request);
  }

  meet(request: FastifyRequest, reply: FastifyReply): void {
    const { broken, origins, security } = this.#parts;
    broken.noteArrival(reply);
    request.startedAt = performance.now();
    // Fastify's own hook for this sees nobody go who has sent their whole body.
    reply.raw.once("close", () => {
      if (reply.raw.writableFinished) return;
      this.#settleUnseen(request);
      observe({ kind: "request-aborted", ...told(request) });
    });
    const { authorization, origin } = request.headers;
    reply.headers({
      ...security,
      ...originHeaders(origin, origins),
      "X-Request-Id": request.id,
      "Cache-Control":
        authorization === undefined ? cacheControl.never : cacheControl.authenticated,
    });
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { limiter, origins } = this.#parts;
    const { authorization, origin } = request.headers;
    if (asksForUpgrade(request)) reply.header("Connection", "close");
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      throw fail("malformed-request", "HTTP/1.1 needs a Host header.", { header: "Host" });
    if (this.#expectingTooMuch.has(request.raw))
      throw fail("expectation-failed", codes["expectation-failed"][2], { header: "Expect" });
    if (isPreflight(request.method, request.headers["access-control-request-method"]))
      return reply.code(204).headers(preflightHeaders(origin, origins)).send();
    markUndecodable(request);
    if (request.routeOptions.config.uncounted) return;
    const clientToken = request.headers["x-svc-api-token"]?.toString();
    request.admission = await limiter.admit({ authorization, clientToken, address: request.ip });
    reply.headers(request.admission.headers);
    if (request.admission.refusal) throw request.admission.refusal;
  }

  part(request: FastifyRequest, reply: FastifyReply): void {
    this.#parts.broken.noteDeparture(reply);
    // A 401 has counted already.
    if (reply.statusCode !== 401 && reply.statusCode < 500) this.#settleUnseen(request);
    observe({
      kind: "request-finished",
      ...told(request),
      status: reply.statusCode,
      ...(request.codes && { codes: request.codes }),
    });
  }

  /** A token that nobody looked at proves nothing: such a request counts for its address. */
  #settleUnseen({ admission, caller }: FastifyRequest): void {
    if (admission && !admission.known && caller === undefined)
      this.#parts.limiter.settle(admission, false);
  }
}

/** What is told of every request. */
function told(request: FastifyRequest) {
  const { caller, id, method, startedAt } = request;
  return {
    requestId: id,
    method,
    route: routeOf(request),
    milliseconds: performance.now() - startedAt,
    client: neighbourhoodOf(request.ip),
    ...(caller && { accountId: caller.accountId, personId: caller.personId }),
    ...(caller?.integrationId && { integrationId: caller.integrationId }),
  };
}

/**
 * Nobody here changes protocols, and such a request is answered as any other. But Node gives up what the client sent
 * behind it: closing the connection tells the client to send that again.
 */
const asksForUpgrade = ({ headers }: FastifyRequest): boolean =>
  headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? "");
