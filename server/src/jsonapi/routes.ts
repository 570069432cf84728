import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../access/actor.ts";
import type { Confirmation } from "../access/confirmation.ts";
import { ApiError, forbidden, notFound, type Problem } from "../errors.ts";
import { type Db, inTransaction } from "../store/db.ts";
import { constraintError } from "./constraint.ts";
import type { CustomFields } from "./custom-fields.ts";
import { checkCustomValues } from "./custom-values.ts";
import { etagOf, expectedVersion, isNotModified } from "./etag.ts";
import { type Answer, once, parseIdempotencyKey } from "./idempotency.ts";
import {
  type InputRules,
  parseEnvelope,
  parseLinkage,
  parseResource,
  type ResourceInput,
} from "./input.ts";
import { asItIs, checkAccept, MEDIA_TYPE } from "./media-type.ts";
import {
  parseListQuery,
  parseNoQuery,
  parseShape,
  parseShapeOfOne,
  type RawQuery,
  type Shape,
} from "./query.ts";
import type { LinkChange } from "./links.ts";
import { readList } from "./list.ts";
import { assertReadable, type ReadContext, readOne, resolveId, writeFound } from "./read.ts";
import { readLinkage, readRelatedOne, relatedSource } from "./related.ts";
import { type Catalogue, type Relationship, type Resource, targetOf } from "./resource.ts";
import { onRequest } from "./select.ts";
import { withoutUnchanged } from "./unchanged.ts";
import {
  allowedReach,
  deleteRow,
  insertRow,
  updateRow,
  type WriteContext,
  type Written,
} from "./write.ts";

export interface RouteDependencies {
  db: Db;
  catalogue: Catalogue;
  identify: (request: FastifyRequest) => Promise<Actor>;
  confirmation: (request: FastifyRequest, caller: Actor) => Confirmation;
  customFieldsOf: ReadContext["customFieldsOf"];
  holdCustomFields: WriteContext["holdCustomFields"];
}

interface Params {
  id: string;
}

/** Every route that the definitions of a catalogue lead to. */
export function registerResources(app: FastifyInstance, dependencies: RouteDependencies): void {
  for (const of of dependencies.catalogue.values())
    registerResource(app, new Routes(of, dependencies));
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
    return send(
      reply,
      await this.#listOf(context, this.of, request, { path: `/v1/${this.of.type}` }),
    );
  };

  async #listOf(
    context: ReadContext,
    of: Resource,
    request: FastifyRequest,
    source: { path: string },
  ) {
    const query = parseListQuery(context.catalogue, of, request.query as RawQuery, {
      actor: context.actor,
      customFields: await this.#fields(context, of),
    });
    return readList(context, of, query, source);
  }

  readonly read = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = await this.#reading(request);
    const shape = parseShape(context.catalogue, this.of, request.query as RawQuery);
    const id = resolveId(this.of, context.actor, (request.params as Params).id);
    const { body, version } = await readOne(context, this.of, id, shape);
    const etag = etagOf(version, body);
    reply.header("ETag", etag);
    if (isNotModified(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return send(reply, body);
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
      return send(reply, await readRelatedOne(context, this.of, id, name, relationship, shape));
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

  readonly create = (request: FastifyRequest, reply: FastifyReply) =>
    this.#write(request, reply, async (reading) => {
      const { create } = this.of.operations;
      if (!create) throw notFound();
      // A scope names rows that are there: what is made anew is in none of them.
      if (allowedReach(reading.actor, this.of, create, "create") !== "everything")
        throw forbidden(`This person may not create ${this.of.type}.`);
      const input = await this.#input(reading, request.body);
      return async (context, shape) => {
        await checkCustomValues(context, input);
        const written =
          "run" in create
            ? await create.run(context, input)
            : await insertRow(context, this.of, input);
        const answer = await this.#answer(context, written, shape, 201);
        const location = `/v1/${this.of.type}/${written.id}`;
        return { ...answer, headers: { ...answer.headers, Location: location } };
      };
    });

  readonly update = (request: FastifyRequest, reply: FastifyReply) =>
    this.#write(request, reply, async (reading) => {
      const id = resolveId(this.of, reading.actor, (request.params as Params).id);
      const input = await this.#existing(reading, id, this.#input(reading, request.body, id));
      return async (context, shape) => {
        await checkCustomValues(context, input);
        return this.#answer(context, await this.#runUpdate(context, id, input), shape, 200);
      };
    });

  readonly delete = (request: FastifyRequest, reply: FastifyReply) =>
    this.#write(
      request,
      reply,
      async (reading) => {
        const operation = this.of.operations.delete;
        if (!operation) throw notFound();
        allowedReach(reading.actor, this.of, operation, "delete");
        const id = resolveId(this.of, reading.actor, (request.params as Params).id);
        return async (context) => {
          if ("run" in operation) await operation.run(context, id);
          else await deleteRow(context, this.of, id);
          return { status: 204, headers: {}, body: "" };
        };
      },
      parseNoQuery,
    );

  changeLinkage(name: string, relationship: Relationship, how: LinkChange["how"]) {
    return (request: FastifyRequest, reply: FastifyReply) =>
      this.#write(
        request,
        reply,
        async (reading) => {
          const id = resolveId(this.of, reading.actor, (request.params as Params).id);
          const { ownRecordOnly } = await this.#rules(reading, id);
          if (ownRecordOnly) throw forbidden(`This person may not change ${name}.`);
          const ids = await this.#existing(reading, id, readLinks(relationship, request.body));
          return async (context) => {
            await this.#applyLinkage(context, id, { name, how, ids }, relationship).catch(
              (error: unknown) => {
                // Here the document is the linkage.
                throw constraintError(this.of, error, () => "/data") ?? error;
              },
            );
            return {
              status: 200,
              headers: {},
              body: await readLinkage(context, this.of, id, name),
            };
          };
        },
        parseNoQuery,
      );
  }

  async #applyLinkage(
    context: WriteContext,
    id: string,
    change: LinkChange,
    relationship: Relationship,
  ) {
    const input: ResourceInput = { attributes: new Map(), toOne: new Map(), toMany: new Map() };
    if (relationship.kind === "to-many")
      return updateRow(context, this.of, id, input, {}, [change]);
    const toOne = new Map([[change.name, change.ids[0] ?? null]]);
    return this.#runUpdate(context, id, { ...input, toOne });
  }

  /** Of what does not exist nobody hears what is wrong with a change to it: 404 comes before 409 and 422. */
  async #existing<T>(context: ReadContext, id: string, parsing: Promise<T>): Promise<T> {
    try {
      return await parsing;
    } catch (error) {
      if (error instanceof ApiError && error.status !== 400)
        await assertReadable(context, this.of, id);
      throw error;
    }
  }

  #runUpdate(context: WriteContext, id: string, input: ResourceInput): Promise<Written> {
    const { update } = this.of.operations;
    return update && "run" in update
      ? update.run(context, id, input)
      : updateRow(context, this.of, id, input);
  }

  async #reading(request: FastifyRequest): Promise<ReadContext> {
    checkAccept(request.headers.accept);
    const actor = await this.#dependencies.identify(request);
    const { catalogue, customFieldsOf, db } = this.#dependencies;
    return { db, catalogue, actor, customFieldsOf };
  }

  #fields(context: ReadContext, of: Resource): Promise<CustomFields | undefined> {
    return of.customProperties
      ? context.customFieldsOf(context.db, context.actor, of)
      : Promise.resolve(undefined);
  }

  async #rules(context: ReadContext, id: string | undefined): Promise<InputRules> {
    const { actor } = context;
    const customFields = await this.#fields(context, this.of);
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

  async #input(context: ReadContext, body: unknown, id?: string): Promise<ResourceInput> {
    const rules = await this.#rules(context, id);
    const change = id === undefined ? body : await withoutUnchanged(context, this.of, id, body);
    return parseResource(this.of, change, rules);
  }

  /**
   * `prepare` refuses what can be refused without a transaction and answers what is left to do. The rest is one
   * transaction, the memory of its Idempotency-Key included.
   */
  async #write(
    request: FastifyRequest,
    reply: FastifyReply,
    prepare: (
      reading: ReadContext,
    ) => Promise<(context: WriteContext, shape: Shape) => Promise<Answer>>,
    parseQuery: typeof parseShape = parseShape,
  ) {
    const reading = await this.#reading(request);
    const shape = parseQuery(reading.catalogue, this.of, request.query as RawQuery);
    const key =
      request.method === "DELETE"
        ? undefined
        : parseIdempotencyKey(request.headers["idempotency-key"]);
    const version = expectedVersion(request.headers["if-match"]);
    const run = await prepare(reading);
    const { db, holdCustomFields } = this.#dependencies;
    const confirmation = this.#dependencies.confirmation(request, reading.actor);
    const runOnce = (context: WriteContext) => {
      if (key === undefined) return run(context, shape);
      const { body, method, url } = request;
      const route = `${method} ${request.routeOptions.url}`;
      const keyed = { key, route, method, url, body };
      return once(context.db, reading.actor, keyed, () => run(context, shape));
    };
    const answer = await inTransaction(db, async (tx) => {
      const asked = { of: this.of, expectedVersion: version, confirmation, holdCustomFields };
      const done = await runOnce({ ...reading, ...asked, db: tx });
      await confirmation.beforeCommit(tx);
      return done;
    }).catch((error: unknown) => {
      throw constraintError(this.of, error) ?? error;
    });
    reply.code(answer.status).headers(answer.headers);
    return send(reply, answer.body);
  }

  async #answer(
    context: WriteContext,
    written: Written,
    shape: Shape,
    status: number,
  ): Promise<Answer> {
    const { found, id } = written;
    const enough =
      found && !shape.include && onRequest(this.of, shape.fields.get(this.of.type)).length === 0;
    const { body, version } = enough
      ? await writeFound(context, this.of, id, found, shape)
      : await readOne(context, this.of, id, shape);
    return { status, headers: { ETag: etagOf(version, body) }, body };
  }
}

async function readLinks(relationship: Relationship, body: unknown): Promise<string[]> {
  const problems: Problem[] = [];
  const ids = parseLinkage(relationship, parseEnvelope(body), "/data", problems);
  if (problems.length > 0) throw new ApiError(problems);
  return ids;
}

function send(reply: FastifyReply, body: string) {
  if (body === "") return reply.send();
  return reply.header("Content-Type", MEDIA_TYPE).serializer(asItIs).send(body);
}
