import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import { codesOf, errorsText } from "./error-codes.ts";
import { complete, constant, type Json, nameOf, object, pascal, schemaRef } from "./json.ts";
import type { Named } from "./named.ts";
import {
  filterParameters,
  idParameter,
  pageParameters,
  parameterRef,
  placeParameters,
  sortParameter,
} from "./parameters.ts";
import { errorResponse, response, responseRef } from "./responses.ts";
import { attributeSchemas, documentOf, pageOf } from "./schemas.ts";

/** The types of the public area. Their documents have fewer members than those of `/v1`, and no relationships. */

/** Components of the public area have names of their own, because its types have the names of those of `/v1`. */
const described = (resource: Resource): Resource => ({
  ...resource,
  type: `public-${resource.type}`,
});

export function publicSchemas(schemas: Named, resource: Resource): Json {
  const attributes = Object.entries(resource.attributes);
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
      parameters: [idParameter(resource), parameterRef("IfNoneMatch")],
      responses: {
        200: response("The resource.", `${name}Document`, "ETag"),
        304: responseRef("NotModified"),
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

const PUBLIC_AREA = "public-area";

export const publicTag: Json = {
  name: PUBLIC_AREA,
  description:
    "Data that websites show to visitors. Requests carry `Authorization: Account <ACCOUNT_ID>` and come from a page of the account's `public-origins` or with a client token.",
};

export const publicSecurityScheme: Json = {
  account: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "`Account <ACCOUNT_ID>`. It names the account whose public area is read, and gives no rights. Pages of the account's `public-origins` need nothing else. Other clients also send a client token.",
  },
};
