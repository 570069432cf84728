import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, codes, fail, type Problem, unavailable } from "../base/errors.ts";
import { asItIs, MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { observe } from "../base/observe.ts";
import { newId } from "../base/ids.ts";
import { errorTypeUrl } from "../contract/error-pages.ts";
import { isDatabaseAway } from "../store/away.ts";
import { cacheControl } from "./security-headers.ts";

/** Sends every error as a JSON:API document that carries the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = hungUp(request) ? clientGone() : asApiError(error);
  if (!known)
    observe({ kind: "request-failed", requestId: request.id, route: routeOf(request), error });
  const answer =
    known ?? fail("internal", "The service failed. The request id finds the reason in its log.");
  request.codes = answer.problems.map((one) => one.code);
  reply
    .code(answer.status)
    .headers(answer.headers)
    .header("Cache-Control", cacheControl.never)
    .header("Content-Type", MEDIA_TYPE)
    .serializer(asItIs)
    .send(errorDocument(request.server.publicUrl, request.id, answer.problems));
}

/** A connection that broke while the body came in looks to the code like one that broke to the database. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** Nobody hears it. */
const clientGone = () => fail("malformed-request", "The connection ended before the request did.");

export const routeOf = (request: FastifyRequest): string =>
  request.routeOptions.url ?? request.otherwiseAt ?? "(none)";

export function errorDocument(
  publicUrl: string,
  requestId: string,
  problems: readonly Problem[],
): string {
  return JSON.stringify({
    errors: problems.map(({ status, code, title, detail, source, meta }) => ({
      id: newId(),
      links: { type: errorTypeUrl(publicUrl, code) },
      status: String(status),
      code,
      title,
      detail,
      ...(source && { source }),
      meta: { ...meta, "request-id": requestId },
    })),
  });
}

/** Of what PostgreSQL says itself: it can be reached, and that would be the wrong thing to look into. */
const away: Readonly<Record<string, [seconds: number, detail: string]>> = {
  "53100": [30, "The database has no room left on its disk: nothing was done."],
  "57014": [1, "The database took too long over it and was stopped: nothing was done."],
};

function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (isDatabaseAway(error)) {
    observe({ kind: "database-lost", error });
    const inWords = away[String((error as { code?: unknown }).code)];
    return inWords ? unavailable(...inWords) : unavailable();
  }
  switch ((error as FastifyError | undefined)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return fail("body-too-large", codes["body-too-large"][2], { pointer: "" });
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return fail("invalid-header", "The body is not as long as it says.", {
        header: "Content-Length",
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return fail("unsupported-media-type", `The body must be ${MEDIA_TYPE}.`, {
        header: "Content-Type",
      });
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return fail("not-found", "The path is not a valid one.");
    default:
      return databaseRefusal(error);
  }
}

/** Values that no schema refused and PostgreSQL did: out of range, or too large for an index. */
function databaseRefusal(error: unknown): ApiError | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== "string") return undefined;
  if (code.startsWith("22"))
    return fail("invalid-attribute", "A value is outside what can be stored.");
  // Two writers waited for each other: one had to go. Repeating the request is safe and likely to succeed.
  if (code === "40P01" || code === "40001")
    return unavailable(1, "Another change stood in the way of this one, and nothing was done.");
  return undefined;
}
