import type { Code } from "../base/errors.ts";
import { CONFIRMATION_PATH } from "../features/visitors/letters.ts";
import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { PublicWrite } from "../jsonapi/definition/public-write.ts";
import type { Catalogue, Resource } from "../jsonapi/definition/resource.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { codesOf, errorsText } from "./error-codes.ts";
import { creationExample } from "./examples.ts";
import {
  closed,
  complete,
  constant,
  type Json,
  nameOf,
  object,
  pascal,
  schemaRef,
  singular,
  text,
} from "./json.ts";
import type { Named } from "./named.ts";
import {
  filterParameters,
  idParameter,
  pageParameters,
  parameterRef,
  placeParameters,
  sortParameter,
} from "./parameters.ts";
import { content, errorResponse, response, responseRef } from "./responses.ts";
import { attributeSchemas, documentOf, inputSchemas, pageOf } from "./schemas.ts";

const PUBLIC_AREA = "public-area";

/** The types of the public area. Their documents have fewer members than those of `/v1`, and no relationships. */

/** Components of the public area have names of their own, because its types have the names of those of `/v1`. */
const described = (resource: Resource): Resource => ({
  ...resource,
  type: `public-${resource.type}`,
});

export function publicSchemas(schemas: Named, resource: Resource): Json {
  const attributes = Object.entries({ ...resource.attributes, ...resource.issued });
  const name = nameOf(described(resource).type);
  const inLists = ([, { detailOnly }]: [string, Attribute]) => !detailOnly;
  const links = schemaRef("Links");
  return {
    [name]: {
      ...complete({
        type: constant(resource.type),
        id: schemaRef("Id"),
        attributes: schemaRef(`${name}Attributes`),
        links,
      }),
      description: resource.description,
    },
    [`${name}Attributes`]: object(
      attributeSchemas(schemas, described(resource), attributes),
      attributes.filter(inLists).map(([one]) => one),
    ),
    [`${name}Document`]: documentOf(schemaRef(name), { links }, ["links"]),
    [`${name}List`]: pageOf(schemaRef(name)),
  };
}

export const publicParameters = (resource: Resource): Json => ({
  [`${nameOf(described(resource).type)}Sort`]: sortParameter(resource),
});

export function publicPaths(schemas: Named, parameters: Named, resource: Resource): Json {
  const name = nameOf(described(resource).type);
  const words = resource.type.replaceAll("-", " ");
  const operation = (more: Json, kind: "List" | "Read"): Json => ({
    tags: [PUBLIC_AREA],
    ...more,
    description: errorsText(codesOf(kind, [], ["too-many-included"])),
    security: [{ account: [], clientToken: [] }, { account: [] }],
  });
  const isCached = resource.issued === undefined;
  const list = operation(
    {
      operationId: `listPublic${pascal(resource.type)}`,
      summary: `List public ${words}`,
      parameters: [
        ...filterParameters(parameters, schemas, described(resource)),
        ...(resource.nearby ? placeParameters(parameters, resource.nearby) : []),
        parameterRef(`${name}Sort`),
        ...pageParameters,
        parameterRef("IfNoneMatch"),
      ],
      responses: {
        200: response(`A page of public ${words}.`, `${name}List`, "ETag"),
        304: responseRef("NotModified"),
        ...errorResponse,
      },
    },
    "List",
  );
  const read = operation(
    {
      operationId: `read${name}`,
      summary: `Read one of the public ${words}`,
      parameters: [idParameter(resource), ...(isCached ? [parameterRef("IfNoneMatch")] : [])],
      responses: {
        200: response("The resource.", `${name}Document`, ...(isCached ? ["ETag" as const] : [])),
        ...(isCached && { 304: responseRef("NotModified") }),
        ...errorResponse,
      },
    },
    "Read",
  );
  return {
    ...(resource.operations.list && { [`/p/v1/${resource.type}`]: { get: list } }),
    [`/p/v1/${resource.type}/{id}`]: { get: read },
  };
}

/** The body and the receipt of a type that visitors create. */
export function publicWriteSchemas(schemas: Named, write: PublicWrite): Json {
  const name = nameOf(`public-${write.type}`);
  const described = { ...write, type: `public-${write.type}` };
  const input = inputSchemas(schemas, described, `New${name}`, true);
  const body = input[`New${name}`] as { properties: { data: { properties: Json } } };
  body.properties.data.properties["type"] = constant(write.type);
  const receipt = Object.entries(write.receipt);
  return {
    ...input,
    [`${name}Receipt`]: complete({
      type: constant(write.type),
      id: { ...schemaRef("Id") },
      attributes: complete({
        status: constant("received"),
        ...attributeSchemas(schemas, described, receipt),
      }),
    }),
    [`${name}ReceiptDocument`]: documentOf(schemaRef(`${name}Receipt`)),
  };
}

export function publicWritePath(catalogue: Catalogue, write: PublicWrite): Json {
  const name = nameOf(`public-${write.type}`);
  const words = singular(write.type).replaceAll("-", " ");
  return {
    [`/p/v1/${write.type}`]: {
      post: publicOperation(
        {
          operationId: `create${name}`,
          summary: `Send a ${words} as a visitor`,
          requestBody: {
            required: true,
            content: content(`New${name}`, creationExample(catalogue, write)),
          },
          responses: {
            [write.status]: response("The receipt.", `${name}ReceiptDocument`),
            ...errorResponse,
          },
        },
        codesOf("Create", write.refuses, ["too-many-included", "idempotency-key-reused"]),
        write.description,
      ),
    },
  };
}

/** A new challenge, and the confirmation of an address. No definition describes them. */
export const visitorSchemas: Json = {
  ChallengeDocument: documentOf(
    complete({
      type: constant("challenges"),
      id: schemaRef("Id"),
      attributes: complete({
        algorithm: constant("SHA-256"),
        salt: text,
        challenge: {
          ...text,
          description: "The SHA-256 of `salt` and the number, in hexadecimal.",
        },
        maxnumber: { type: "integer", description: "The largest possible number." },
        signature: text,
      }),
    }),
  ),
  AddressConfirmationDocument: documentOf(
    complete({
      type: constant("confirmations"),
      id: schemaRef("Id"),
      attributes: complete({ status: constant("confirmed") }),
    }),
  ),
};

const token: Json = {
  name: "token",
  in: "path",
  required: true,
  schema: text,
  description: "The token in the mail.",
  example: "vmt_AZgOXEoAcACAAAAAAAAAAAfY3…",
};

export const visitorPaths: Json = {
  "/p/v1/challenges": {
    post: publicOperation(
      {
        operationId: "createPublicChallenge",
        summary: "Fetch a challenge",
        requestBody: {
          required: true,
          content: {
            [MEDIA_TYPE]: {
              schema: closed({ data: closed({ type: constant("challenges") }, ["type"]) }, [
                "data",
              ]),
              example: { data: { type: "challenges" } },
            },
          },
        },
        responses: {
          201: response("A new challenge, without an address of its own.", "ChallengeDocument"),
          ...errorResponse,
        },
      },
      ["client-id-unsupported", "type-mismatch", "unknown-attribute", "unknown-relationship"],
      "The ALTCHA widget, version 1 or 2, solves it as `challengejson`. It is valid for 20 minutes and for one use.",
    ),
  },
  [`${CONFIRMATION_PATH}/{token}`]: {
    get: {
      tags: [PUBLIC_AREA],
      operationId: "readAddressConfirmation",
      summary: "Open the page of a confirmation mail",
      description:
        "An HTML page with one button. Opening it changes nothing. A token that is wrong, used or older than 48 hours returns 404, also as a page.",
      security: [],
      parameters: [token],
      responses: {
        200: { description: "The page.", content: { "text/html": { schema: text } } },
        ...errorResponse,
      },
    },
    post: {
      tags: [PUBLIC_AREA],
      operationId: "createAddressConfirmation",
      summary: "Confirm an e-mail address",
      description: `The button of the page sends it, and gets a page. Other clients get a document.\n\n${errorsText(["not-found"])}`,
      security: [],
      parameters: [token],
      responses: {
        200: response("The address is confirmed.", "AddressConfirmationDocument"),
        ...errorResponse,
      },
    },
  },
};

function publicOperation(more: Json, refuses: readonly Code[], description: string): Json {
  return {
    tags: [PUBLIC_AREA],
    ...more,
    description: [description, errorsText(refuses)].join("\n\n"),
    security: [{ account: [], clientToken: [] }, { account: [] }],
  };
}

export const publicTag: Json = {
  name: PUBLIC_AREA,
  description:
    "Data that websites show to visitors, and what visitors write. Requests carry `Authorization: Account <ACCOUNT_ID>` and come from a page of the account's `public-origins` or with a client token.",
};

export const publicSecurityScheme: Json = {
  account: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "`Account <ACCOUNT_ID>`. It names the account whose public area is read or written to, and gives no rights. Pages of the account's `public-origins` need nothing else. Other clients also send a client token.",
  },
};
