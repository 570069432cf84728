import type { Code } from "../base/errors.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { openApiDocument, type OwnWords } from "./openapi.ts";
import { errorsWith, headersOf, uncountedHeadersOf } from "./answers.ts";
import type { ResourceExample } from "./examples.ts";
import type { Json } from "./schemas.ts";
import { limits } from "../base/limits.ts";
import { version } from "../base/version.ts";
import { failureMessage } from "../webhooks/engine/attempt-codes.ts";
import { exampleOf } from "../webhooks/history/event-examples.ts";
import { declared, describedCatalogue } from "../catalogue.ts";
import { eventTypePaths, eventTypeSchemas, eventTypeTag } from "./openapi-event-types.ts";

/** What the definitions cannot tell the OpenAPI document: the routes written by hand, and what real values look like. */

const description = `The data of churches: their people, their courses and themselves, as [JSON:API 1.1](https://jsonapi.org/format/).

**Who may call.** Everybody sends \`Authorization: Bearer <ACCESS_TOKEN>\`, which \`POST /authenticate\` gives a person for their e-mail address, password and church. Pages of a first-party origin (the service's own, and those its operator lists) need nothing else. Everybody else, integrations on servers above all, sends an \`X-SVC-API-Token\` as well; the operator approves the church for integrations and allows this one for it. What a token may do is what its person may do at that moment.

**Errors** are JSON:API error documents. \`code\` is stable, and everything wrong with a request is said at once; a request with problems of several statuses is answered 400. Each operation names the codes of its answers, with what to do about them.

**Lists** understand \`filter[…]\`, \`sort\`, \`page[number]\` and \`page[size]\`, or \`page[after]\`; every read understands \`include\` and \`fields[…]\`.

**Changes** are guarded by \`If-Match\`, and a POST or PATCH takes an \`Idempotency-Key\` where the operation lists it.`;

const eventExample = {
  ...exampleOf("person.updated", declared.eventExamples).data.attributes,
  "expires-at": "2026-03-31T09:30:00.000Z",
};

const windowExample = {
  "attempts": 812,
  "retries": 9,
  "succeeded": 803,
  "failed": 0,
  "success-rate": 1,
  "latency-ms": { average: 96, p50: 84, p95: 190, p99: 420 },
};

/** The endpoint of the examples: its number is its place among the types. */
const endpointId = "01980e5c-4a00-7000-8000-00000000000d";

const examples: Record<string, ResourceExample> = {
  "accounts": {
    attributes: {
      "church-name": "Igreja da Graça",
      "alias": "graca",
      "status": "active",
      "settings": {
        "lang": "pt-BR",
        "time-zone": "America/Sao_Paulo",
        "country": "BR",
        "currency": "BRL",
      },
      "custom-properties": {
        people: { "shirt-size": { type: "select", options: [{ value: "M" }, { value: "L" }] } },
      },
      "email": "office@graca.example",
      "website": "https://graca.example",
    },
    changes: {
      "church-name": "Igreja da Graça",
      "settings": { "lang": "pt-BR" },
      "custom-properties": {
        people: { "shirt-size": { type: "select", options: [{ value: "M" }, { value: "L" }] } },
      },
    },
  },
  "people": {
    new: {
      attributes: {
        "full-name": "Ana Souza",
        "email": "ana.souza@graca.example",
        "phones": [{ "number": "+5511987654321", "label": "mobile", "is-whatsapp": true }],
        "birthdate": "1984-05-17",
        "sex": "female",
        "membership-status": "member",
        "address": { street: "Rua das Flores", number: "12", city: "São Paulo", country: "BR" },
      },
    },
    attributes: {
      "first-name": "Ana",
      "last-name": "Souza",
      "birth-month-day": "05-17",
      "age": 42,
      "is-child": false,
      "membership-status-changed-at": "2026-03-01T09:30:00.000Z",
      "administrative-status": "none",
      "has-login": true,
    },
    changes: { "preferred-name": "Aninha", "is-baptized": true, "baptism-date": "2026-04-05" },
  },
  "courses": {
    new: {
      attributes: {
        "name": "Foundations",
        "description": "What Christians believe, in eight evenings.",
        "price": 4_500,
        "price-currency": "BRL",
        "lessons-to-graduate": 6,
        "enrollment-policy": "request",
      },
      relationships: ["teachers"],
    },
    attributes: { "lessons-count": 8, "open-classes-count": 1, "enrolled-count": 14 },
    changes: { "price": 5_000, "is-active": true },
  },
  "course-lessons": { attributes: { name: "Who God is", number: 1 } },
  "course-classes": { attributes: { name: "Tuesday evenings", status: "open" } },
  "course-materials": { attributes: { title: "Workbook" } },
  "cells": { attributes: { name: "Vila Mariana" } },
  "roles": {
    new: {
      attributes: {
        name: "Greeters",
        description: "Those who welcome at the door.",
        permissions: ["people:read"],
      },
    },
    attributes: { "is-preset": false },
    changes: { permissions: ["people:read", "cells:read"] },
  },
  "role-assignments": {
    new: { attributes: { "scope-type": "account" } },
  },
  "webhook-endpoints": {
    new: {
      attributes: {
        "name": "CRM",
        "url": "https://crm.graca.example/hooks/vestry",
        "events": ["person.created", "person.updated"],
      },
    },
    attributes: {
      "created-at": "2026-02-20T18:00:00.000Z",
      "updated-at": "2026-02-20T18:00:01.000Z",
      "status": "active",
      "pause-reason": null,
      "effective-health": "healthy",
      "configuration-version": 2,
      "destination-version": 1,
      "verified-destination-version": 1,
      "verified-at": "2026-02-20T18:00:01.000Z",
      "secret-generation": 1,
      "consecutive-production-failures": 0,
      "last-production-attempt-at": "2026-03-01T09:30:00.000Z",
      "last-production-success-at": "2026-03-01T09:30:00.000Z",
      "last-production-failure-at": "2026-03-01T04:12:00.000Z",
      "last-production-failure": { code: "http-503", message: failureMessage("http-503") },
      "metrics": { "24h": windowExample, "7d": windowExample },
    },
    changes: { events: ["person.created", "person.updated", "person.merged"] },
  },
  "webhook-endpoint-changes": {
    attributes: {
      "change": "paused",
      "details": {
        "status": "paused",
        "pause-reason": "manual",
        "configuration-version": 3,
        "destination-version": 1,
        "secret-generation": 1,
        "verification-generation": 1,
        "changed-fields": [],
      },
    },
  },
  "webhook-endpoint-verifications": {
    new: { attributes: { "endpoint-id": endpointId, "configuration-version": 2 } },
  },
  "webhook-test-deliveries": { new: { attributes: { "endpoint-id": endpointId } } },
  "webhook-endpoint-secret-rotations": {
    new: { attributes: { "secret-generation": 1 } },
    attributes: {
      "secret-generation": 2,
      "previous-valid-until": "2026-03-03T09:30:00.000Z",
    },
  },
  "webhook-replays": {
    new: {
      attributes: { from: "2026-02-28T00:00:00.000Z", to: "2026-03-01T09:30:00.000Z" },
    },
    attributes: { "created-count": 214, "remaining-count": 0 },
  },
  "webhook-events": { attributes: eventExample },
  "webhook-deliveries": {
    attributes: {
      "created-at": "2026-03-01T09:30:00.000Z",
      "updated-at": "2026-03-01T09:30:00.812Z",
      "expires-at": "2026-03-31T09:30:00.000Z",
      "kind": "production",
      "event-type": "person.updated",
      "status": "retry-scheduled",
      "attempt-count": 1,
      "next-attempt-at": "2026-03-01T09:31:00.000Z",
      "attempts": [
        {
          "id": "01980e5c-4a00-7000-8000-000000000012.1",
          "state": "completed",
          "outcome": "retryable-failure",
          "attempt-number": 1,
          "http-status": 503,
          "error-code": "http-503",
          "error-message": failureMessage("http-503"),
          "duration-ms": 812,
          "started-at": "2026-03-01T09:30:00.000Z",
          "finished-at": "2026-03-01T09:30:00.812Z",
        },
      ],
    },
  },
};

/** Presets belong to the service. */
const preset = ["conflict"] as const satisfies Code[];

/** What is done to an endpoint that has to be active, and not too often. */
const action = [
  "not-found",
  "endpoint-not-verified",
  "endpoint-paused",
  "endpoint-security-paused",
  "action-limit-exceeded",
] as const satisfies Code[];

/** What the operations written by hand refuse beyond what the kernel does, by operationId. */
const refusals: Record<string, readonly Code[]> = {
  updatePerson: ["last-full-administrator"],
  deletePerson: ["deleting-oneself", "last-full-administrator"],
  updateAccount: ["custom-property-in-use"],
  updateRole: preset,
  deleteRole: preset,
  createWebhookEndpoint: ["duplicate-url", "too-many-endpoints", "url-unresolvable"],
  updateWebhookEndpoint: [
    "idempotency-key-required",
    "duplicate-url",
    "url-unresolvable",
    "endpoint-not-verified",
    "endpoint-security-paused",
  ],
  createWebhookEndpointVerification: [
    "not-found",
    "stale-version",
    "endpoint-paused",
    "endpoint-security-paused",
    "action-limit-exceeded",
  ],
  createWebhookEndpointSecretRotation: [
    "not-found",
    "stale-secret-generation",
    "secret-overlap-active",
    "action-limit-exceeded",
  ],
  createWebhookTestDelivery: action,
  createWebhookRedelivery: [
    ...action,
    "delivery-not-production",
    "delivery-not-failed",
    "event-expired",
    "endpoint-deleted",
    "endpoint-not-subscribed",
  ],
  createWebhookReplay: action,
};

/** What is not as it is elsewhere. */
const words: Record<string, OwnWords> = {
  updateWebhookEndpoint: {
    asked:
      "What is not sent stays as it is; send only what is to change, as what is sent says which change it is. `status`, alone: pauses or resumes. `name` and `events`: changes them. `url`, with or without `name` and `events`: sets the destination anew, also to the URL it has; the secret is replaced, the endpoint has to be verified anew, and an `Idempotency-Key` is required. A whole endpoint, as it was read, is refused.",
  },
  createWebhookReplay: {
    answered: "How many deliveries were made. They are on their way, and sent as others are.",
  },
};

/** What a balancer is told, who is not counted. */
const plainText = (description: string, example: string): Json => ({
  description,
  headers: uncountedHeadersOf(),
  content: { "text/plain": { schema: { type: "string" }, example } },
});

const json = (schema: Json, example: Json): Json => ({
  "application/json": { schema, example },
});

const text = (more: Json = {}): Json => ({ type: "string", ...more });

const object = (properties: Json): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

const email = text({
  maxLength: 254,
  description: "The e-mail address; case does not count.",
});
const alias = text({ maxLength: 254, description: "The alias of the church." });
const password = (more: Json = {}) =>
  text({
    format: "password",
    minLength: limits.passwordLengthMin,
    maxLength: limits.passwordLengthMax,
    ...more,
  });

/** What anybody may be answered before they have said who they are. */
const anonymous = [
  "malformed-request",
  "malformed-json",
  "malformed-document",
  "too-deep",
  "invalid-header",
  "request-timeout",
  "body-too-large",
  "unsupported-media-type",
  "client-token-missing",
  "client-token-invalid",
  "login-failed",
  "invalid-attribute",
  "missing-attribute",
  "unknown-attribute",
  "invalid-text",
  "rate-limited",
  "headers-too-large",
  "internal",
  "unavailable",
] as const satisfies Code[];

const withToken = [
  "malformed-request",
  "credentials-missing",
  "credentials-invalid",
  "client-token-missing",
  "client-token-invalid",
  "account-inactive",
  "church-not-approved",
  "integration-not-allowed",
  "rate-limited",
  "headers-too-large",
  "internal",
  "unavailable",
] as const satisfies Code[];

const withDocument = [
  ...withToken,
  "malformed-json",
  "malformed-document",
  "too-deep",
  "invalid-header",
  "request-timeout",
  "body-too-large",
  "unsupported-media-type",
  "not-acceptable",
  "client-id-unsupported",
  "type-mismatch",
  "idempotency-key-reused",
  "unknown-attribute",
  "unknown-relationship",
  "invalid-text",
] as const satisfies Code[];

const idempotencyKey: Json = { $ref: "#/components/parameters/IdempotencyKey" };

const noContent = (description: string, ...more: Parameters<typeof headersOf>): Json => ({
  description,
  headers: headersOf(...more),
});

const tags = [
  {
    name: "signing-in",
    description: "Access tokens: how a person gets one, loses it, and keeps it their own.",
  },
  { name: "service", description: "Whether the service is there, and what it offers." },
];

const paths: Json = {
  "/authenticate": {
    post: {
      tags: ["signing-in"],
      operationId: "authenticate",
      summary: "Log in",
      description:
        "Plain JSON. From outside it takes a client token; a first-party page needs none.",
      security: [{}, { clientToken: [] }],
      requestBody: {
        required: true,
        content: json(object({ username: email, password: password(), account: alias }), {
          username: "ana.souza@graca.example",
          password: "a long and private sentence",
          account: "graca",
        }),
      },
      responses: {
        200: {
          description:
            "An access token. It is shown once and stands for the person until it expires.",
          headers: headersOf(),
          content: json(
            object({
              access_token: text(),
              token_type: { type: "string", const: "Bearer" },
              expires_in: { type: "integer", description: "Seconds." },
              expires_at: text({ format: "date-time" }),
              account: object({ "id": text(), "alias": text(), "church-name": text() }),
              person: object({ id: text() }),
            }),
            {
              access_token: "vat_AZgOXEoAcACAAAAAAAAAAfY3…",
              token_type: "Bearer",
              expires_in: limits.accessTokenMs / 1_000,
              expires_at: "2027-03-01T09:30:00.000Z",
              account: {
                "id": "01980e5c-4a00-7000-8000-000000000001",
                "alias": "graca",
                "church-name": "Igreja da Graça",
              },
              person: { id: "01980e5c-4a00-7000-8000-000000000002" },
            },
          ),
        },
        ...errorsWith([
          ...anonymous,
          "account-inactive",
          "church-not-approved",
          "integration-not-allowed",
          "login-throttled",
        ]),
      },
    },
  },
  "/authenticate-username": {
    post: {
      tags: ["signing-in"],
      operationId: "authenticateUsername",
      summary: "List the churches an e-mail address logs in to",
      description: "Plain JSON, for whoever belongs to several churches.",
      security: [{}, { clientToken: [] }],
      requestBody: {
        required: true,
        content: json(object({ username: email }), { username: "ana.souza@graca.example" }),
      },
      responses: {
        200: {
          description: "Their aliases and names.",
          headers: headersOf(),
          content: json(
            object({ accounts: { type: "array", items: object({ alias: text(), name: text() }) } }),
            { accounts: [{ alias: "graca", name: "Igreja da Graça" }] },
          ),
        },
        ...errorsWith(anonymous),
      },
    },
  },
  "/v1/access-tokens/current": {
    delete: {
      tags: ["signing-in"],
      operationId: "deleteCurrentAccessToken",
      summary: "Log out",
      description: "Ends the access token of this very request, and no other.",
      responses: {
        204: noContent("The token is no longer one."),
        ...errorsWith([
          ...withToken,
          "malformed-json",
          "invalid-header",
          "request-timeout",
          "body-too-large",
          "unsupported-media-type",
        ]),
      },
    },
  },
  "/v1/password-changes": {
    post: {
      tags: ["signing-in"],
      operationId: "createPasswordChange",
      summary: "Change the caller's password",
      description: "Ends all their access tokens but the one in use.",
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          [MEDIA_TYPE]: {
            schema: object({
              data: object({
                type: { type: "string", const: "password-changes" },
                attributes: object({
                  "current-password": text({ format: "password" }),
                  "new-password": password({
                    description: "6 to 140 characters, whichever they are.",
                  }),
                }),
              }),
            }),
            example: {
              data: {
                type: "password-changes",
                attributes: {
                  "current-password": "a long and private sentence",
                  "new-password": "another one that nobody knows",
                },
              },
            },
          },
        },
      },
      responses: {
        204: noContent("The new password counts from now on.", "Idempotent-Replay"),
        ...errorsWith([
          ...withDocument,
          "invalid-attribute",
          "missing-attribute",
          "wrong-password",
          "login-throttled",
        ]),
      },
    },
  },
  "/v1/access-token-revocations": {
    post: {
      tags: ["signing-in"],
      operationId: "createAccessTokenRevocation",
      summary: "End all access tokens of a person",
      description:
        "One's own, the one in use included; for an administrator those of whoever does not rank above them.",
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          [MEDIA_TYPE]: {
            schema: object({
              data: object({
                type: { type: "string", const: "access-token-revocations" },
                relationships: object({
                  person: object({ data: { $ref: "#/components/schemas/PersonIdentifier" } }),
                }),
              }),
            }),
            example: {
              data: {
                type: "access-token-revocations",
                relationships: {
                  person: {
                    data: { type: "people", id: "01980e5c-4a00-7000-8000-000000000002" },
                  },
                },
              },
            },
          },
        },
      },
      responses: {
        204: noContent("They are no longer tokens.", "Idempotent-Replay"),
        ...errorsWith([
          ...withDocument,
          "forbidden",
          "not-found",
          "missing-relationship",
          "invalid-relationship",
        ]),
      },
    },
  },
  "/livez": {
    get: {
      tags: ["service"],
      operationId: "readLiveness",
      summary: "Is the process there?",
      security: [],
      responses: { 200: plainText("It is.", "ok\n") },
    },
  },
  "/readyz": {
    get: {
      tags: ["service"],
      operationId: "readReadiness",
      summary: "Can it serve?",
      description:
        "Asks the database, and waits two seconds for it at most. No longer ready while it stops.",
      security: [],
      responses: {
        200: plainText("It can.", "ready\n"),
        ...errorsWith(["unavailable"], uncountedHeadersOf),
      },
    },
  },
  "/openapi.json": {
    get: {
      tags: ["service"],
      operationId: "readOpenApi",
      summary: "Read this document",
      security: [],
      responses: {
        200: {
          description: "OpenAPI 3.1.",
          headers: headersOf("ETag"),
          content: { "application/json": { schema: { type: "object" } } },
        },
        304: noContent("It is as `If-None-Match` knows it.", "ETag"),
        ...errorsWith(["rate-limited"]),
      },
    },
  },
};

/** The OpenAPI document of the whole service. */
export function serviceDocument() {
  const derived = openApiDocument(describedCatalogue, {
    version,
    title: "Vestry",
    description,
    examples,
    refusals,
    words,
  });
  return {
    ...derived,
    tags: [...tags, ...derived.tags, eventTypeTag],
    paths: { ...paths, ...derived.paths, ...eventTypePaths },
    components: {
      ...derived.components,
      schemas: { ...derived.components.schemas, ...eventTypeSchemas },
    },
  };
}
