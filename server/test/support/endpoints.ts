import type { Actor } from "../../src/access/actor.ts";
import { newId } from "../../src/ids.ts";
import { type Db, inTransaction, type Tx } from "../../src/store/db.ts";
import { webhookLimits } from "../../src/webhook-limits.ts";
import { createEndpoint, type NewEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { endpointStep, type EndpointTrigger } from "../../src/webhooks/endpoint-lifecycle.ts";
import { applyStep, lockEndpoint, type StoredEndpoint } from "../../src/webhooks/endpoint-rows.ts";
import type { Church } from "./make.ts";
import { webhookParts } from "./webhook-parts.ts";

/** The full administrator of a church, as a request of theirs would have it. */
export const actorOf = ({ administrator, id }: Church): Actor => ({
  accountId: id,
  accountVersion: 1,
  personId: administrator.id,
  tokenId: newId(),
  administrativeStatus: "full-administrator",
  assignments: [],
});

export const parts = webhookParts();

/** As a POST creates it: not yet verified. Answers its id. */
export async function createdEndpoint(
  db: Db,
  church: Church,
  endpoint: Partial<NewEndpoint> = {},
): Promise<string> {
  const created = await inTransaction(db, (tx) =>
    createEndpoint(
      tx,
      actorOf(church),
      { url: `https://receiver.example/${newId()}`, events: ["person.created"], ...endpoint },
      parts,
    ),
  );
  return created.id;
}

/** What happens to an endpoint without anybody asking for it. */
export async function happened(
  db: Db,
  church: Church,
  id: string,
  triggerOf: (endpoint: StoredEndpoint) => EndpointTrigger,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const endpoint = await locked(tx, church.id, id);
    const step = endpointStep(endpoint, triggerOf(endpoint), endpoint.now);
    if (!step || "refused" in step) throw new Error("This does not happen to it.");
    await applyStep(tx, church.id, id, step, actorOf(church));
  });
}

/** As if its receiver had answered the challenge. */
export const verify = (db: Db, church: Church, id: string): Promise<void> =>
  happened(db, church, id, ({ destinationVersion, now, verificationGeneration }) => ({
    kind: "challenge-answered",
    destinationVersion,
    verificationGeneration,
    expiresAt: now + 1,
  }));

export async function verifiedEndpoint(
  db: Db,
  church: Church,
  endpoint: Partial<NewEndpoint> = {},
): Promise<string> {
  const id = await createdEndpoint(db, church, endpoint);
  await verify(db, church, id);
  return id;
}

export const standing = (db: Db, church: Church, id: string): Promise<StoredEndpoint> =>
  inTransaction(db, (tx) => locked(tx, church.id, id));

async function locked(tx: Tx, accountId: string, id: string): Promise<StoredEndpoint> {
  const endpoint = await lockEndpoint(tx, accountId, id);
  if (!endpoint) throw new Error("There is no such endpoint.");
  return endpoint;
}

export interface MadeDelivery {
  id: string;
  eventId: string;
}

/** A production delivery that has ended, with its event; or one more of an event that is there. */
export async function makeDelivery(
  db: Db,
  accountId: string,
  delivery: {
    endpointId: string;
    status?: string;
    eventType?: string;
    eventId?: string;
    /** Since when it is there. */
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
    select ${accountId}, history_id(occurred_at), now() - ${secondsAgo} * interval '1 second', now(), 'production',
      ${endpointId}, id, event_type, 1, ${status},
      occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'
    from webhook_events where account_id = ${accountId} and id = ${event?.id ?? ""} returning id`;
  if (!event || !made) throw new Error("A delivery is made of an event that is there.");
  return { id: made.id, eventId: event.id };
}
