import { limits } from "../base/limits.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { codesOf, errorsText } from "./error-codes.ts";
import {
  closed,
  complete,
  constant,
  type Json,
  object,
  orNull,
  ref,
  schemaRef,
  text,
} from "./json.ts";
import { errorResponse, headersOf, noContent, responseRef } from "./responses.ts";

/** Browser sessions, and the list of the places where a person is logged in. */

const TAG = "signing-in";

const id: Json = text;
const timestamp: Json = { ...text, format: "date-time" };
const described = (schema: Json, description: string): Json => ({ ...schema, description });
const anyObject: Json = { type: "object", additionalProperties: true };

export const sessionSecurity: Json = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-vestry",
    description:
      "The cookie of `POST /session`. It counts only in requests of pages of the service's own origin, and only without other credentials. Without TLS its name is `vestry`.",
  },
};

export const sessionSchemas: Json = {
  BrowserSession: complete({
    person: complete({
      "id": id,
      "full-name": text,
      "preferred-name": orNull(text),
      "photo-url": orNull(text),
      "locale": orNull(text),
      "administrative-status": text,
    }),
    account: complete({
      "id": id,
      "alias": text,
      "church-name": text,
      "logo-url": orNull(text),
      "settings": anyObject,
      "custom-properties": described(anyObject, "As in the account."),
    }),
    abilities: described(
      { type: "array", items: schemaRef("Ability") },
      "Every permission of the person. Permission to write includes permission to read.",
    ),
    leads: { type: "array", items: schemaRef("LedCell") },
    teaches: { type: "array", items: schemaRef("TaughtClass") },
    session: complete({ "expires-at": timestamp, "remember": { type: "boolean" } }),
    service: complete({
      version: text,
      web: described(orNull(text), "Identifies the version of the web app. Null without a build."),
      mail: described({ type: "boolean" }, "Whether the service can send mail."),
      limits: complete({ "upload-bytes": { type: "integer" } }),
    }),
  }),
  PasswordLink: complete({
    "account": complete({ alias: text, name: text }),
    "username": described(text, "The e-mail address, with which the person logs in."),
    "password-length-min": described(
      { type: "integer" },
      "The least number of characters that the account asks of a password.",
    ),
  }),
  Ability: complete({
    "permission": text,
    "scope-type": text,
    "ids": described(
      orNull({ type: "array", items: id, maxItems: 1_000 }),
      "Null if there are more than 1,000. Empty for scopes without ids.",
    ),
    "is-derived": described(
      { type: "boolean" },
      "Whether the person holds it because of a task, such as leading a cell.",
    ),
  }),
  LedCell: complete({ id, name: text }),
  TaughtClass: complete({ id, "name": text, "course-id": id }),
  AccessToken: complete({
    type: constant("access-tokens"),
    id,
    attributes: complete({
      "kind": { ...text, enum: ["browser", "bearer"] },
      "created-at": timestamp,
      "last-used-at": described(
        timestamp,
        "The hour of the last use, which is recorded once an hour.",
      ),
      "expires-at": timestamp,
      "device": described(orNull(text), "For example `Firefox on Android`."),
      "is-current": described({ type: "boolean" }, "Whether this request carries it."),
    }),
  }),
};

const session = (status: string): Json => ({
  description: status,
  ...headersOf("ETag"),
  content: { "application/json": { schema: schemaRef("BrowserSession") } },
});

const logInCodes = [
  "login-failed",
  "account-inactive",
  "choose-account",
  "invalid-attribute",
  "missing-attribute",
  "unknown-attribute",
  "invalid-text",
  "login-throttled",
] as const;

const linkCodes = [
  "token-invalid",
  "account-inactive",
  "invalid-attribute",
  "missing-attribute",
  "unknown-attribute",
  "invalid-text",
  "login-throttled",
] as const;

const path = "/v1/access-tokens";

export const sessionPaths: Json = {
  "/session": {
    post: {
      tags: [TAG],
      operationId: "createSession",
      summary: "Log in on a page of the service",
      description: `Sets a cookie that no script can read. Without \`account\`, every account of the e-mail address is tried. If the password is right in several, \`meta.accounts\` of the error names them. Ends the session that the browser had before.\n\n${errorsText(logInCodes)}`,
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: closed(
              {
                username: { ...text, minLength: 1, maxLength: 254 },
                password: {
                  ...text,
                  format: "password",
                  minLength: limits.passwordLengthMin,
                  maxLength: limits.passwordLengthMax,
                },
                account: { ...text, minLength: 1, maxLength: 254 },
                remember: { type: "boolean", default: false },
              },
              ["username", "password"],
            ),
            example: {
              username: "ana.oliveira@grace.example",
              password: "a long and private sentence",
            },
          },
        },
      },
      responses: { 200: session("The person, the account and the rights."), ...errorResponse },
    },
    get: {
      tags: [TAG],
      operationId: "readSession",
      summary: "Read the person, the account and the rights of a session",
      description: `\`meta.mail\` of a 401 says whether the service can send mail.\n\n${errorsText([])}`,
      security: [{ session: [] }],
      parameters: [ref("parameters", "IfNoneMatch")],
      responses: {
        200: session("The person, the account and the rights."),
        304: responseRef("NotModified"),
        ...errorResponse,
      },
    },
    delete: {
      tags: [TAG],
      operationId: "deleteSession",
      summary: "Log out on a page of the service",
      description: `Ends the session and removes the cookie, also without a session.\n\n${errorsText([])}`,
      security: [],
      responses: { 204: noContent("There is no session any more."), ...errorResponse },
    },
  },
  "/session/password-link": {
    post: {
      tags: [TAG],
      operationId: "readPasswordLink",
      summary: "Read whose password a link sets",
      description: `Takes the token of an invitation or of a password reset, and does not use it. Wrong tokens count like wrong passwords. The page at \`/set-password\` calls it.\n\n${errorsText(linkCodes)}`,
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: closed({ token: { ...text, minLength: 1, maxLength: 254 } }, ["token"]),
            example: { token: "vpt_AZgOXEoAcACAAAAAAAAAAAfY3…" },
          },
        },
      },
      responses: {
        200: {
          description: "The account and the log-in of the person.",
          content: { "application/json": { schema: schemaRef("PasswordLink") } },
        },
        ...errorResponse,
      },
    },
  },
  [path]: {
    get: {
      tags: [TAG],
      operationId: "listAccessTokens",
      summary: "List the caller's access tokens and browser sessions",
      description: `The current one comes first, then those used last.\n\n${errorsText([])}`,
      parameters: [ref("parameters", "PageNumber"), ref("parameters", "PageSize")],
      responses: {
        200: {
          description: "A page of the caller's own tokens.",
          content: {
            [MEDIA_TYPE]: {
              schema: object(
                {
                  jsonapi: schemaRef("JsonApi"),
                  data: { type: "array", items: schemaRef("AccessToken") },
                  links: schemaRef("PageLinks"),
                  meta: schemaRef("PageMeta"),
                },
                ["jsonapi", "data"],
              ),
            },
          },
        },
        ...errorResponse,
      },
    },
  },
  [`${path}/{id}`]: {
    delete: {
      tags: [TAG],
      operationId: "deleteAccessToken",
      summary: "End one of the caller's access tokens or browser sessions",
      description: errorsText(codesOf("Delete", [], ["stale-version"])),
      parameters: [ref("parameters", "ResourceId")],
      responses: { 204: noContent("The token has ended."), ...errorResponse },
    },
  },
};
