import type { Health } from "../../src/webhooks/endpoints/health.ts";
import { healthColumns } from "../../src/webhooks/endpoints/health-rows.ts";
import type { DeliveryKind } from "../../src/webhooks/engine/schedule.ts";
import type { DeliveryState } from "../../src/webhooks/engine/transition.ts";
import type { World } from "./world.ts";

/** The rows of the account. All times are in milliseconds by the database's clock. */
export interface Snapshot {
  readonly now: number;
  readonly deliveries: ReadonlyMap<string, StoredDelivery>;
  readonly endpoints: ReadonlyMap<string, StoredEndpoint>;
  readonly places: readonly Place[];
}

export interface StoredDelivery {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly endpointId: string;
  readonly destinationVersion: number;
  readonly isRedelivery: boolean;
  readonly status: DeliveryState;
  readonly suppressionReason: string | null;
  readonly attemptCount: number;
  readonly nextAttemptAt: number | null;
  readonly expiresAt: number;
  /** In the order of their claims. */
  readonly attempts: readonly Attempt[];
  readonly place: Place | undefined;
}

export interface Attempt {
  readonly deliveryId: string;
  readonly number: number;
  readonly state: "completed" | "abandoned";
  readonly outcome: "success" | "retryable-failure" | "permanent-failure" | "system-failure" | null;
  readonly code: string | null;
  readonly startedAt: number;
}

/** In the queue. */
export interface Place {
  readonly deliveryId: string;
  readonly status: DeliveryState;
  readonly attemptsMade: number;
  readonly isReady: boolean;
  readonly isLeased: boolean;
  readonly dueAt: number;
}

export interface StoredEndpoint {
  readonly id: string;
  readonly status: string;
  readonly pauseReason: string | null;
  readonly destinationVersion: number;
  readonly health: Health;
  /** When a person reset the streak. */
  readonly resets: readonly number[];
  /** Over all hours. */
  readonly counted: { attempts: number; retries: number; succeeded: number; failed: number };
  readonly deliveries: readonly StoredDelivery[];
}

/** The attributes of an endpoint that decide what may be sent to it. */
export interface Standing {
  readonly id: string;
  readonly status: string;
  readonly pauseReason: string | null;
  readonly version: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly destinationVersion: number;
  readonly verificationGeneration: number;
  readonly secretGeneration: number;
  /** The number of valid secrets. */
  readonly secrets: number;
}

export async function readStandings({ accountId, db }: World): Promise<Map<string, Standing>> {
  const rows = await db<Standing[]>`
    select id, status, pause_reason as "pauseReason", version, normalized_url as url, events,
      destination_version as "destinationVersion", verification_generation as "verificationGeneration",
      secret_generation as "secretGeneration",
      (select count(*)::integer from webhook_secrets secret
       where secret.account_id = ${accountId} and secret.endpoint_id = endpoint.id
         and (valid_until is null or valid_until > now())) as secrets
    from webhook_endpoints endpoint where account_id = ${accountId} order by id`;
  return new Map(rows.map((row) => [row.id, row]));
}

const ms = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

const DELIVERIES = `
  select id, kind, endpoint_id as "endpointId", destination_version as "destinationVersion",
    origin_delivery_id is not null as "isRedelivery", status, suppression_reason as "suppressionReason",
    attempt_count as "attemptCount", ${ms("next_attempt_at")} as "nextAttemptAt", ${ms("expires_at")} as "expiresAt",
    ${ms("now()")} as now
  from webhook_deliveries where account_id = $1`;

const ATTEMPTS = `
  select delivery_id as "deliveryId", attempt_number as number, state, outcome, error_code as code,
    ${ms("started_at")} as "startedAt"
  from webhook_attempts where account_id = $1 order by sequence`;

const PLACES = `
  select delivery_id as "deliveryId", status, attempts_made as "attemptsMade", ready as "isReady",
    lease is not null as "isLeased", ${ms("due_at")} as "dueAt"
  from webhook_queue where account_id = $1`;

const ENDPOINTS = `
  select endpoint.id, status, pause_reason as "pauseReason", destination_version as "destinationVersion", ${healthColumns},
    array(select (${ms("happened_at")})::bigint::text from webhook_endpoint_changes change
      where change.account_id = $1 and change.endpoint_id = endpoint.id and change in ('resumed', 'url-changed')) as resets,
    attempts, retries, succeeded, failed
  from webhook_endpoints endpoint
  join webhook_endpoint_health health on health.account_id = endpoint.account_id and health.endpoint_id = endpoint.id
  cross join lateral (
    select coalesce(sum(attempts), 0)::integer as attempts, coalesce(sum(retries), 0)::integer as retries,
      coalesce(sum(succeeded), 0)::integer as succeeded, coalesce(sum(failed), 0)::integer as failed
    from webhook_hours where webhook_hours.account_id = $1 and webhook_hours.endpoint_id = endpoint.id
  ) counted
  where endpoint.account_id = $1`;

type EndpointRow = Omit<StoredEndpoint, "health" | "resets" | "counted" | "deliveries"> &
  Health &
  StoredEndpoint["counted"] & { readonly resets: readonly string[] };

export async function takeSnapshot({ accountId, db }: World): Promise<Snapshot> {
  const read = <Row extends object>(query: string) =>
    db.query<Row[]>(query, [accountId], { prepared: true });
  const [deliveryRows, attempts, places, endpointRows] = await Promise.all([
    read<StoredDelivery & { now: number }>(DELIVERIES),
    read<Attempt>(ATTEMPTS),
    read<Place>(PLACES),
    read<EndpointRow>(ENDPOINTS),
  ]);
  const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const placeOf = new Map(places.map((place) => [place.deliveryId, place]));
  const deliveries = deliveryRows.map((row) => ({
    ...row,
    attempts: attemptsOf.get(row.id) ?? [],
    place: placeOf.get(row.id),
  }));
  const deliveriesOf = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
  const endpoints = endpointRows.map((row) => ({
    ...row,
    health: row,
    resets: row.resets.map(Number),
    counted: row,
    deliveries: deliveriesOf.get(row.id) ?? [],
  }));
  return {
    now: deliveryRows[0]?.now ?? 0,
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
    places,
  };
}
