import type { FastifyRequest } from "fastify";
import { ApiError } from "../../base/errors.ts";
import { inTransaction } from "../../store/db.ts";
import type {
  HandwrittenOperation,
  ReadContext,
  Resource,
  Reveal,
  WriteContext,
} from "../definition/resource.ts";
import { expectedVersion } from "../request/etag.ts";
import {
  type WriteResponse,
  keyRequired,
  once,
  parseIdempotencyKey,
  recall,
  secretSuperseded,
} from "../request/idempotency.ts";
import { parseNoQuery, parseShape, type RawQuery, type Shape } from "../request/query.ts";
import { constraintError } from "../sql/constraint.ts";
import { withMeta } from "./documents.ts";
import { mayNameMerged, withKeptPeople } from "./merged.ts";
import {
  contextOf,
  type Handler,
  type RequestContext,
  type RouteDependencies,
  send,
} from "./steps.ts";

/** The steps of a write that differ from verb to verb, in the order in which they happen. */
export interface WriteSteps<Plan, Result> {
  /** Parses the document and rejects everything that can be rejected without a transaction. */
  plan: (context: RequestContext, request: FastifyRequest) => Promise<Plan>;
  /** Runs in the transaction. */
  act: (context: WriteContext, plan: Plan) => Promise<Result>;
  /** Runs in the transaction too, so that the answer shows what was written. */
  respond: (context: WriteContext, result: Result, shape: Shape) => Promise<WriteResponse>;
}

interface WriteOptions
  extends Partial<Pick<HandwrittenOperation, "key" | "reveal" | "idsAreLiteral">> {
  parseQuery?: typeof parseShape;
}

/** A DELETE is idempotent by itself, and its answer contains no resource. */
export const unshaped: WriteOptions = { key: "ignored", parseQuery: parseNoQuery };

/**
 * Parse, plan, act, respond. Everything after the plan is one transaction, with the record of the Idempotency-Key and the
 * look-up of a secret. If that look-up fails, the resource is rolled back, because its secret could never be shown.
 */
export function write<Plan, Result>(
  of: Resource,
  dependencies: RouteDependencies,
  { idsAreLiteral, key: use, parseQuery = parseShape, reveal }: WriteOptions = {},
  { act, plan, respond }: WriteSteps<Plan, Result>,
): Handler {
  const { confirmation: confirmationOf, db, holdCustomFields, sendsMail } = dependencies;
  return async (request, reply) => {
    const context = await contextOf(dependencies, of, request);
    const { actor } = context;
    const shape = parseQuery(context.catalogue, of, request.query as RawQuery);
    const { body, headers, method, url } = request;
    const key = use === "ignored" ? undefined : parseIdempotencyKey(headers["idempotency-key"]);
    if (key === undefined && use === "required") throw keyRequired();
    const route = `${method} ${request.routeOptions.url}`;
    const keyed = key === undefined ? undefined : { key, route, method, url, body };
    const version = expectedVersion(of, headers["if-match"]);

    const run = (planned: Plan) =>
      inTransaction(db, actor.accountId, async (tx) => {
        const confirmation = confirmationOf(request, actor);
        const more = {
          of,
          expectedVersion: version,
          key,
          confirmation,
          holdCustomFields,
          sendsMail,
        };
        const inside: WriteContext = { ...context, ...more, db: tx };
        const effect = async () => respond(inside, await act(inside, planned), shape);
        const answer = await (keyed ? once(tx, actor, keyed, effect) : effect());
        await confirmation.beforeCommit(tx);
        return revealed(inside, answer, reveal);
      });
    // The plan of a repeated request can fail because of the first one's effect.
    const repeat = async (error: unknown) => {
      const known = keyed && isOutdated(error) && (await recall(context.db, actor, keyed));
      if (!known) throw error;
      return revealed(context, known, reveal);
    };
    const attempt = () =>
      plan(context, request)
        .then(run, repeat)
        .catch((error: unknown) => {
          throw constraintError(of, error) ?? error;
        });
    const answer = await attempt().catch(async (error: unknown) => {
      if (idsAreLiteral || !mayNameMerged(error)) throw error;
      const current = await withKeptPeople(context, body);
      if (current === undefined) throw error;
      request.body = current;
      return attempt();
    });
    reply.code(answer.status).headers(answer.headers);
    return send(reply, answer.body);
  };
}

/** Whether an error can result from what changed since the same request had its effect. Access is always checked again. */
const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && [409, 422, 503].includes(error.status);

/** Adds the secret to the answer. It is never stored, and no cache may keep it. */
async function revealed(
  context: Pick<ReadContext, "db" | "actor" | "publicUrl">,
  answer: WriteResponse,
  reveal: Reveal | undefined,
): Promise<WriteResponse> {
  if (!answer.reveals) return answer;
  const meta = await reveal?.(context, answer.reveals);
  if (!meta) throw secretSuperseded();
  const headers = { ...answer.headers, "Cache-Control": "no-store" };
  return { ...answer, headers, body: withMeta(answer.body, meta) };
}
