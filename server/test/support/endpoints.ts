import assert from "node:assert/strict";
import type { Actor } from "../../src/access/actor.ts";
import { newId } from "../../src/base/ids.ts";
import { type Db, inTransaction, type Tx } from "../../src/store/db.ts";
import { Cipher } from "../../src/store/cipher.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { createEndpoint, type NewEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import {
  endpointStep,
  type EndpointTrigger,
} from "../../src/webhooks/endpoints/endpoint-lifecycle.ts";
import {
  applyStep,
  lockEndpoint,
  type StoredEndpoint,
} from "../../src/webhooks/endpoints/endpoint-rows.ts";
import { revealSecret } from "../../src/webhooks/endpoints/reveal-secret.ts";
import { SigningSecret } from "../../src/webhooks/endpoints/signing-secrets.ts";
import type { TestAccount } from "./make.ts";
import { type Answer, document, etag, one, type TestService } from "./service.ts";
import { tellSecret } from "./signatures.ts";
import { webhookParts } from "./webhook-parts.ts";

/** The actor of a request by the account's full administrator. */
export const actorOf = ({ administrator, id }: TestAccount): Actor => ({
  accountId: id,
  accountVersion: 1,
  personId: administrator.id,
  tokenId: newId(),
  administrativeStatus: "full-administrator",
  assignments: [],
});

export const parts = webhookParts();

/** Creates an unverified endpoint like a POST, and returns its id. */
export async function createdEndpoint(
  db: Db,
  account: TestAccount,
  endpoint: Partial<NewEndpoint> = {},
): Promise<string> {
  const url = `https://receiver.example/${newId()}`;
  return showingSecret(db, account, () =>
    inTransaction(db, account.id, (tx) =>
      createEndpoint(tx, actorOf(account), { url, events: ["person.created"], ...endpoint }, parts),
    ),
  );
}

/** Registers an endpoint or sets its URL, reveals the secret to the test receivers, and returns the id. */
export async function showingSecret(
  db: Db,
  account: TestAccount,
  act: () => Promise<{ id: string }>,
): Promise<string> {
  const askedAt = Date.now();
  const { id } = await act();
  const [row] = await db<{ url: string; generation: number }[]>`
    select normalized_url as url, secret_generation as generation from webhook_endpoints
    where account_id = ${account.id} and id = ${id}`;
  assert.ok(row);
  const owner = { endpointId: id, generation: row.generation };
  const shown = await revealSecret(db, account.id, owner, parts.cipher);
  if (shown) tellSecret({ ...shown, endpointId: id, accountId: account.id, url: row.url, askedAt });
  return id;
}

/** Encrypts the secrets with a key of another node. Returns a function that restores them. */
export async function encryptElsewhere(
  db: Db,
  { id: accountId }: TestAccount,
  endpointId: string,
): Promise<() => Promise<void>> {
  const elsewhere = new Cipher([{ id: "elsewhere", bytes: () => Buffer.alloc(32, 9) }]);
  const rows = await db<{ encrypted: Buffer; generation: number }[]>`
    select generation, encrypted from webhook_secrets
    where account_id = ${accountId} and endpoint_id = ${endpointId}`;
  const store = (generation: number, encrypted: Uint8Array) => db`
    update webhook_secrets set encrypted = ${Buffer.from(encrypted)}
    where account_id = ${accountId} and endpoint_id = ${endpointId} and generation = ${generation}`;
  for (const { encrypted, generation } of rows) {
    const owner = { accountId, endpointId, generation };
    const secret = SigningSecret.decrypt(parts.cipher, encrypted, owner);
    await store(generation, secret.encrypt(elsewhere, owner));
  }
  return async () => {
    for (const { encrypted, generation } of rows) await store(generation, encrypted);
  };
}

/** Applies a step that no request causes. */
export async function happened(
  db: Db,
  account: TestAccount,
  id: string,
  triggerOf: (endpoint: StoredEndpoint) => EndpointTrigger,
): Promise<void> {
  await inTransaction(db, account.id, async (tx) => {
    const endpoint = await locked(tx, account.id, id);
    const step = endpointStep(endpoint, triggerOf(endpoint), endpoint.now);
    if (!step || "refused" in step) throw new Error("This does not happen to it.");
    await applyStep(tx, account.id, id, step, actorOf(account));
  });
}

/** Verifies an endpoint as if its receiver had returned the challenge. */
export const verify = (db: Db, account: TestAccount, id: string): Promise<void> =>
  happened(db, account, id, ({ destinationVersion, now, verificationGeneration }) => ({
    kind: "challenge-answered",
    destinationVersion,
    verificationGeneration,
    expiresAt: now + 1,
  }));

export async function verifiedEndpoint(
  db: Db,
  account: TestAccount,
  endpoint: Partial<NewEndpoint> = {},
): Promise<string> {
  const id = await createdEndpoint(db, account, endpoint);
  await verify(db, account, id);
  return id;
}

export const standing = (db: Db, account: TestAccount, id: string): Promise<StoredEndpoint> =>
  inTransaction(db, account.id, (tx) => locked(tx, account.id, id));

async function locked(tx: Tx, accountId: string, id: string): Promise<StoredEndpoint> {
  const endpoint = await lockEndpoint(tx, accountId, id);
  if (!endpoint) throw new Error("There is no such endpoint.");
  return endpoint;
}

export interface MadeDelivery {
  id: string;
  eventId: string;
}

/** Creates a finished production delivery, with a new event or with an existing one. */
export async function makeDelivery(
  db: Db,
  accountId: string,
  delivery: {
    endpointId: string;
    status?: string;
    eventType?: string;
    eventId?: string;
    /** The age of the delivery. */
    secondsAgo?: number;
  },
): Promise<MadeDelivery> {
  const {
    endpointId,
    eventType = "person.created",
    secondsAgo = 0,
    status = "exhausted",
  } = delivery;
  const [event] = delivery.eventId
    ? [{ id: delivery.eventId }]
    : await db<{ id: string }[]>`
        insert into webhook_events (account_id, id, event_type, occurred_at, cause, subject_type, subject_id, snapshot,
          snapshot_bytes)
        select ${accountId}, history_id(moment), ${eventType}, moment, 'ui', 'people', ${newId()}, '{}', 2
        from date_trunc('milliseconds', now() - ${secondsAgo} * interval '1 second') as moment returning id`;
  const [made] = await db<{ id: string }[]>`
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, status, expires_at)
    select ${accountId}, history_id(occurred_at),
      date_trunc('milliseconds', now() - ${secondsAgo} * interval '1 second'), now(), 'production',
      ${endpointId}, id, event_type, 1, ${status},
      occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'
    from webhook_events where account_id = ${accountId} and id = ${event?.id ?? ""} returning id`;
  if (!event || !made) throw new Error("A delivery is made of an event that is there.");
  return { id: made.id, eventId: event.id };
}

// -- Through the API ------------------------------------------------------------------------------------------

/** The response of a POST. */
export interface Posted {
  id: string;
  etag: string;
  secret: string;
}

export async function postEndpoint(
  service: TestService,
  attributes: Record<string, unknown> = {},
): Promise<Posted> {
  const answer = await service.post(
    "/v1/webhook-endpoints",
    document("webhook-endpoints", {
      url: `https://receiver.example/${newId()}`,
      events: ["person.created"],
      ...attributes,
    }),
  );
  assert.equal(answer.status, 201, answer.text);
  const { id, meta } = one(answer);
  return { id, etag: etag(answer), secret: String(meta?.["secret"]) };
}

/** Creates an active endpoint. The ETag is the one after the verification. */
export async function activeEndpoint(
  service: TestService,
  attributes: Record<string, unknown> = {},
): Promise<Posted> {
  const posted = await postEndpoint(service, attributes);
  await verify(service.db, service.account, posted.id);
  return { ...posted, etag: '"webhook-endpoint-2"' };
}

/** Changes an endpoint with its current ETag, unless `headers` overrides it. */
export async function patchEndpoint(
  service: TestService,
  id: string,
  attributes: Record<string, unknown>,
  headers: Record<string, string | null> = {},
): Promise<Answer> {
  const path = `/v1/webhook-endpoints/${id}`;
  const current = etag(await service.get(path));
  return service.patch(path, document("webhook-endpoints", attributes, { id }), {
    headers: { "If-Match": current, ...headers },
  });
}

export const readEndpoint = async (service: TestService, id: string) =>
  one(await service.get(`/v1/webhook-endpoints/${id}`)).attributes;

/** A new Idempotency-Key. */
export const newKey = () => ({ "Idempotency-Key": newId() });
