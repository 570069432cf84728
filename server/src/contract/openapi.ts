import type { CallerRoute } from "../access/identify.ts";
import type { Policy } from "../access/policy.ts";
import type { Code } from "../base/errors.ts";
import type { Command } from "../jsonapi/definition/command.ts";
import { policyOf } from "../jsonapi/definition/operations.ts";
import {
  isLinkable,
  linkPolicyOf,
  type Relationship,
} from "../jsonapi/definition/relationships.ts";
import type {
  FileOperation,
  HandwrittenOperation,
  Resource,
} from "../jsonapi/definition/resource.ts";
import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { definitionOf, targetOf } from "../jsonapi/definition/targets.ts";
import { codesOf, errorsText, type Kind, linkageErrorsText } from "./error-codes.ts";
import { changeExample, creationExample } from "./examples.ts";
import { type Json, nameOf, pascal, ref, singular, text } from "./json.ts";
import { Named } from "./named.ts";
import {
  commonParameters,
  filterSchemas,
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
  publicParameters,
  publicPaths,
  publicSchemas,
  publicSecurityScheme,
  publicTag,
  publicWritePath,
  publicWriteSchemas,
} from "./public-paths.ts";
import {
  commonResponses,
  content,
  errorResponse,
  errorSchemas,
  type HeaderName,
  headers,
  response,
  responseRef,
  responsesOf,
} from "./responses.ts";
import { sessionSecurity } from "./session-paths.ts";
import { commonSchemas, inputSchemas, schemasOf } from "./schemas.ts";
import { targetName } from "./several-types.ts";

/** Parts of the document that no definition describes. */
export interface HandWritten {
  tags?: readonly Json[];
  paths?: Json;
  webhooks?: Json;
  /** The callbacks of a POST, by its path. */
  callbacks?: Json;
  parameters?: Json;
  /** Receives the schemas of the definitions, so that hand-written parts can refer to them. */
  schemas?: (schemas: Named) => Json;
}

/** The OpenAPI 3.1 document of every route that the kernel registers for a catalogue, and of the hand-written ones. */
export function openApiDocument(catalogue: WholeCatalogue, info: Json, more: HandWritten = {}) {
  const types = [...catalogue.resources.values()];
  const commands = [...catalogue.commands.values()];
  const publicTypes = [...catalogue.publicTypes.values()];
  const publicWrites = [...catalogue.publicWrites.values()];
  const schemas = new Named("schemas");
  const parameters = new Named("parameters");
  const typeSchemas = Object.assign(
    {},
    ...types.map((resource) => schemasOf(schemas, resource)),
    ...commands.map((resource) =>
      inputSchemas(schemas, resource, `New${nameOf(resource.type)}`, true),
    ),
    ...publicTypes.map((resource) => publicSchemas(schemas, resource)),
    ...publicWrites.map((write) => publicWriteSchemas(schemas, write)),
  ) as Json;
  const handWritten = more.schemas?.(schemas);
  const paths = Object.assign(
    { ...more.paths },
    ...types.map((resource) => new Paths(catalogue, resource, { schemas, parameters }).all()),
    ...commands.map((command) => commandPath(catalogue, command)),
    ...publicTypes.map((resource) => publicPaths(schemas, parameters, resource)),
    ...publicWrites.map((write) => publicWritePath(catalogue, write)),
  ) as Json;
  for (const [path, callbacks] of Object.entries(more.callbacks ?? {}))
    Object.assign((paths[path] as { post: Json }).post, { callbacks });
  return withUsedComponents({
    openapi: "3.1.0",
    info,
    servers: [{ url: "/" }],
    // Tools make their samples from the first alternative, so it is the one that works from outside a browser.
    security: [{ accessToken: [], clientToken: [] }, { accessToken: [] }],
    tags: [
      ...(more.tags ?? []),
      ...types.map(({ type, description }) => ({ name: type, description })),
      ...(publicTypes.length > 0 ? [publicTag] : []),
    ],
    paths,
    ...(more.webhooks && { webhooks: more.webhooks }),
    components: {
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A person's access token, from `POST /authenticate`. It is sufficient on pages of a first-party origin. Every other client, `curl` included, also sends a client token.",
        },
        clientToken: {
          type: "apiKey",
          in: "header",
          name: "X-SVC-API-Token",
          description:
            "The token of an integration. Every request from outside a first-party origin carries it. Operations that list the access token alone reject it.",
        },
        ...sessionSecurity,
        ...(publicTypes.length > 0 && publicSecurityScheme),
      },
      parameters: combined(
        commonParameters,
        ...types.map((resource) => parametersOf(catalogue, resource)),
        ...publicTypes.map(publicParameters),
        parameters.all,
        more.parameters,
      ),
      headers: { ...headers } as Json,
      responses: combined(commonResponses, ...types.map(responsesOf)),
      schemas: combined(
        errorSchemas,
        filterSchemas,
        commonSchemas(types.map(({ type }) => type)),
        typeSchemas,
        handWritten,
        schemas.all,
      ),
    },
  });
}

/** All of these. Two of one name would hide one another. */
function combined(...parts: (Json | undefined)[]): Json {
  const all: Json = {};
  for (const [name, component] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    const known = all[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`Two components are called ${name}.`);
    all[name] = component;
  }
  return all;
}

/** The document without components that nothing refers to. */
function withUsedComponents<D extends { components: Record<string, Json> }>(document: D): D {
  const { components, ...rest } = document;
  const used = new Set<unknown>();
  const visit = (text: string) => {
    for (const [, kind = "", name = ""] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const component = components[kind]?.[name];
      if (used.has(component)) continue;
      used.add(component);
      visit(JSON.stringify(component));
    }
  };
  visit(JSON.stringify(rest));
  const kept = Object.entries(components).map(([kind, all]) => [
    kind,
    kind === "securitySchemes"
      ? all
      : Object.fromEntries(Object.entries(all).filter(([, component]) => used.has(component))),
  ]);
  return { ...document, components: Object.fromEntries(kept) as D["components"] };
}

type Method = "get" | "post" | "put" | "patch" | "delete";

interface Operation {
  operationId: string;
  summary: string;
  description?: string | undefined;
  kind: Kind;
  parameters?: readonly Json[];
  body?: Json;
  answers: Json;
  /** Error codes beyond those of the kind, and those of the kind that do not occur. */
  more?: readonly Code[];
  less?: readonly Code[];
}

const callersOf = ({ callers = "data" }: { callers?: CallerRoute | undefined }): CallerRoute =>
  callers;

function operationObject(
  { callers, tag }: { callers: CallerRoute; tag: string },
  { answers, body, description, kind, less, more, operationId, parameters, summary }: Operation,
): Json {
  const isLinkage = kind === "Linkage" || kind === "LinkageChange";
  const errors = isLinkage ? linkageErrorsText(more) : errorsText(codesOf(kind, more, less));
  return {
    tags: [tag],
    operationId,
    summary,
    description: [description, errors].filter(Boolean).join("\n\n"),
    ...(callers === "webhook-management" && { security: [{ accessToken: [] }] }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...answers, ...errorResponse },
  };
}

/** The codes that follow from an operation's idempotency key, its secret and the resource it acts on. */
function codesOfRun(
  {
    key,
    refuses = [],
    reveal,
  }: Partial<Pick<HandwrittenOperation, "key" | "refuses" | "reveal">> = {},
  relationships: Record<string, Relationship> = {},
) {
  const more: Code[] = [...refuses];
  if (Object.values(relationships).some((one) => "subject" in one)) more.push("not-found");
  if (key === "required") more.push("idempotency-key-required");
  if (reveal && key !== "ignored") more.push("secret-superseded");
  return { more, less: key === "ignored" ? (["idempotency-key-reused"] as const) : [] };
}

const secretNote = (resource: { reveal?: unknown } | undefined) =>
  resource?.reveal !== undefined &&
  "`data.meta` of the response contains the secret, which cannot be read again.";

const creationHeaders = (key?: HandwrittenOperation["key"]): HeaderName[] =>
  key === "ignored" ? ["ETag", "Location"] : ["ETag", "Location", "Idempotent-Replay"];

const notModified = (resource: Resource): Json =>
  isCached(resource) ? { 304: responseRef("NotModified") } : {};

function commandPath(catalogue: WholeCatalogue, command: Command): Json {
  const target = definitionOf(catalogue, command.answers);
  const name = nameOf(command.type);
  const operation: Operation = {
    operationId: `create${name}`,
    summary: `Create ${a(command.type)}`,
    description: sentences(command.description, needs(command.allow), secretNote(command)),
    kind: "Create",
    parameters: [...keyParameters(command.key), ...shapeParameters(target)],
    body: content(`New${name}`, creationExample(catalogue, command)),
    answers: {
      [command.status]: response(
        `The ${words(singular(target.type))}.`,
        `${nameOf(target.type)}Document`,
        ...creationHeaders(command.key),
      ),
    },
    ...codesOfRun(command, command.relationships),
  };
  const place = { callers: callersOf(command), tag: target.type };
  return { [`/v1/${command.type}`]: { post: operationObject(place, operation) } };
}

/** The paths of one type. */
class Paths {
  readonly #catalogue: WholeCatalogue;
  readonly #of: Resource;
  readonly #components: { schemas: Named; parameters: Named };
  readonly #paths: Record<string, Partial<Record<Method, Json>>> = {};

  constructor(
    catalogue: WholeCatalogue,
    resource: Resource,
    components: { schemas: Named; parameters: Named },
  ) {
    this.#catalogue = catalogue;
    this.#of = resource;
    this.#components = components;
  }

  all(): Record<string, Json> {
    const { operations, type } = this.#of;
    const one = `/v1/${type}/{id}`;
    if (operations.list) this.#add(`/v1/${type}`, "get", this.#list(operations.list));
    if (operations.create) this.#add(`/v1/${type}`, "post", this.#create(operations.create));
    if (operations.read) this.#add(one, "get", this.#read(operations.read));
    if (operations.update) this.#add(one, "patch", this.#update(operations.update));
    if (operations.delete) this.#add(one, "delete", this.#delete(operations.delete));
    for (const [name, operation] of Object.entries(this.#of.files ?? {})) {
      const method = operation.creates === undefined ? "put" : "post";
      this.#add(`${one}/${name}`, method, this.#upload(name, operation));
      if (operation.remove) this.#add(`${one}/${name}`, "delete", this.#removal(name, operation));
    }
    if (operations.read) this.#relationships(one);
    return this.#paths;
  }

  #add(path: string, method: Method, operation: Operation) {
    const place = { callers: callersOf(this.#of), tag: this.#of.type };
    const isOnePerson = this.#of.type === "people" && path.includes("{id}");
    const more = [...(operation.more ?? []), ...(isOnePerson ? (["person-merged"] as const) : [])];
    (this.#paths[path] ??= {})[method] = operationObject(place, { ...operation, more });
  }

  #list(operation: NonNullable<Resource["operations"]["list"]>): Operation {
    const { type, customProperties } = this.#of;
    const custom = "`filter[custom-properties.<field>]` filters by a custom field of the account.";
    return {
      operationId: `list${pascal(type)}`,
      summary: `List ${words(type)}`,
      description: sentences(needs(policyOf(operation)), customProperties && custom),
      kind: "List",
      parameters: [...this.#listOf(this.#of), metaMay],
      answers: { 200: responseRef(`${this.#name}ListResponse`) },
    };
  }

  #create(operation: NonNullable<Resource["operations"]["create"]>): Operation {
    const byHand = "run" in operation ? operation : undefined;
    const { less, more } = codesOfRun(byHand, this.#of.relationships);
    return {
      operationId: `create${this.#name}`,
      summary: `Create ${a(this.#of.type)}`,
      description: sentences(byHand?.description, needs(policyOf(operation)), secretNote(byHand)),
      kind: "Create",
      parameters: [...keyParameters(byHand?.key), ...this.#shape, metaMay],
      body: content(`New${this.#name}`, creationExample(this.#catalogue, this.#of)),
      answers: {
        [byHand?.status ?? 201]: response(
          "The new resource.",
          `${this.#name}Document`,
          ...creationHeaders(byHand?.key),
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
      parameters: [this.#id, ...validators(this.#of), ...this.#shape, metaMay],
      answers: { 200: responseRef(`${this.#name}DocumentResponse`), ...notModified(this.#of) },
    };
  }

  #update(operation: NonNullable<Resource["operations"]["update"]>): Operation {
    const byHand = "run" in operation ? operation : undefined;
    const { less, more } = codesOfRun(byHand);
    return {
      operationId: `update${this.#name}`,
      summary: `Update ${a(this.#of.type)}`,
      description: sentences(
        byHand?.description ??
          "Attributes that the request leaves out keep their values. The service also accepts read-only members with unchanged values, so a client can send back the whole resource.",
        needs(policyOf(operation)),
        secretNote(byHand),
      ),
      kind: "Update",
      parameters: [
        this.#id,
        versionParameter(this.#of),
        ...keyParameters(byHand?.key),
        ...this.#shape,
        metaMay,
      ],
      body: content(`${this.#name}Changes`, changeExample(this.#catalogue, this.#of)),
      answers: {
        200: response(
          "The changed resource.",
          `${this.#name}Document`,
          "ETag",
          "Idempotent-Replay",
        ),
      },
      more: [...this.#constraints, ...this.#versioned, ...more],
      less,
    };
  }

  #delete(operation: NonNullable<Resource["operations"]["delete"]>): Operation {
    return {
      operationId: `delete${this.#name}`,
      summary: `Delete ${a(this.#of.type)}`,
      description: sentences(needs(policyOf(operation)), "This is permanent."),
      kind: "Delete",
      parameters: [this.#id, versionParameter(this.#of)],
      answers: { 204: responseRef("Deleted") },
      more: [
        ...this.#constraints.filter((code) => code === "still-referenced"),
        ...this.#versioned,
        ...(("refuses" in operation && operation.refuses) || []),
      ],
    };
  }

  #relationships(one: string): void {
    for (const [name, relationship] of Object.entries(this.#of.relationships)) {
      const linkage = `${one}/relationships/${name}`;
      this.#add(`${one}/${name}`, "get", this.#related(name, relationship));
      this.#add(linkage, "get", this.#linkage(name, relationship));
      if (!this.#of.operations.update || !isLinkable(relationship)) continue;
      this.#add(linkage, "patch", this.#changeLinkage("replace", name, relationship));
      if (relationship.kind === "to-one") continue;
      this.#add(linkage, "post", this.#changeLinkage("add", name, relationship));
      this.#add(linkage, "delete", this.#changeLinkage("remove", name, relationship));
    }
  }

  #related(name: string, relationship: Relationship): Operation {
    const target = targetOf(this.#catalogue, relationship);
    const isOne = relationship.kind === "to-one";
    const title = targetName(relationship);
    return {
      operationId: `${isOne ? "read" : "list"}${pascal(name)}Of${this.#name}`,
      summary: `${isOne ? "Read" : "List"} ${words(name)} of ${a(this.#of.type)}`,
      kind: "Related",
      parameters: isOne
        ? [this.#id, ...validators(target), ...shapeParameters(target)]
        : [this.#id, ...this.#listOf(target)],
      answers: isOne
        ? { 200: responseRef(`${title}OrNullDocumentResponse`), ...notModified(target) }
        : { 200: responseRef(`${title}ListResponse`) },
    };
  }

  #linkage(name: string, relationship: Relationship): Operation {
    return {
      operationId: `read${pascal(name)}LinkageOf${this.#name}`,
      summary: `Read the linkage of ${words(name)} of ${a(this.#of.type)}`,
      kind: "Linkage",
      parameters: [this.#id],
      answers: { 200: responseRef(`${linkageName(relationship)}DocumentResponse`) },
    };
  }

  #upload(name: string, operation: FileOperation): Operation {
    const { allow, bytesMax, creates, description, image, refuses, types } = operation;
    const answered = creates ?? this.#of.type;
    const limits = `${types.join(", ")}; at most ${bytesMax / 1_048_576} MiB.`;
    return {
      operationId: `upload${this.#name}${pascal(name)}`,
      summary: `Upload ${creates === undefined ? `the ${name}` : a(creates)} of ${a(this.#of.type)}`,
      description: sentences(
        description,
        `The body is the bytes of the file. ${limits}`,
        needs(allow),
      ),
      kind: "Upload",
      parameters: [
        this.#id,
        ...(creates === undefined ? [versionParameter(this.#of)] : []),
        ...(image ? [] : [ref("parameters", "FileName")]),
        ...shapeParameters(definitionOf(this.#catalogue, answered)),
      ],
      body: Object.fromEntries(
        types.map((type) => [type, { schema: { ...text, format: "binary" } }]),
      ),
      answers:
        creates === undefined
          ? { 200: response("The changed resource.", `${this.#name}Document`, "ETag") }
          : {
              201: response("The new resource.", `${nameOf(creates)}Document`, "ETag", "Location"),
            },
      ...(refuses && { more: refuses }),
    };
  }

  #removal(name: string, { allow }: FileOperation): Operation {
    return {
      operationId: `delete${this.#name}${pascal(name)}`,
      summary: `Delete the ${name} of ${a(this.#of.type)}`,
      description: needs(allow),
      kind: "Delete",
      parameters: [this.#id, versionParameter(this.#of)],
      answers: { 204: responseRef("Deleted") },
    };
  }

  #changeLinkage(how: keyof typeof changes, name: string, relationship: Relationship): Operation {
    const { update } = this.#of.operations;
    return {
      operationId: `${how}${pascal(name)}Of${this.#name}`,
      summary: `${changes[how]} ${words(name)} of ${a(this.#of.type)}`,
      description: update && needs(linkPolicyOf(relationship) ?? policyOf(update)),
      kind: "LinkageChange",
      parameters: [
        this.#id,
        versionParameter(this.#of),
        ...keyParameters(how === "remove" ? "ignored" : "optional"),
      ],
      body: content(`${linkageName(relationship)}Change`),
      answers: { 200: responseRef(`${linkageName(relationship)}DocumentResponse`) },
      more: this.#constraints,
    };
  }

  #listOf(resource: Resource): Json[] {
    return listParameters(this.#components.parameters, this.#components.schemas, resource);
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

const metaMay = ref("parameters", "MetaMay");

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
    ? `Needs the permission ${policy.permissions.map((one) => `\`${one}\``).join(" or ")}${policy.notThrough ? `, in another scope than \`${policy.notThrough}\`` : ""}.`
    : policy.kind === "administrator"
      ? "Needs an administrator or a full administrator."
      : "Needs a full administrator.";

const linkageName = (one: Relationship): string =>
  `${targetName(one)}${one.kind === "to-one" ? "ToOne" : "ToMany"}`;
