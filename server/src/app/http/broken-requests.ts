import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import { networkForLog } from "../../access/address.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { MEDIA_TYPE } from "../../jsonapi/request/media-type.ts";
import { observe } from "../../base/observe.ts";
import { errorDocument, sendError } from "./errors-out.ts";
import { endLingering } from "./linger.ts";
import type { Headers } from "./origin.ts";
import { METHODS, methodNotAllowed } from "./other-methods.ts";
import { cacheControl } from "./security-headers.ts";

/**
 * Rejects input that is not a complete request: lines that are not HTTP, endless headers, bodies that stop in the
 * middle. Node reports them with the connection only.
 *
 *     after complete headers     Fastify sends the error as the response to that request
 *     before complete headers    there is no request, so the error is written here, after earlier responses
 *
 * CONNECT is handled like the second case, because Node passes only the connection.
 */
export class BrokenRequests {
  readonly #publicUrl: string;
  /** Headers of every response written here. */
  readonly #headers: Headers;
  /** The time in which bodies must arrive, unless the route has another one. */
  readonly #bodyMsMax: number;
  /** The reply to the latest request of each connection. */
  readonly #latest = new WeakMap<Socket, FastifyReply>();

  constructor(publicUrl: string, headers: Headers, bodyMsMax: number) {
    this.#publicUrl = publicUrl;
    this.#headers = headers;
    this.#bodyMsMax = bodyMsMax;
  }

  /** Must be called for each request before anything can fail. */
  noteArrival(reply: FastifyReply): void {
    this.#latest.set(reply.request.raw.socket, reply);
    if (hasBody(reply.request.raw)) this.#limitTime(reply);
  }

  /** Node has one time limit for all routes, which fits the slowest upload. */
  #limitTime({ raw: response, request: { raw, routeOptions } }: FastifyReply): void {
    const timer = setTimeout(() => {
      if (!raw.complete) this.refuse({ code: TIMEOUT }, raw.socket);
    }, routeOptions.config.bodyMsMax ?? this.#bodyMsMax);
    timer.unref();
    raw.once("close", () => clearTimeout(timer));
    // A request whose body is never read does not close.
    response.once("close", () => raw.complete && clearTimeout(timer));
  }

  /** Must be called after each response, so that an open connection does not hold a request and its body in memory. */
  noteDeparture(reply: FastifyReply): void {
    const { complete, socket } = reply.request.raw;
    if (complete && this.#latest.get(socket) === reply) this.#latest.delete(socket);
  }

  readonly refuse = (error: Pick<NodeJS.ErrnoException, "code">, socket: Socket): void => {
    const reply = this.#latest.get(socket);
    // The client has disconnected, or has sent nothing yet: browsers open connections ahead of requests.
    if (!socket.writable || socket.bytesRead === 0) socket.destroy();
    else if (!reply || reply.request.raw.complete)
      this.#write(socket, "(none)", new ApiError([problemOf(error)]));
    // The response was sent before the body was complete.
    else if (reply.raw.headersSent) {
      if (!endLingering(reply.request.raw)) socket.destroySoon();
    } else {
      reply.header("Connection", "close");
      // A handler that reads the body would otherwise wait for the rest of it for ever.
      reply.raw.once("close", () => reply.request.raw.destroy());
      sendError(new ApiError([problemOf(error)]), reply.request, reply);
    }
  };

  readonly refuseConnect = ({ method = "", socket }: IncomingMessage): void => {
    // Node no longer handles errors of this connection, and an unhandled error would end the process.
    socket.on("error", () => socket.destroy());
    this.#write(socket, method, methodNotAllowed(method, METHODS), { Allow: METHODS.join(", ") });
  };

  #write(socket: Socket, method: string, error: ApiError, more: Headers = {}): void {
    const before = this.#latest.get(socket)?.raw;
    if (before && !before.writableFinished && !before.destroyed) {
      // The client must not mistake this response for the one before it.
      before.once("close", () => this.#write(socket, method, error, more));
      return;
    }
    if (!socket.writable) return;
    const { problems, status } = error;
    const requestId = newId();
    const body = errorDocument(this.#publicUrl, requestId, problems);
    socket.end(textOf(requestId, error, body, { ...this.#headers, ...more }));
    // A client that goes on, or never hangs up, would keep the connection.
    socket.setTimeout(this.#bodyMsMax, () => socket.destroy());
    observe({
      kind: "request-finished",
      requestId,
      method,
      route: "(none)",
      status,
      milliseconds: 0,
      client: networkForLog(socket.remoteAddress ?? ""),
      codes: problems.map(({ code }) => code),
    });
  }
}

const TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;

function problemOf({ code }: Pick<NodeJS.ErrnoException, "code">): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return problem("headers-too-large", "The headers are larger than 16 KiB.");
    case TIMEOUT:
      return problem("request-timeout", "The request did not arrive in time.");
    case "HPE_INVALID_EOF_STATE":
      return problem("malformed-request", "It ended in the middle.", { pointer: "" });
    default:
      return problem("malformed-request", "This is not HTTP.", { pointer: "" });
  }
}

function textOf(
  requestId: string,
  { problems, status }: ApiError,
  body: string,
  more: Headers,
): string {
  const headers = {
    ...more,
    "Cache-Control": cacheControl.never,
    "Content-Type": MEDIA_TYPE,
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": requestId,
    "Connection": "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${problems[0]?.title}\r\n${lines.join("")}\r\n${body}`;
}
