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
const described = (of: Resource): Resource => ({ ...of, type: `public-${of.type}` });

export function publicSchemas(schemas: Named, of: Resource): Json {
  const attributes = Object.entries(of.attributes);
  const name = nameOf(described(of).type);
  const inLists = ([, { detailOnly }]: [string, Attribute]) => !detailOnly;
  const links = schemaRef("Links");
  return {
    [name]: {
      ...complete({
        type: constant(of.type),
        id: schemaRef("Id"),
        attributes: schemaRef(`${name}Attributes`),
        links,
      }),
      description: of.description,
    },
    [`${name}Attributes`]: object(
      attributeSchemas(schemas, described(of), attributes),
      attributes.filter(inLists).map(([one]) => one),
    ),
    [`${name}Document`]: documentOf(schemaRef(name), { links }, ["links"]),
    [`${name}List`]: pageOf(schemaRef(name)),
  };
}

export const publicParameters = (of: Resource): Json => ({
  [`${nameOf(described(of).type)}Sort`]: sortParameter(of),
});

export function publicPaths(schemas: Named, parameters: Named, of: Resource): Json {
  const name = nameOf(described(of).type);
  const words = of.type.replaceAll("-", " ");
  const operation = (more: Json, kind: "List" | "Read"): Json => ({
    tags: [PUBLIC_AREA],
    ...more,
    description: errorsText(codesOf(kind, [], ["too-many-included"])),
    security: [{ account: [], clientToken: [] }, { account: [] }],
  });
  const list = operation(
    {
      operationId: `listPublic${pascal(of.type)}`,
      summary: `List public ${words}`,
      parameters: [
        ...filterParameters(parameters, schemas, described(of)),
        ...(of.nearby ? placeParameters(parameters, of.nearby) : []),
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
      parameters: [idParameter(of), parameterRef("IfNoneMatch")],
      responses: {
        200: response("The resource.", `${name}Document`, "ETag"),
        304: responseRef("NotModified"),
        ...errorResponse,
      },
    },
    "Read",
  );
  return {
    ...(of.operations.list && { [`/p/v1/${of.type}`]: { get: list } }),
    [`/p/v1/${of.type}/{id}`]: { get: read },
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
