import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import {
  ApiError,
  fail,
  notAllowedHere,
  type Problem,
  tooLarge,
  unavailable,
} from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { serializeText, MEDIA_TYPE } from "../../jsonapi/request/media-type.ts";
import { observe } from "../../base/observe.ts";
import { newId } from "../../base/ids.ts";
import { errorTypeUrl } from "../../contract/error-pages.ts";
import { isDatabaseAway, isMoving } from "../../store/away.ts";
import { isSuperseded } from "../../store/db.ts";
import { isPartitionMissing } from "../../store/partitions.ts";
import { StorageFailed } from "../../store/files/file-store.ts";
import { lingering } from "./linger.ts";
import { cacheControl } from "./security-headers.ts";

/** Sends every error as a JSON:API document that carries the request's id. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = answerTo(error, request);
  const body = errorDocument(request.server.publicUrl, request.id, answer.problems);
  reply
    .code(answer.status)
    .headers(answer.headers)
    .header("Cache-Control", cacheControl.never)
    .header("Content-Type", MEDIA_TYPE)
    .header("Content-Length", Buffer.byteLength(body))
    .serializer(serializeText)
    .send(answer.status === 413 ? lingering(body, request.raw) : body);
}

/** The error that the client receives. The log gets its codes, and the reason of an unexpected one. */
export function answerTo(error: unknown, request: FastifyRequest): ApiError {
  const known = hungUp(request) ? clientGone() : asApiError(error, request);
  if (!known || isContradiction(error))
    observe({ kind: "request-failed", requestId: request.id, route: routeOf(request), error });
  const answer =
    known ?? fail("internal", "The service failed. Its log shows the reason under the request id.");
  request.codes = answer.problems.map((one) => one.code);
  return answer;
}

/** A connection that is lost during the body causes the same error codes as a lost database connection. */
const hungUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

/** The client never receives this error. It appears in the log only. */
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

/** For these codes, PostgreSQL is reachable, so the general text would mislead. */
const away: Readonly<Record<string, [seconds: number, detail: string]>> = {
  "25006": [5, "The database accepts no changes at the moment. Retry the request."],
  "53100": [30, "The disk of the database is full. The request was rolled back."],
  "57014": [1, "The request exceeded the time limit of the database and was rolled back."],
};

function asApiError(error: unknown, request: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageFailed) {
    observe({ kind: "file-storage-failed", error });
    return unavailable(10, "The storage of files is unreachable.");
  }
  if (isDatabaseAway(error)) {
    observe({ kind: "database-lost", error });
    const inWords = away[String((error as { code?: unknown }).code)];
    return inWords ? unavailable(...inWords) : unavailable();
  }
  switch ((error as FastifyError | undefined)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return tooLarge(request.routeOptions.bodyLimit ?? limits.bodyBytesMax);
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return fail("invalid-header", "The body does not have the length that this header states.", {
        header: "Content-Length",
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return fail("unsupported-media-type", `The body must be ${MEDIA_TYPE}.`, {
        header: "Content-Type",
      });
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return fail("not-found", "The path is not valid.");
    default:
      return databaseRefusal(error);
  }
}

/** PostgreSQL rejected a value that the schema accepts: out of range, or too large for an index. */
function databaseRefusal(error: unknown): ApiError | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== "string") return undefined;
  if (code.startsWith("22"))
    return fail(
      "invalid-attribute",
      notAllowedHere("A value is out of range and cannot be stored."),
    );
  if (isMoving(error))
    return unavailable(
      1,
      "The account moves to another server at the moment. The request was rolled back. Retry it.",
    );
  // The transaction has run twice. A retry is safe and likely to succeed.
  if (isSuperseded(error))
    return unavailable(
      1,
      "The request conflicted with a concurrent change and was rolled back. Retry it.",
    );
  if (isContradiction(error))
    return fail("conflict", "The request contradicts a change that was made at the same time.");
  return undefined;
}

/**
 * The request violates a constraint for which the service has no words, because no document describes the row. Only a change at
 * the same time can do that. It is logged, because a mistake of the service could do it too.
 */
const isContradiction = (error: unknown): boolean =>
  /^(23502|23503|23505|23514)$/.test(String((error as { code?: unknown } | undefined)?.code)) &&
  !isPartitionMissing(error);
