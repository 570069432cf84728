import type { Actor } from "../../access/actor.ts";
import { fail } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { Written } from "../../jsonapi/definition/resource.ts";
import type { Tx } from "../../store/db.ts";
import { countAction } from "../endpoints/action-limits.ts";
import type { DeliveryState } from "../engine/transition.ts";
import { lockEndpoint } from "../endpoints/endpoint-rows.ts";
import { assertActive } from "../endpoints/live-endpoint.ts";
import { failedStates, queueRedeliveries } from "./queue-redeliveries.ts";

const SOURCE = { pointer: "/data/relationships/delivery/data" };

/** Queues a failed delivery again, for the endpoint's current URL. Returns the new delivery. */
export async function redeliver(
  tx: Tx,
  actor: Actor,
  { deliveryId }: { deliveryId: string },
): Promise<Written> {
  const { accountId } = actor;
  const original = isId(deliveryId) ? await findDelivery(tx, accountId, deliveryId) : undefined;
  if (!original) throw fail("not-found", "There is no such delivery.", SOURCE);
  const { endpointId, eventType, kind, retained, status } = original;
  const endpoint = await lockEndpoint(tx, accountId, endpointId);
  if (kind !== "production" || eventType === null)
    throw fail(
      "delivery-not-production",
      `The delivery is a ${kind}. Request a new ${kind} instead.`,
      SOURCE,
    );
  if (!failedStates.some((state) => state === status))
    throw fail(
      "delivery-not-failed",
      `The delivery is ${status}. Only failed and suppressed deliveries can be sent again.`,
      SOURCE,
    );
  if (!retained) throw expired();
  if (!endpoint) throw fail("endpoint-deleted", "The endpoint was deleted.", SOURCE);
  assertActive(endpoint, SOURCE);
  if (!endpoint.events.includes(eventType))
    throw fail(
      "endpoint-not-subscribed",
      `The endpoint does not subscribe to ${eventType}.`,
      SOURCE,
    );

  const remaining = await countAction(tx, { accountId, endpointId }, "redelivery");
  const { destinationVersion } = endpoint;
  const { id } = await queueRedeliveries(
    tx,
    { accountId, endpointId, destinationVersion },
    tx`select * from webhook_deliveries where account_id = ${accountId} and id = ${deliveryId}`,
    1,
  );
  // The event was deleted after the check.
  if (id === null) throw expired();
  return { id, meta: { remaining } };
}

const expired = () => fail("event-expired", "The event is no longer retained.", SOURCE);

interface Original {
  kind: string;
  endpointId: string;
  eventType: string | null;
  status: DeliveryState;
  retained: boolean;
}

async function findDelivery(tx: Tx, accountId: string, id: string): Promise<Original | undefined> {
  const [row] = await tx<Original[]>`
    select kind, endpoint_id as "endpointId", event_type as "eventType", status,
      expires_at > now() and exists (select from webhook_events
        where account_id = ${accountId} and id = webhook_deliveries.message_id) as retained
    from webhook_deliveries where account_id = ${accountId} and id = ${id}`;
  return row;
}
