import type { CallerRoute } from "../access/identify.ts";
import type { Policy } from "../access/policy.ts";
import type { Code } from "../base/errors.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import {
  commonResponses,
  errorExamples,
  errorSchema,
  errorsOf,
  headers,
  headersOf,
  type Kind,
} from "./answers.ts";
import { examplesOf, newExample, type ResourceExample } from "./examples.ts";
import {
  commonParameters,
  idParameter,
  isCached,
  keyParameters,
  listParameters,
  parametersOf,
  shapeParameters,
  validators,
  versionParameter,
} from "./parameters.ts";
import {
  commonSchemas,
  inputSchemas,
  type Json,
  nameOf,
  pascal,
  ref,
  schemaRef,
  schemasOf,
  singular,
} from "./schemas.ts";
import {
  type ByHand,
  type Catalogue,
  type Command,
  policyOf,
  type Resource,
  targetOf,
} from "../jsonapi/definition/resource.ts";
import type { Relationship } from "../jsonapi/definition/relationships.ts";

export interface OpenApiOptions {
  version: string;
  /** Where the service is; without it, wherever the document was read from. */
  serverUrl?: string;
  title?: string;
  description?: string;
  /** Realistic values by type; what is not given is made from the schema. */
  examples?: Readonly<Record<string, ResourceExample>>;
  /** By operationId, what operations that are written by hand refuse beyond what the kernel does. */
  refusals?: Readonly<Record<string, readonly Code[]>>;
  /** By operationId, what to say where the words for all operations of the kind are not true. */
  words?: Readonly<Record<string, OwnWords>>;
}

export interface OwnWords {
  /** How it is asked for. */
  asked?: string;
  /** What the answer is. */
  answered?: string;
}

/** OpenAPI 3.1 of every route that a catalogue leads to: what routes.ts registers, for people and their tools. */
export function openApiDocument(catalogue: Catalogue, options: OpenApiOptions) {
  const types = [...catalogue.resources.values()];
  const commands = [...catalogue.commands.values()];
  return {
    openapi: "3.1.0",
    info: {
      title: options.title ?? "JSON:API",
      version: options.version,
      ...(options.description !== undefined && { description: options.description }),
    },
    servers: [{ url: options.serverUrl ?? "/" }],
    // Tools show the first: a call as an integration sends it. A first-party page needs the access token alone.
    security: [{ accessToken: [], clientToken: [] }, { accessToken: [] }],
    tags: types.map(({ type, description }) => ({ name: type, description })),
    paths: Object.assign(
      {},
      ...types.map((of) => new Paths(catalogue, of, options).all()),
      ...commands.map((command) => commandPath(catalogue, command, options)),
    ) as Json,
    components: {
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A person's access token, from `POST /authenticate`. It is enough on a page of a first-party origin; everybody else, `curl` in a terminal as well, sends a client token beside it.",
        },
        clientToken: {
          type: "apiKey",
          in: "header",
          name: "X-SVC-API-Token",
          description:
            "Empty on pages of a first-party origin, the service's own among them. Every request from outside carries an integration's client token; an operation that lists the access token alone refuses it.",
        },
      },
      parameters: Object.assign(
        {},
        commonParameters,
        ...types.map((of) => parametersOf(catalogue, of)),
      ) as Json,
      headers,
      responses: commonResponses(new Set(types.map(callersOf))),
      schemas: Object.assign(
        { Errors: errorSchema },
        commonSchemas(types.map(({ type }) => type)),
        ...types.map(schemasOf),
        ...commands.map((command) => inputSchemas(command, `New${nameOf(command.type)}`, true)),
      ) as Json,
      examples: Object.assign(
        {},
        errorExamples,
        ...types.map((of) => examplesOf(catalogue, of, options.examples?.[of.type])),
        ...commands.map((of) => newExample(catalogue, of, options.examples?.[of.type])),
      ) as Json,
    },
  };
}

type Method = "get" | "post" | "patch" | "delete";

interface Operation {
  operationId: string;
  summary: string;
  description?: string | undefined;
  kind: Kind;
  parameters?: readonly Json[];
  /** The names of the body's schema and example. */
  body?: { schema: string; example?: string };
  answers: Json;
  /** What it is refused for beside what its kind is, and what it is not. */
  more?: readonly Code[];
  less?: readonly Code[];
}

const callersOf = ({ callers = "data" }: { callers?: CallerRoute | undefined }): CallerRoute =>
  callers;

/** An operation as the document has it. */
function operationObject(
  { callers, tag }: { callers: CallerRoute; tag: string },
  { answers, body, kind, less = [], more = [], ...told }: Operation,
  { refusals = {} }: OpenApiOptions,
): Json {
  const byHand = refusals[told.operationId] ?? [];
  return {
    tags: [tag],
    ...told,
    // For people: a client token is refused.
    ...(callers === "webhook-management" && { security: [{ accessToken: [] }] }),
    ...(body && { requestBody: requestBody(body) }),
    responses: { ...answers, ...errorsOf({ kind, callers, more: [...more, ...byHand], less }) },
  };
}

/** What follows of a key that is required or passed over, of a secret in the answer, and of what an action is done to. */
function codesOf(
  { key, reveal }: Partial<Pick<ByHand, "key" | "reveal">> = {},
  relationships: Record<string, Relationship> = {},
) {
  const more: Code[] = [];
  if (Object.values(relationships).some((one) => one.kind === "to-one" && one.subject))
    more.push("not-found");
  if (key === "required") more.push("idempotency-key-required");
  if (reveal && key !== "ignored") more.push("secret-superseded");
  return { more, less: key === "ignored" ? (["idempotency-key-reused"] as const) : [] };
}

const onceShown = (of: { reveal?: unknown } | undefined) =>
  of?.reveal !== undefined &&
  "`data.meta` of the answer shows the secret, which is never read again.";

const answerHeaders = (key?: ByHand["key"]): Parameters<typeof headersOf> =>
  key === "ignored" ? ["ETag", "Location"] : ["ETag", "Location", "Idempotent-Replay"];

const unlessModified = (of: Resource): Json =>
  isCached(of)
    ? { 304: { description: "It is as `If-None-Match` knows it.", headers: headersOf("ETag") } }
    : {};

function commandPath(catalogue: Catalogue, command: Command, options: OpenApiOptions): Json {
  const answers = targetOf(catalogue, { target: command.answers });
  const name = nameOf(command.type);
  const operation: Operation = {
    operationId: `create${name}`,
    summary: `Create ${a(command.type)}`,
    description: sentences(command.description, needs(command.allow), onceShown(command)),
    kind: "Create",
    parameters: [...keyParameters(command.key), ...shapeParameters(answers)],
    body: { schema: `New${name}` },
    answers: {
      [command.status]: answer(
        `The ${words(singular(answers.type))}.`,
        `${nameOf(answers.type)}Document`,
        answerHeaders(command.key),
      ),
    },
    ...codesOf(command, command.relationships),
  };
  const place = { callers: callersOf(command), tag: answers.type };
  return { [`/v1/${command.type}`]: { post: operationObject(place, operation, options) } };
}

/** The paths of one type. */
class Paths {
  readonly #catalogue: Catalogue;
  readonly #of: Resource;
  readonly #options: OpenApiOptions;
  readonly #paths: Record<string, Partial<Record<Method, Json>>> = {};

  constructor(catalogue: Catalogue, of: Resource, options: OpenApiOptions) {
    this.#catalogue = catalogue;
    this.#of = of;
    this.#options = options;
  }

  all(): Record<string, Json> {
    const { operations, type } = this.#of;
    const one = `/v1/${type}/{id}`;
    if (operations.list) this.#add(`/v1/${type}`, "get", this.#list(operations.list));
    if (operations.create) this.#add(`/v1/${type}`, "post", this.#create(operations.create));
    if (operations.read) this.#add(one, "get", this.#read(operations.read));
    if (operations.update) this.#add(one, "patch", this.#update(operations.update));
    if (operations.delete) this.#add(one, "delete", this.#delete(operations.delete));
    if (operations.read) this.#relationships(one);
    return this.#paths;
  }

  #add(path: string, method: Method, operation: Operation) {
    const place = { callers: callersOf(this.#of), tag: this.#of.type };
    (this.#paths[path] ??= {})[method] = operationObject(place, operation, this.#options);
  }

  #list(policy: Policy): Operation {
    const { type, customProperties } = this.#of;
    const custom =
      "`filter[custom-properties.<field>]` filters by a field the church defined for itself.";
    return {
      operationId: `list${pascal(type)}`,
      summary: `List ${words(type)}`,
      description: sentences(needs(policy), customProperties && custom),
      kind: "List",
      parameters: listParameters(this.#of),
      answers: { 200: answer("A page of them.", `${this.#name}List`) },
    };
  }

  #create(operation: NonNullable<Resource["operations"]["create"]>): Operation {
    const byHand = "run" in operation ? operation : undefined;
    const { less, more } = codesOf(byHand, this.#of.relationships);
    const operationId = `create${this.#name}`;
    const { asked, answered = "It was created." } = this.#words(operationId);
    return {
      operationId,
      summary: `Create ${a(this.#of.type)}`,
      description: sentences(needs(policyOf(operation)), asked, onceShown(byHand)),
      kind: "Create",
      parameters: [...keyParameters(byHand?.key), ...this.#shape],
      body: { schema: `New${this.#name}`, example: `New${this.#name}` },
      answers: {
        [byHand?.status ?? 201]: answer(
          answered,
          `${this.#name}Document`,
          answerHeaders(byHand?.key),
        ),
      },
      more: [...this.#constraints, ...more],
      less,
    };
  }

  #read(policy: Policy): Operation {
    return {
      operationId: `read${this.#name}`,
      summary: `Read ${a(this.#of.type)}`,
      description: needs(policy),
      kind: "Read",
      parameters: [this.#id, ...validators(this.#of), ...this.#shape],
      answers: {
        200: answer(`The ${words(singular(this.#of.type))}.`, `${this.#name}Document`, ["ETag"]),
        ...unlessModified(this.#of),
      },
    };
  }

  #update(operation: NonNullable<Resource["operations"]["update"]>): Operation {
    const byHand = "run" in operation ? operation : undefined;
    const { less, more } = codesOf(byHand);
    const operationId = `update${this.#name}`;
    const {
      asked = "What is not sent stays as it is, and the whole resource may be sent as it was read.",
      answered = "As it is now.",
    } = this.#words(operationId);
    return {
      operationId,
      summary: `Change ${a(this.#of.type)}`,
      description: sentences(needs(policyOf(operation)), asked, onceShown(byHand)),
      kind: "Update",
      parameters: [
        this.#id,
        versionParameter(this.#of),
        ...keyParameters(byHand?.key),
        ...this.#shape,
      ],
      body: { schema: `${this.#name}Changes`, example: `${this.#name}Changes` },
      answers: {
        200: answer(answered, `${this.#name}Document`, ["ETag", "Idempotent-Replay"]),
      },
      more: [...this.#constraints, ...this.#versioned, ...more],
      less,
    };
  }

  #delete(operation: NonNullable<Resource["operations"]["delete"]>): Operation {
    return {
      operationId: `delete${this.#name}`,
      summary: `Delete ${a(this.#of.type)}`,
      description: sentences(needs(policyOf(operation)), "Permanent: it cannot be undone."),
      kind: "Delete",
      parameters: [this.#id, versionParameter(this.#of)],
      answers: { 204: { description: "It is gone.", headers: headersOf() } },
      more: [
        ...this.#constraints.filter((code) => code === "still-referenced"),
        ...this.#versioned,
      ],
    };
  }

  #relationships(one: string): void {
    for (const [name, relationship] of Object.entries(this.#of.relationships)) {
      const linkage = `${one}/relationships/${name}`;
      this.#add(`${one}/${name}`, "get", this.#related(name, relationship));
      this.#add(linkage, "get", this.#linkage(name, relationship));
      if (!relationship.writable || !this.#of.operations.update) continue;
      this.#add(linkage, "patch", this.#changeLinkage("replace", name, relationship));
      if (relationship.kind === "to-one") continue;
      this.#add(linkage, "post", this.#changeLinkage("add", name, relationship));
      this.#add(linkage, "delete", this.#changeLinkage("remove", name, relationship));
    }
  }

  #related(name: string, relationship: Relationship): Operation {
    const target = targetOf(this.#catalogue, relationship);
    const isOne = relationship.kind === "to-one";
    const title = nameOf(target.type);
    return {
      operationId: `${isOne ? "read" : "list"}${pascal(name)}Of${this.#name}`,
      summary: `${isOne ? "Read" : "List"} ${name} of ${a(this.#of.type)}`,
      kind: "Related",
      parameters: isOne
        ? [this.#id, ...validators(target), ...shapeParameters(target)]
        : [this.#id, ...listParameters(target)],
      answers: isOne
        ? {
            200: answer(
              "The resource, or null.",
              `${title}OrNullDocument`,
              ["ETag"],
              `${title}Document`,
            ),
            ...unlessModified(target),
          }
        : { 200: answer("A page of them.", `${title}List`) },
    };
  }

  #linkage(name: string, relationship: Relationship): Operation {
    return {
      operationId: `read${pascal(name)}LinkageOf${this.#name}`,
      summary: `Read the linkage of ${name} of ${a(this.#of.type)}`,
      kind: "Linkage",
      parameters: [this.#id],
      answers: { 200: linkageAnswer(relationship, "Type and id of each.") },
    };
  }

  #changeLinkage(how: keyof typeof changes, name: string, relationship: Relationship): Operation {
    const { update } = this.#of.operations;
    return {
      operationId: `${how}${pascal(name)}Of${this.#name}`,
      summary: `${changes[how]} ${name} of ${a(this.#of.type)}`,
      description: update && needs(policyOf(update)),
      kind: "LinkageChange",
      parameters: [
        this.#id,
        versionParameter(this.#of),
        ...keyParameters(how === "remove" ? "ignored" : "optional"),
      ],
      body: { schema: `${nameOf(relationship.target)}${toWhat(relationship)}Change` },
      answers: { 200: linkageAnswer(relationship, "As it is now.") },
      more: this.#constraints,
    };
  }

  #words(operationId: string): OwnWords {
    return this.#options.words?.[operationId] ?? {};
  }

  get #name(): string {
    return nameOf(this.#of.type);
  }

  get #id(): Json {
    return idParameter(this.#of);
  }

  get #shape(): Json[] {
    return shapeParameters(this.#of);
  }

  get #versioned(): Code[] {
    return this.#of.versionTag === undefined ? [] : ["precondition-required"];
  }

  get #constraints(): Code[] {
    return Object.values(this.#of.constraints ?? {}).map(({ code }) => code ?? "invalid-attribute");
  }
}

const changes = { replace: "Replace", add: "Add to", remove: "Remove from" } as const;

const words = (name: string): string => name.replaceAll("-", " ");

const a = (type: string): string => {
  const one = words(singular(type));
  return `${/^[aeio]/.test(one) ? "an" : "a"} ${one}`;
};

const sentences = (...parts: (string | false | undefined)[]): string =>
  parts.filter(Boolean).join(" ");

const needs = (policy: Policy): string =>
  policy.kind === "permission"
    ? `Needs the permission \`${policy.permission}\`.`
    : "Needs a full administrator.";

const toWhat = ({ kind }: Relationship) => (kind === "to-one" ? "ToOne" : "ToMany");

function content(schema: string, example?: string): Json {
  return {
    [MEDIA_TYPE]: {
      schema: schemaRef(schema),
      ...(example !== undefined && { examples: { default: ref("examples", example) } }),
    },
  };
}

const requestBody = ({ schema, example = schema }: NonNullable<Operation["body"]>): Json => ({
  required: true,
  content: content(schema, example),
});

const answer = (
  description: string,
  schema: string,
  more: Parameters<typeof headersOf> = [],
  example = schema,
): Json => ({ description, headers: headersOf(...more), content: content(schema, example) });

const linkageAnswer = (relationship: Relationship, description: string): Json =>
  answer(description, `${nameOf(relationship.target)}${toWhat(relationship)}Document`);
