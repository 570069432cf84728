import { createHmac } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../../access/actor.ts";
import type { Confirmation } from "../../access/confirmation.ts";
import { type Credentials, identifyClient } from "../../access/identify.ts";
import {
  type WriteResponse,
  once,
  parseIdempotencyKey,
} from "../../jsonapi/request/idempotency.ts";
import { checkAccept } from "../../jsonapi/request/media-type.ts";
import { writeDocument } from "../../jsonapi/response/document.ts";
import { send } from "../../jsonapi/routes/steps.ts";
import type { Catalogue } from "../../jsonapi/definition/resource.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import { authenticate } from "./authenticate/authenticate.ts";
import { authenticateUsername } from "./authenticate/authenticate-username.ts";
import { changePassword, type Within } from "./passwords/change-password.ts";
import { confirmPasswordReset } from "./passwords/confirm-password-reset.ts";
import {
  readPasswordChange,
  readPasswordReset,
  readPasswordResetConfirmation,
  readPlain,
  readTokenRevocation,
} from "./input.ts";
import { logOut } from "./access-tokens/log-out.ts";
import { deviceOf } from "./session/device.ts";
import { requestPasswordReset } from "./passwords/request-password-reset.ts";
import { addRevocation } from "./audit.ts";
import { revokeTokensOf } from "./access-tokens/revoke-tokens.ts";

export interface SignInDeps {
  db: Db;
  catalogue: Catalogue;
  /** Identifies the caller or throws 401 or 403. */
  identify: (request: FastifyRequest) => Promise<Actor>;
  confirmation: (request: FastifyRequest, caller: Actor) => Confirmation;
  /** First-party origins. Browsers there log in without a client token. */
  origins: ReadonlySet<string>;
  /** The key of the hashes that count failed log-ins. All nodes need the same key. */
  throttleKey: Uint8Array;
  sendsMail: boolean;
}

/** These routes serve callers without an access token, like a log-in. */
const document = { bodyLimit: limits.loginBodyBytesMax } as const;

/** Log-ins are plain JSON, for simple clients. JSON:API's media type is accepted too. */
const plain = { config: { body: "json" }, bodyLimit: limits.loginBodyBytesMax } as const;

export function registerSignIn(app: FastifyInstance, deps: SignInDeps): void {
  const { catalogue, db, identify, sendsMail, throttleKey } = deps;

  app.post("/authenticate", plain, async (request, reply) => {
    const { integrationId } = await identifyClient(db, credentialsOf(request), deps);
    const login = readPlain(request.body, ["username", "password", "account"]);
    const device = deviceOf(request.headers["user-agent"]);
    const origin = {
      address: request.ip,
      requestId: request.id,
      throttleKey,
      integrationId,
      device,
    };
    // The response contains a token, so it must not be cached.
    reply.header("Cache-Control", "no-store").type("application/json");
    return authenticate(db, login, origin);
  });

  app.post("/authenticate-username", plain, async (request, reply) => {
    await identifyClient(db, credentialsOf(request), deps);
    const { username } = readPlain(request.body, ["username"]);
    reply.header("Cache-Control", "no-store").type("application/json");
    return authenticateUsername(db, username, { address: request.ip, throttleKey });
  });

  app.delete("/v1/access-tokens/current", async (request, reply) => {
    await logOut(db, await identify(request));
    return reply.code(204).send();
  });

  app.post("/v1/password-changes", async (request, reply) => {
    checkAccept(request.headers.accept);
    const actor = await identify(request);
    const change = readPasswordChange(request.body);
    const from = { address: request.ip, requestId: request.id, sendsMail, throttleKey };
    const within = onceOf(request, actor, throttleKey);
    return sendAnswer(reply, await changePassword(db, actor, change, from, within, NO_CONTENT));
  });

  app.post("/v1/password-resets", document, async (request, reply) => {
    checkAccept(request.headers.accept);
    const { integrationId } = await identifyClient(db, credentialsOf(request), deps);
    const reset = readPasswordReset(request.body);
    await requestPasswordReset(db, reset, { address: request.ip, throttleKey, integrationId });
    const receipt = { type: "password-resets", id: newId(), attributes: { status: "received" } };
    const body = writeDocument({ data: JSON.stringify(receipt) });
    return sendAnswer(reply, { status: 202, headers: {}, body });
  });

  app.post("/v1/password-reset-confirmations", document, async (request, reply) => {
    checkAccept(request.headers.accept);
    const { integrationId } = await identifyClient(db, credentialsOf(request), deps);
    const confirmation = readPasswordResetConfirmation(request.body);
    await confirmPasswordReset(db, confirmation, {
      address: request.ip,
      requestId: request.id,
      catalogue,
      sendsMail,
      throttleKey,
      integrationId,
    });
    return reply.code(204).send();
  });

  app.post("/v1/access-token-revocations", async (request, reply) => {
    checkAccept(request.headers.accept);
    const actor = await identify(request);
    const revocation = readTokenRevocation(request.body);
    const { personId } = revocation;
    const within = onceOf(request, actor, throttleKey);
    const confirmation = deps.confirmation(request, actor);
    const answer = await inTransaction(db, actor.accountId, (tx) =>
      within(tx, async () => {
        const count = await revokeTokensOf({ actor, catalogue, db: tx }, revocation);
        // The caller's own tokens include the one in use.
        if (personId !== actor.personId) await confirmation.beforeCommit(tx);
        const origin = { address: request.ip, requestId: request.id };
        if (count > 0) addRevocation(tx, actor, { personId, count }, origin);
        return NO_CONTENT;
      }),
    );
    return sendAnswer(reply, answer);
  });
}

/** A header that is missing or repeated is ignored. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const { authorization, origin } = request.headers;
  const clientToken = request.headers["x-svc-api-token"]?.toString();
  const personId = request.headers["vestry-person"]?.toString();
  return { authorization, origin, clientToken, personId };
}

/**
 * The stored fingerprint of a request contains the body. A fingerprint of a password could be attacked offline by
 * anyone with a copy of the database, so it is keyed with a secret that is not in the database.
 */
function onceOf(request: FastifyRequest, actor: Actor, key: Uint8Array): Within<WriteResponse> {
  const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
  if (idempotencyKey === undefined) return (_tx, run) => run();
  const { method, url } = request;
  const route = `${method} ${request.routeOptions.url}`;
  const body = createHmac("sha256", key).update(JSON.stringify(request.body)).digest("base64");
  return (tx, run) => once(tx, actor, { key: idempotencyKey, route, method, url, body }, run);
}

const NO_CONTENT: WriteResponse = { status: 204, headers: {}, body: "" };

const sendAnswer = (reply: FastifyReply, { status, headers, body }: WriteResponse) =>
  send(reply.code(status).headers(headers), body);
