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
  takeKey,
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
import { endsLogin } from "../sql/rights.ts";
import { withEndedLogin, withMeta } from "./documents.ts";
import {
  againAfterMerge,
  namedIds,
  type NamingDocument,
  type NamingPeople,
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

/** A request whose caller is known and whose query, headers and key were parsed. */
interface BegunWrite extends NamingPeople {
  context: RequestContext;
  shape: Shape;
  keyed: KeyedRequest | undefined;
  sent: WriteRequest;
}

/** All steps of a write, in the order in which they happen. */
export function write<Plan, Result>(
  resource: Resource,
  dependencies: RouteDependencies,
  { parseQuery = parseShape, ...options }: WriteOptions = {},
  { act, plan, respond }: WriteSteps<Plan, Result>,
): Handler {
  const { confirmation: confirmationOf, db, lockCustomFields, sendsMail } = dependencies;
  const { attributes, idsAreLiteral, isLinkage, key: use, reveal } = options;
  const naming = { resource, attributes, isLinkage };

  /** Finds the caller and the people who were kept for the merged ones in the document, and parses all but the document. */
  const begin = async (request: FastifyRequest): Promise<BegunWrite> => {
    const ids = idsAreLiteral ? [] : namedIds(request.body, naming);
    const context = await contextOf(dependencies, resource, request, ids);
    const shape = parseQuery(context.catalogue, resource, request.query as RawQuery);
    const keyed = use === "ignored" ? undefined : keyedRequest(request);
    if (!keyed && use === "required") throw keyRequired();
    const version = expectedVersion(resource, request.headers["if-match"]);
    const document = await withKeptPeople(context, request.body, naming);
    const sent = { id: idIn(request), document, expectedVersion: version };
    return { context, ids, shape, keyed, sent };
  };

  /** The plan of a repeated request can fail because of the first one's effect. Its answer is then that of the first one. */
  const planOrRecall = async ({ context, keyed, sent }: BegunWrite): Promise<Planned<Plan>> => {
    try {
      return { plan: await plan(context, sent) };
    } catch (error) {
      const known = keyed && isOutdated(error) && (await recall(context.db, context.actor, keyed));
      if (!known) throw error;
      return { answer: await revealed(context, known, reveal) };
    }
  };

  /**
   * One transaction, with the record of the Idempotency-Key and the look-up of a secret. If that look-up fails, the resource is
   * rolled back, because its secret could never be shown.
   */
  const commit = (
    request: FastifyRequest,
    { context, ids, keyed, sent, shape }: BegunWrite,
    planned: Plan,
  ): Promise<WriteResponse> =>
    inTransaction(db, context.actor.accountId, async (tx) => {
      const { actor } = context;
      const inside: WriteContext = {
        ...context,
        resource,
        expectedVersion: sent.expectedVersion,
        key: keyed?.key,
        confirmation: confirmationOf(request, actor),
        lockCustomFields,
        sendsMail,
        db: tx,
      };
      // Act and respond, unless an earlier request with the key did.
      const known = keyed && (await takeKey(tx, actor, keyed));
      const done = known ?? (await respond(inside, await act(inside, planned), shape));
      const response = endsLogin(tx) ? withEndedLogin(done) : done;
      // Confirm, remember and reveal.
      await inside.confirmation.beforeCommit(tx);
      if (keyed && !known) await remember(tx, actor, keyed, response);
      const about = { type: resource.type, request: request.id, ip: request.ip };
      // The document no longer has the ids that the caller's statement resolved.
      signWrites(
        tx,
        actor,
        about,
        ids.filter((id) => !actor.keptIds?.has(id)),
      );
      return revealed(inside, response, reveal);
    });

  const finish = async (request: FastifyRequest, begun: BegunWrite): Promise<WriteResponse> => {
    try {
      const planned = await planOrRecall(begun);
      return "answer" in planned ? planned.answer : await commit(request, begun, planned.plan);
    } catch (error) {
      const verb = request.method === "DELETE" && !isLinkage ? "delete" : undefined;
      throw constraintError(begun.context, resource, error, verb) ?? error;
    }
  };

  return async (request, reply) => {
    const { body, headers, status } = await againAfterMerge(
      () => begin(request),
      (begun) => finish(request, begun),
    );
    reply.code(status).headers(headers);
    return send(reply, body);
  };
}

type Planned<Plan> = { plan: Plan } | { answer: WriteResponse };

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
