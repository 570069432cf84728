import type { Code } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { errorsText } from "./error-codes.ts";
import { closed, complete, constant, type Json, ref, schemaRef, text } from "./json.ts";
import { errorResponse, headersOf, noContent, responseRef } from "./responses.ts";

/** The routes that are not JSON:API resources: log-in, passwords, health and this document. */

const string = (more: Json): Json => ({ ...text, ...more });

const json = (schema: Json, example: Json): Json => ({
  "application/json": { schema, example },
});

const email = string({
  minLength: 1,
  maxLength: 254,
  description: "The e-mail address. Case is ignored.",
});
const alias = string({ minLength: 1, maxLength: 254, description: "The alias of the account." });
const password = string({
  format: "password",
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
});

/** The codes of a log-in, which has no access token yet. */
const logInCodes = [
  "client-token-missing",
  "client-token-invalid",
  "login-failed",
  "invalid-attribute",
  "missing-attribute",
  "unknown-attribute",
  "invalid-text",
] as const satisfies Code[];

const documentCodes = [
  "client-id-unsupported",
  "type-mismatch",
  "idempotency-key-reused",
  "unknown-attribute",
  "unknown-relationship",
  "invalid-text",
] as const satisfies Code[];

const described = (description: string, codes: readonly Code[]) =>
  `${description}\n\n${errorsText(codes)}`;

/** A JSON:API document without an id. A member that requires nothing can be left out. */
function documentBody(type: string, members: Record<string, Json>, example: Json): Json {
  const required = Object.keys(members).filter((name) => members[name]?.["required"]);
  const data = closed({ type: constant(type), ...members }, ["type", ...required]);
  return {
    required: true,
    content: {
      [MEDIA_TYPE]: { schema: closed({ data }, ["data"]), example: { data: { type, ...example } } },
    },
  };
}

function allClosed(properties: Json): Json {
  return closed(properties, Object.keys(properties));
}

const TAG = "signing-in";

export const serviceTags: Json[] = [
  { name: TAG, description: "Access tokens and passwords." },
  { name: "service", description: "Health checks and this document." },
];

/** The answers of log-ins, under names that generators can use. */
export const serviceSchemas: Json = {
  IssuedAccessToken: complete({
    access_token: text,
    token_type: constant("Bearer"),
    expires_in: { type: "integer", description: "In seconds." },
    expires_at: string({ format: "date-time" }),
    account: schemaRef("AccountOfToken"),
    person: complete({ id: text }),
  }),
  AccountOfToken: complete({ "id": text, "alias": text, "church-name": text }),
  AccountsOfUsername: complete({
    accounts: { type: "array", items: schemaRef("AccountOfUsername") },
  }),
  AccountOfUsername: complete({ alias: text, name: text }),
  PasswordResetDocument: complete({
    jsonapi: schemaRef("JsonApi"),
    data: complete({
      type: constant("password-resets"),
      id: text,
      attributes: complete({ status: constant("received") }),
    }),
  }),
};

const idempotencyKey = ref("parameters", "IdempotencyKey");

export const servicePaths: Json = {
  "/authenticate": {
    post: {
      tags: [TAG],
      operationId: "authenticate",
      summary: "Log in",
      description: described(
        "Takes and returns plain JSON. A page of a first-party origin needs no client token.",
        [
          ...logInCodes,
          "account-inactive",
          "church-not-approved",
          "integration-not-allowed",
          "login-throttled",
        ],
      ),
      security: [{}, { clientToken: [] }],
      requestBody: {
        required: true,
        content: json(allClosed({ username: email, password, account: alias }), {
          username: "ana.oliveira@grace.example",
          password: "a long and private sentence",
          account: "demo",
        }),
      },
      responses: {
        200: {
          description:
            "An access token. The service shows it once. It is valid until it expires or is revoked.",
          content: json(schemaRef("IssuedAccessToken"), {
            access_token: "vat_AZgOXEoAcACAAAAAAAAAAAfY3…",
            token_type: "Bearer",
            expires_in: limits.accessTokenMs / 1_000,
            expires_at: "2027-03-01T09:30:00.000Z",
            account: {
              "id": "01980e5c-4a00-7000-8000-000000000001",
              "alias": "demo",
              "church-name": "Grace Church Lisbon",
            },
            person: { id: "01980e5c-4a00-7000-8000-000000000002" },
          }),
        },
        ...errorResponse,
      },
    },
  },
  "/authenticate-username": {
    post: {
      tags: [TAG],
      operationId: "authenticateUsername",
      summary: "List the accounts of an e-mail address",
      description: described(
        "Takes and returns plain JSON. For a person who belongs to several accounts.",
        logInCodes,
      ),
      security: [{}, { clientToken: [] }],
      requestBody: {
        required: true,
        content: json(allClosed({ username: email }), { username: "ana.oliveira@grace.example" }),
      },
      responses: {
        200: {
          description: "The accounts that the person can log in to.",
          content: json(schemaRef("AccountsOfUsername"), {
            accounts: [{ alias: "demo", name: "Grace Church Lisbon" }],
          }),
        },
        ...errorResponse,
      },
    },
  },
  "/v1/access-tokens/current": {
    delete: {
      tags: [TAG],
      operationId: "deleteCurrentAccessToken",
      summary: "Log out",
      description: described("Revokes the access token of this request.", []),
      responses: { 204: noContent("The access token is revoked."), ...errorResponse },
    },
  },
  "/v1/password-changes": {
    post: {
      tags: [TAG],
      operationId: "createPasswordChange",
      summary: "Change the caller's password",
      description: described("Revokes the person's other access tokens.", [
        ...documentCodes,
        "invalid-attribute",
        "missing-attribute",
        "wrong-password",
        "login-throttled",
      ]),
      parameters: [idempotencyKey],
      requestBody: documentBody(
        "password-changes",
        {
          attributes: allClosed({
            "current-password": string({ format: "password", minLength: 1 }),
            "new-password": password,
          }),
        },
        {
          attributes: {
            "current-password": "a long and private sentence",
            "new-password": "another long and private sentence",
          },
        },
      ),
      responses: {
        204: noContent("The password is changed.", "Idempotent-Replay"),
        ...errorResponse,
      },
    },
  },
  "/v1/password-resets": {
    post: {
      tags: [TAG],
      operationId: "createPasswordReset",
      summary: "Request a mail that resets a password",
      description: described(
        "Called like a log-in. The response is the same for every address. The service sends a mail only to an active person with a log-in. Without `account`, each account of the address sends one.",
        [
          ...logInCodes.filter((code) => code !== "login-failed"),
          "client-id-unsupported",
          "type-mismatch",
          "unknown-relationship",
        ],
      ),
      security: [{}, { clientToken: [] }],
      requestBody: documentBody(
        "password-resets",
        { attributes: closed({ username: email, account: alias }, ["username"]) },
        { attributes: { username: "ana.oliveira@grace.example", account: "demo" } },
      ),
      responses: {
        202: {
          description: "The request was received.",
          content: { [MEDIA_TYPE]: { schema: schemaRef("PasswordResetDocument") } },
        },
        ...errorResponse,
      },
    },
  },
  "/v1/password-reset-confirmations": {
    post: {
      tags: [TAG],
      operationId: "createPasswordResetConfirmation",
      summary: "Set a password with a token",
      description: described(
        "Called like a log-in, with the token of an invitation or of a password reset. Creates the log-in if the person has none, and revokes all access tokens of the person. The page at `/set-password` calls it.",
        [
          ...logInCodes.filter((code) => code !== "login-failed"),
          "client-id-unsupported",
          "type-mismatch",
          "unknown-relationship",
          "token-invalid",
          "account-inactive",
          "church-not-approved",
          "integration-not-allowed",
          "login-throttled",
        ],
      ),
      security: [{}, { clientToken: [] }],
      requestBody: documentBody(
        "password-reset-confirmations",
        {
          attributes: allClosed({
            "token": string({ format: "password", minLength: 1 }),
            "new-password": password,
          }),
        },
        {
          attributes: {
            "token": "vpt_AZgOXEoAcACAAAAAAAAAAAfY3…",
            "new-password": "a long and private sentence",
          },
        },
      ),
      responses: { 204: noContent("The password is set."), ...errorResponse },
    },
  },
  "/v1/access-token-revocations": {
    post: {
      tags: [TAG],
      operationId: "createAccessTokenRevocation",
      summary: "Revoke all access tokens of a person",
      description: described(
        "A person can revoke their own tokens, the current one included unless `keep-current` is true. An administrator can revoke the tokens of people with the same administrative status or a lower one.",
        [...documentCodes, "not-found", "missing-relationship", "invalid-relationship"],
      ),
      parameters: [idempotencyKey],
      requestBody: documentBody(
        "access-token-revocations",
        {
          attributes: closed({ "keep-current": { type: "boolean", default: false } }),
          relationships: allClosed({ person: allClosed({ data: schemaRef("PersonIdentifier") }) }),
        },
        {
          relationships: {
            person: { data: { type: "people", id: "01980e5c-4a00-7000-8000-000000000002" } },
          },
        },
      ),
      responses: {
        204: noContent("The access tokens are revoked.", "Idempotent-Replay"),
        ...errorResponse,
      },
    },
  },
  "/livez": {
    get: {
      tags: ["service"],
      operationId: "readLiveness",
      summary: "Check whether the process runs",
      security: [],
      responses: { 200: plainText("The process runs.", "ok\n") },
    },
  },
  "/readyz": {
    get: {
      tags: ["service"],
      operationId: "readReadiness",
      summary: "Check whether the service can serve requests",
      description:
        "Queries the database and waits at most two seconds for it. A process that is shutting down is not ready. Further lines of the body name what does not work, such as a database server that is away.\n\nError codes: 503 `unavailable`.",
      security: [],
      responses: {
        200: plainText("The service can serve requests.", "ready\n"),
        503: responseRef("ErrorResponse"),
      },
    },
  },
  "/openapi.json": {
    get: {
      tags: ["service"],
      operationId: "readOpenApi",
      summary: "Read this document",
      description: "Error codes: 429 `rate-limited`.",
      security: [],
      responses: {
        200: {
          description: "The OpenAPI 3.1 document.",
          ...headersOf("ETag"),
          content: { "application/json": { schema: { type: "object" } } },
        },
        304: responseRef("NotModified"),
        ...errorResponse,
      },
    },
  },
};

function plainText(description: string, example: string): Json {
  return {
    description,
    content: { "text/plain": { schema: text, example } },
  };
}
