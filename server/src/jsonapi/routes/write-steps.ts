import type { FastifyRequest } from "fastify";
import { ApiError } from "../../base/errors.ts";
import { signWrites } from "../../events/author.ts";
import { inTransaction } from "../../store/db.ts";
import type {
  HandwrittenOperation,
  Resource,
  Reveal,
  WriteContext,
} from "../definition/resource.ts";
import { expectedVersion } from "../request/etag.ts";
import {
  claimKey,
  type KeyedRequest,
  keyRequired,
  parseIdempotencyKey,
  recall,
  remember,
  secretSuperseded,
  type WriteResponse,
} from "../request/idempotency.ts";
import type { RawQuery } from "../request/query-reader.ts";
import { parseNoQuery, parseShape, type Shape } from "../request/shape.ts";
import { constraintError } from "../sql/constraint.ts";
import { withMeta } from "./documents.ts";
import {
  mayNameMerged,
  namedIds,
  type NamingDocument,
  wereMergedSince,
  withKeptPeople,
} from "./merged.ts";
import {
  contextOf,
  type Handler,
  idIn,
  type RequestContext,
  type RouteDependencies,
  send,
} from "./steps.ts";

/** The steps of a write that differ from verb to verb, in the order in which they happen. */
export interface WriteSteps<Plan, Result> {
  /** Parses the document and rejects everything that can be rejected without a transaction. */
  plan: (context: RequestContext, request: WriteRequest) => Promise<Plan>;
  /** Runs in the transaction. */
  act: (context: WriteContext, plan: Plan) => Promise<Result>;
  /** Runs in the transaction too, so that the answer shows what was written. */
  respond: (context: WriteContext, result: Result, shape: Shape) => Promise<WriteResponse>;
}

export interface WriteRequest {
  /** The id in the path. It can be an alias such as `me`. */
  id: string;
  /** The body, with the ids of the people who were kept instead of those of merged people. */
  document: unknown;
  expectedVersion: number | undefined;
}

interface WriteOptions
  extends Partial<Pick<HandwrittenOperation, "key" | "reveal" | "idsAreLiteral">>,
    Omit<NamingDocument, "resource"> {
  parseQuery?: typeof parseShape;
}

/** A DELETE is idempotent by itself, and its answer contains no resource. */
export const unshaped: WriteOptions = { key: "ignored", parseQuery: parseNoQuery };

/**
 * All steps of a write, in the order in which they happen. Everything after the plan is one transaction, with the record of
 * the Idempotency-Key and the look-up of a secret. If that look-up fails, the resource is rolled back, because its secret
 * could never be shown.
 */
export function write<Plan, Result>(
  resource: Resource,
  dependencies: RouteDependencies,
  { parseQuery = parseShape, ...options }: WriteOptions = {},
  { act, plan, respond }: WriteSteps<Plan, Result>,
): Handler {
  const { confirmation: confirmationOf, db, lockCustomFields, sendsMail } = dependencies;
  const { attributes, idsAreLiteral, isLinkage, key: use, reveal } = options;
  const naming = { resource, attributes, isLinkage };

  const answer = async (request: FastifyRequest): Promise<WriteResponse> => {
    // Find the caller, and the people who were kept for the merged ones in the document.
    const ids = idsAreLiteral ? [] : namedIds(request.body, naming);
    const context = await contextOf(dependencies, resource, request, ids);
    const { actor } = context;

    // Parse.
    const shape = parseQuery(context.catalogue, resource, request.query as RawQuery);
    const keyed = use === "ignored" ? undefined : keyedRequest(request);
    if (!keyed && use === "required") throw keyRequired();
    const version = expectedVersion(resource, request.headers["if-match"]);
    const document = await withKeptPeople(context, request.body, naming);

    try {
      // Plan. The plan of a repeated request can fail because of the first one's effect.
      const planned = await outcomeOf(
        plan(context, { id: idIn(request), document, expectedVersion: version }),
      );
      if ("error" in planned) {
        const known =
          keyed && isOutdated(planned.error) && (await recall(context.db, actor, keyed));
        if (!known) throw planned.error;
        return await revealed(context, known, reveal);
      }

      return await inTransaction(db, actor.accountId, async (tx) => {
        const inside: WriteContext = {
          ...context,
          resource,
          expectedVersion: version,
          key: keyed?.key,
          confirmation: confirmationOf(request, actor),
          lockCustomFields,
          sendsMail,
          db: tx,
        };
        // Act and respond, unless an earlier request with the key did.
        const known = keyed && (await claimKey(tx, actor, keyed));
        const response = known ?? (await respond(inside, await act(inside, planned.value), shape));
        // Confirm, remember and reveal.
        await inside.confirmation.beforeCommit(tx);
        if (keyed && !known) await remember(tx, actor, keyed, response);
        signWrites(tx, actor, { type: resource.type, request: request.id, ip: request.ip });
        return revealed(inside, response, reveal);
      });
    } catch (caught) {
      const verb = request.method === "DELETE" && !isLinkage ? "delete" : undefined;
      const error = constraintError(context, resource, caught, verb) ?? caught;
      // A merge has ended for which the write waited. The steps start over and find the people who were kept.
      if (mayNameMerged(error) && (await wereMergedSince(context, ids))) return answer(request);
      throw error;
    }
  };

  return async (request, reply) => {
    const { body, headers, status } = await answer(request);
    reply.code(status).headers(headers);
    return send(reply, body);
  };
}

function keyedRequest({
  body,
  headers,
  method,
  routeOptions,
  url,
}: FastifyRequest): KeyedRequest | undefined {
  const key = parseIdempotencyKey(headers["idempotency-key"]);
  return key === undefined
    ? undefined
    : { key, route: `${method} ${routeOptions.url}`, method, url, body };
}

const outcomeOf = <T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Whether an error can result from what changed since the same request had its effect. Access is always checked again. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [409, 422, 503].includes(error.status);

/** Adds the secret to the answer. It is never stored, and no cache may keep it. */
async function revealed(
  context: Parameters<Reveal>[0],
  answer: WriteResponse,
  reveal: Reveal | undefined,
): Promise<WriteResponse> {
  if (!answer.reveals) return answer;
  const meta = await reveal?.(context, answer.reveals);
  if (!meta) throw secretSuperseded();
  const headers = { ...answer.headers, "Cache-Control": "no-store" };
  return { ...answer, headers, body: withMeta(answer.body, meta) };
}
