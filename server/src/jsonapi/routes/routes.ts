import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import type { Confirmation } from "../../access/confirmation.ts";
import type { CallerRoute } from "../../access/identify.ts";
import { ApiError, forbidden, notFound, type Problem } from "../../base/errors.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import { type Command, requireNamed } from "../definition/command.ts";
import { constraintError } from "../sql/constraint.ts";
import { checkCustomValues } from "../request/custom-values.ts";
import { etagOf, expectedVersion, isNotModified, versionRequired } from "../request/etag.ts";
import {
  type Answer,
  keyRequired,
  once,
  parseIdempotencyKey,
  recall,
  secretSuperseded,
} from "../request/idempotency.ts";
import {
  type InputRules,
  parseEnvelope,
  parseLinkage,
  parseResource,
  type ResourceInput,
} from "../request/input.ts";
import { asItIs, checkAccept, MEDIA_TYPE } from "../request/media-type.ts";
import {
  parseListQuery,
  parseNoQuery,
  parseShape,
  parseShapeOfOne,
  type RawQuery,
  type Shape,
} from "../request/query.ts";
import type { LinkChange } from "../sql/links.ts";
import { type ListContext, type ListSource, readList } from "../sql/list.ts";
import {
  allowedReach,
  assertReadable,
  customFieldsIn,
  type OneAnswer,
  type ReadContext,
  readOne,
  resolveId,
  writeFound,
} from "../sql/read.ts";
import { readLinkage, readRelatedOne, relatedSource } from "../sql/related.ts";
import {
  type ByHand,
  type Catalogue,
  type Relationship,
  type Resource,
  type Reveal,
  targetOf,
} from "../definition/resource.ts";
import { extrasOf } from "../sql/select.ts";
import { withoutUnchanged } from "../sql/unchanged.ts";
import {
  assertMayChange,
  deleteRow,
  insertRow,
  updateRow,
  type WriteContext,
  type Written,
} from "../sql/write.ts";

export interface RouteDependencies {
  db: Db;
  catalogue: Catalogue;
  identify: (request: FastifyRequest, route: CallerRoute) => Promise<Actor>;
  confirmation: (request: FastifyRequest, caller: Actor) => Confirmation;
  customFieldsOf: ReadContext["customFieldsOf"];
  holdCustomFields: WriteContext["holdCustomFields"];
}

type Params = { id: string };

/** Every route that the definitions of a catalogue lead to. */
export function registerResources(app: FastifyInstance, dependencies: RouteDependencies): void {
  const { commands, resources } = dependencies.catalogue;
  for (const of of resources.values()) registerResource(app, new Routes(of, dependencies));
  for (const command of commands.values()) {
    const answers = resources.get(command.answers);
    if (answers)
      app.post(`/v1/${command.type}`, new Routes(answers, dependencies).command(command));
  }
}

function registerResource(app: FastifyInstance, routes: Routes): void {
  const { of } = routes;
  const { operations, relationships, type } = of;
  const path = `/v1/${type}`;
  if (operations.list) app.get(path, routes.list);
  if (operations.create) app.post(path, routes.create);
  if (operations.read) app.get(`${path}/:id`, routes.read);
  if (operations.update) app.patch(`${path}/:id`, routes.update);
  if (operations.delete) app.delete(`${path}/:id`, routes.delete);
  if (!operations.read) return;
  for (const [name, relationship] of Object.entries(relationships)) {
    const linkage = `${path}/:id/relationships/${name}`;
    app.get(`${path}/:id/${name}`, routes.related(name, relationship));
    app.get(linkage, routes.linkage(name));
    if (!relationship.writable || !operations.update) continue;
    app.patch(linkage, routes.changeLinkage(name, relationship, "replace"));
    if (relationship.kind === "to-one") continue;
    app.post(linkage, routes.changeLinkage(name, relationship, "add"));
    app.delete(linkage, routes.changeLinkage(name, relationship, "remove"));
  }
}

/** One resource's handlers: who asks, what they ask, do it, answer it. */
class Routes {
  readonly of: Resource;
  readonly #dependencies: RouteDependencies;

  constructor(of: Resource, dependencies: RouteDependencies) {
    this.of = of;
    this.#dependencies = dependencies;
  }

  readonly list = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = await this.#reading(request);
    const source = { path: `/v1/${this.of.type}` };
    return send(reply, await this.#listOf(context, this.of, request, source));
  };

  async #listOf(context: ListContext, of: Resource, request: FastifyRequest, source: ListSource) {
    const query = parseListQuery(context.catalogue, of, request.query as RawQuery, {
      actor: context.actor,
      customFields: await customFieldsIn(context, of),
    });
    return readList(context, of, query, source);
  }

  readonly read = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id: named } = request.params as Params;
    const context = await this.#reading(request);
    const shape = parseShape(context.catalogue, this.of, request.query as RawQuery);
    const id = resolveId(this.of, context.actor, named);
    return sendOne(request, reply, this.of, await readOne(context, this.of, id, shape));
  };

  related(name: string, relationship: Relationship) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const context = await this.#reading(request);
      const id = resolveId(this.of, context.actor, (request.params as Params).id);
      const target = targetOf(context.catalogue, relationship);
      if (relationship.kind === "to-many") {
        const source = await relatedSource(context, this.of, id, name, relationship);
        return send(reply, await this.#listOf(context, target, request, source));
      }
      const shape = parseShapeOfOne(context.catalogue, target, request.query as RawQuery);
      const one = await readRelatedOne(context, this.of, id, name, relationship, shape);
      return sendOne(request, reply, target, one);
    };
  }

  linkage(name: string) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const context = await this.#reading(request);
      parseNoQuery(context.catalogue, this.of, request.query as RawQuery);
      const id = resolveId(this.of, context.actor, (request.params as Params).id);
      return send(reply, await readLinkage(context, this.of, id, name));
    };
  }

  readonly create = (request: FastifyRequest, reply: FastifyReply) => {
    const { create } = this.of.operations;
    if (!create) throw notFound();
    const byHand = "run" in create ? create : undefined;
    return this.#write(request, reply, byHand, async (reading) => {
      // A scope names rows that are there: what is made anew is in none of them.
      if (allowedReach(reading.actor, this.of, create, "create") !== "everything")
        throw forbidden(`This person may not create ${this.of.type}.`);
      const rules = await this.#rules(reading, undefined);
      const input = parseResource(this.of, request.body, rules);
      await byHand?.before?.(reading, input);
      return async (context, shape) => {
        await checkCustomValues(context, input);
        const written = byHand
          ? await byHand.run(context, input)
          : await insertRow(context, this.of, input);
        return this.#created(context, written, shape, byHand?.status);
      };
    });
  };

  /** A command makes or changes what it answers: it is one more way to write it. */
  command(command: Command) {
    return (request: FastifyRequest, reply: FastifyReply) =>
      this.#write(request, reply, command, async ({ actor }) => {
        allowedReach(actor, command, command, "create");
        const input = parseResource(command, request.body, { actor, customFields: undefined });
        return async (context, shape) => {
          await requireNamed(context, command, input);
          return this.#created(context, await command.run(context, input), shape, command.status);
        };
      });
  }

  readonly update = (request: FastifyRequest, reply: FastifyReply) => {
    const { update } = this.of.operations;
    const byHand = update && "run" in update ? update : undefined;
    return this.#write(request, reply, byHand, async (reading) => {
      const id = resolveId(this.of, reading.actor, (request.params as Params).id, "update");
      const rules = await this.#rules(reading, id);
      await this.#requireVersion(reading, request, id);
      const input = await this.#existing(reading, id, async () => {
        const change = await withoutUnchanged(reading, this.of, id, request.body, rules);
        const parsed = parseResource(this.of, change, rules);
        await byHand?.before?.(reading, parsed, id);
        return parsed;
      });
      return async (context, shape) => {
        await checkCustomValues(context, input);
        return this.#answer(context, await this.#runUpdate(context, id, input), shape, 200);
      };
    });
  };

  readonly delete = (request: FastifyRequest, reply: FastifyReply) =>
    this.#write(request, reply, nothingShaped, async (reading) => {
      const operation = this.of.operations.delete;
      if (!operation) throw notFound();
      allowedReach(reading.actor, this.of, operation, "delete");
      const id = resolveId(this.of, reading.actor, (request.params as Params).id);
      await this.#requireVersion(reading, request, id);
      return async (context) => {
        if ("run" in operation) await operation.run(context, id);
        else await deleteRow(context, this.of, id);
        return { status: 204, headers: {}, body: "" };
      };
    });

  changeLinkage(name: string, relationship: Relationship, how: LinkChange["how"]) {
    const options = how === "remove" ? nothingShaped : { parseQuery: parseNoQuery };
    return (request: FastifyRequest, reply: FastifyReply) =>
      this.#write(request, reply, options, async (reading) => {
        const id = resolveId(this.of, reading.actor, (request.params as Params).id, "update");
        const { ownRecordOnly } = await this.#rules(reading, id);
        if (ownRecordOnly) throw forbidden(`This person may not change ${name}.`);
        const read = async () => readLinks(relationship, how, request.body);
        const ids = await this.#existing(reading, id, read);
        return async (context) => {
          const change = { name, how, ids, pointer: "/data" };
          await this.#applyLinkage(context, id, change).catch((error: unknown) => {
            // Here the document is the linkage.
            throw constraintError(this.of, error, () => "/data") ?? error;
          });
          return { status: 200, headers: {}, body: await readLinkage(context, this.of, id, name) };
        };
      });
  }

  async #applyLinkage(context: WriteContext, id: string, change: LinkChange) {
    const input: ResourceInput = { attributes: new Map(), toOne: new Map(), toMany: new Map() };
    if (this.of.relationships[change.name]?.kind === "to-many")
      return updateRow(context, this.of, id, input, {}, [change]);
    const toOne = new Map([[change.name, change.ids[0] ?? null]]);
    return this.#runUpdate(context, id, { ...input, toOne });
  }

  /** Who may not change it, or know that it is there, does not hear what is wrong with the change: 403 and 404 come first. */
  async #existing<T>(context: ReadContext, id: string, parse: () => Promise<T>): Promise<T> {
    try {
      return await parse();
    } catch (error) {
      if (error instanceof ApiError && error.status !== 400) {
        await assertReadable(context, this.of, id);
        await assertMayChange(context, this.of, id);
      }
      throw error;
    }
  }

  /** What has to be changed in the knowledge of its version says so, once it is known to be there. */
  async #requireVersion(context: ReadContext, { headers }: FastifyRequest, id: string) {
    const { of } = this;
    if (of.versionTag === undefined || expectedVersion(of, headers["if-match"]) !== undefined)
      return;
    await assertReadable(context, of, id);
    throw versionRequired();
  }

  #runUpdate(context: WriteContext, id: string, input: ResourceInput): Promise<Written> {
    const { update } = this.of.operations;
    return update && "run" in update
      ? update.run(context, id, input)
      : updateRow(context, this.of, id, input);
  }

  async #reading(request: FastifyRequest): Promise<ListContext> {
    checkAccept(request.headers.accept);
    const actor = await this.#dependencies.identify(request, this.of.callers ?? "data");
    const { catalogue, customFieldsOf, db } = this.#dependencies;
    return { db, catalogue, actor, customFieldsOf };
  }

  async #rules(context: ReadContext, id: string | undefined): Promise<InputRules> {
    const { actor } = context;
    const customFields = await customFieldsIn(context, this.of);
    if (id === undefined) return { actor, customFields };
    const { update } = this.of.operations;
    if (!update) throw notFound();
    const reach = allowedReach(actor, this.of, update, "change");
    const ownRecordOnly =
      reach !== "everything" &&
      reach.every(({ scope }) => scope === "self") &&
      id === actor.personId;
    return { actor, customFields, id, ownRecordOnly };
  }

  /**
   * `prepare` refuses what can be refused without a transaction and answers what is left to do. The rest is one
   * transaction, the memory of its Idempotency-Key included. A secret is read within it: where that fails, nothing was
   * made whose secret nobody has seen.
   */
  async #write(
    request: FastifyRequest,
    reply: FastifyReply,
    { key: use, parseQuery = parseShape, reveal }: WriteOptions = {},
    prepare: (reading: ListContext) => Promise<Effect>,
  ) {
    const { of } = this;
    const reading = await this.#reading(request);
    const shape = parseQuery(reading.catalogue, of, request.query as RawQuery);
    const { actor } = reading;
    const { body, headers, method, url } = request;
    const key = use === "ignored" ? undefined : parseIdempotencyKey(headers["idempotency-key"]);
    if (key === undefined && use === "required") throw keyRequired();
    const route = `${method} ${request.routeOptions.url}`;
    const keyed = key === undefined ? undefined : { key, route, method, url, body };
    const version = expectedVersion(of, headers["if-match"]);

    const { db, holdCustomFields } = this.#dependencies;
    const confirmation = this.#dependencies.confirmation(request, actor);

    const write = (run: Effect) =>
      inTransaction(db, async (tx) => {
        const asked = { of, expectedVersion: version, key, confirmation, holdCustomFields };
        const context: WriteContext = { ...reading, ...asked, db: tx };
        const effect = () => run(context, shape);
        const answer = await (keyed ? once(tx, actor, keyed, effect) : effect());
        await confirmation.beforeCommit(tx);
        return revealed(context, answer, reveal);
      });
    const repeat = async (refusal: unknown) => {
      const known = keyed && isOutdated(refusal) && (await recall(reading.db, actor, keyed));
      if (!known) throw refusal;
      return revealed(reading, known, reveal);
    };
    const answer = await prepare(reading)
      .then(write, repeat)
      .catch((error: unknown) => {
        throw constraintError(of, error) ?? error;
      });
    reply.code(answer.status).headers(answer.headers);
    return send(reply, answer.body);
  }

  /** The answer that says where it is, too. */
  async #created(context: WriteContext, written: Written, shape: Shape, status = 201) {
    const answer = await this.#answer(context, written, shape, status);
    const location = `/v1/${this.of.type}/${written.id}`;
    return { ...answer, headers: { ...answer.headers, Location: location } };
  }

  async #answer(context: WriteContext, written: Written, shape: Shape, status: number) {
    const { found, id, reveals } = written;
    const extras = extrasOf(this.of, shape.fields.get(this.of.type), "one");
    const enough = found && !shape.include && extras.length === 0;
    const { body, version } = enough
      ? await writeFound(context, this.of, id, found, shape)
      : await readOne(context, this.of, id, shape);
    const headers = { ETag: etagOf(this.of, version, body) };
    return { status, headers, body, ...(reveals && { reveals }) };
  }
}

function sendOne(request: FastifyRequest, reply: FastifyReply, of: Resource, one: OneAnswer) {
  const etag = etagOf(of, one.version, one.body);
  reply.header("ETag", etag);
  // An ETag of the version alone says nothing about what else the answer shows.
  const notModified = isNotModified(request.headers["if-none-match"], etag);
  if (of.versionTag === undefined && notModified) return reply.code(304).send();
  return send(reply, one.body);
}

type Effect = (context: WriteContext, shape: Shape) => Promise<Answer>;

interface WriteOptions extends Partial<Pick<ByHand, "key" | "reveal">> {
  parseQuery?: typeof parseShape;
}

/** A DELETE has the same effect however often it is sent, and shows nothing that could be shaped. */
const nothingShaped: WriteOptions = { key: "ignored", parseQuery: parseNoQuery };

/** Whether a refusal can come of what has changed since the same request had its effect. Rights are asked for anew. */
const isOutdated = (refusal: unknown): boolean =>
  refusal instanceof ApiError && [409, 422, 503].includes(refusal.status);

/** The answer with its secret, which stays out of the database and of every cache. */
async function revealed(
  context: Pick<ReadContext, "db" | "actor">,
  answer: Answer,
  reveal: Reveal | undefined,
): Promise<Answer> {
  if (!answer.reveals) return answer;
  const meta = await reveal?.(context, answer.reveals);
  if (!meta) throw secretSuperseded();
  const document = JSON.parse(answer.body) as { data: object };
  const body = JSON.stringify({ ...document, data: { ...document.data, meta } });
  return { ...answer, headers: { ...answer.headers, "Cache-Control": "no-store" }, body };
}

function readLinks(relationship: Relationship, how: LinkChange["how"], body: unknown): string[] {
  const problems: Problem[] = [];
  const malformedIds: Problem[] = [];
  const data = parseEnvelope(body, problems);
  const ids = parseLinkage(relationship, data, "/data", problems, malformedIds);
  // What is removed is not looked up: malformed ids are told now or never.
  if (problems.length > 0 || how === "remove") problems.push(...malformedIds);
  if (problems.length > 0) throw new ApiError(problems);
  return ids;
}

function send(reply: FastifyReply, body: string) {
  if (body === "") return reply.send();
  // As text, a long one is copied twice more on its way out: to be measured, and to be joined with the headers.
  const sent = body.length < LONG ? body : Buffer.from(body);
  return reply.header("Content-Type", MEDIA_TYPE).serializer(asItIs).send(sent);
}

const LONG = 16_384;
