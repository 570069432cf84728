/** The reads and writes of webhooks: endpoints, what was delivered to them, events and the catalog. */
import { infiniteQueryOptions, queryOptions, skipToken } from "@tanstack/react-query";
import {
  type NewWebhookEndpoint,
  type Resource,
  VestryError,
  type WebhookDeliveryKind,
  type WebhookEndpointChanges,
} from "@vestry/sdk";
import { api } from "./client.ts";
import { keys } from "./keys.ts";

const SECOND = 1_000;
const PAGE = 25;
const PAGE_MAX = 100;

const endpointFields = [
  "name",
  "url",
  "events",
  "status",
  "pause-reason",
  "effective-health",
  "configuration-version",
  "secret-generation",
  "previous-secret-valid-until",
  "consecutive-production-failures",
  "last-production-failure",
  "last-production-failure-at",
  "metrics",
  "created-at",
] as const;

const rowFields = { "webhook-endpoints": endpointFields } as const;
export type EndpointRow = Resource<"webhook-endpoints", { fields: typeof rowFields }>;

const endpointShape = {
  fields: { "webhook-endpoints": [...endpointFields, "verification", "hours", "verified-at"] },
} as const;

export type EndpointRecord = Resource<"webhook-endpoints", typeof endpointShape>;

/** All endpoints of the account. An account with more than a hundred reads several pages. */
export const endpointsOptions = queryOptions({
  queryKey: keys.list("webhook-endpoints", {}),
  queryFn: async ({ signal }) => {
    const all: EndpointRow[] = [];
    const query = { fields: rowFields, page: { size: PAGE_MAX } };
    for await (const one of api.webhookEndpoints.list(query, { signal })) all.push(one);
    return all;
  },
  refetchInterval: 30 * SECOND,
  staleTime: 15 * SECOND,
});

export const readEndpoint = (id: string): Promise<EndpointRecord> =>
  api.webhookEndpoints.get(id, endpointShape);

/** One endpoint. A verification that is under way is looked at every few seconds. */
export const endpointOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("webhook-endpoints", id),
    queryFn: ({ signal }) => api.webhookEndpoints.get(id, endpointShape, { signal }),
    refetchInterval: ({ state: { data } }) =>
      (data?.status === "pending-verification" ? 3 : 15) * SECOND,
    staleTime: 10 * SECOND,
  });

/** The endpoint with this address, for a client that lost the answer of its creation. */
export async function findByUrl(url: string): Promise<{ id: string } | undefined> {
  const wanted = normalized(url);
  for await (const one of api.webhookEndpoints.list({
    fields: { "webhook-endpoints": ["url"] },
    page: { size: PAGE_MAX },
  }))
    if (normalized(one.url) === wanted) return one;
  return undefined;
}

const normalized = (url: string): string => {
  try {
    return new URL(url).href;
  } catch {
    return url;
  }
};

/** Secrets that were shown and not yet stored. They live in this tab alone, and a reload loses them. */
const secrets = new Map<string, string>();
export const secretOf = (endpoint: string): string | undefined => secrets.get(endpoint);
export const forgetSecret = (endpoint: string): void => void secrets.delete(endpoint);

/** Keeps the secret of an answer for its page and takes it out of the record, so that the cache never has it. */
function withoutSecret<Answer extends { id: string; $meta?: unknown }>(
  answer: Answer,
  endpoint = answer.id,
): Answer {
  const { $meta, ...rest } = answer;
  const { secret, ...meta } = ($meta ?? {}) as { secret?: string };
  if (secret !== undefined) secrets.set(endpoint, secret);
  return { ...rest, $meta: meta } as unknown as Answer;
}

/**
 * Creates an endpoint. The request has no key, so it must not be repeated after a lost answer. If an endpoint with the address exists
 * then, it is reported as the twin of the new one, as a known address is.
 */
export async function createEndpoint(
  values: NewWebhookEndpoint,
  onTwin: (endpoint: { id: string }) => void,
): Promise<EndpointRecord> {
  try {
    return withoutSecret(await api.webhookEndpoints.create(values, endpointShape));
  } catch (error) {
    if (!(error instanceof VestryError)) throw error;
    const isLost = error.status === 0 || error.status >= 500;
    if (!isLost && error.code !== "duplicate-url") throw error;
    const twin = await findByUrl(values.url);
    if (twin === undefined) throw error;
    onTwin(twin);
    throw isLost ? duplicate(error) : error;
  }
}

const duplicate = ({ requestId }: VestryError) =>
  new VestryError(
    409,
    [
      {
        status: "409",
        code: "duplicate-url",
        detail: "An endpoint has this URL.",
        source: { pointer: "/data/attributes/url" },
      },
    ],
    { requestId },
  );

type Sending = { etag?: string | undefined; idempotencyKey: string };

/** Changes the name and the events. It never names the address, which would replace the secret. */
export const saveEndpoint = (
  id: string,
  changes: Pick<WebhookEndpointChanges, "name" | "events">,
  { etag }: Sending,
): Promise<EndpointRecord> => api.webhookEndpoints.update(id, changes, { ...endpointShape, etag });

/** Sets the address on purpose: the answer has a new secret, and a verification follows. */
export const setUrl = async (
  { id, $etag: etag }: EndpointRecord,
  url: string,
  idempotencyKey: string,
): Promise<EndpointRecord> =>
  withoutSecret(
    await api.webhookEndpoints.update(id, { url }, { ...endpointShape, etag, idempotencyKey }),
  );

export const setStatus = (
  { id, $etag: etag }: EndpointRecord,
  status: "active" | "paused",
): Promise<EndpointRecord> =>
  api.webhookEndpoints.update(id, { status }, { ...endpointShape, etag });

export const deleteEndpoint = ({ id, $etag: etag }: EndpointRecord): Promise<void> =>
  api.webhookEndpoints.delete(id, { etag });

export const rotateSecret = async (
  { id, "secret-generation": generation }: EndpointRecord,
  idempotencyKey: string,
) =>
  withoutSecret(
    await api.webhookEndpointSecretRotations.create(
      { "secret-generation": generation, endpoint: { $type: "webhook-endpoints", id } },
      { idempotencyKey },
    ),
    id,
  );

export const verifyEndpoint = (
  { id, "configuration-version": version }: EndpointRecord,
  idempotencyKey: string,
) =>
  api.webhookEndpointVerifications.create(
    { "endpoint-id": id, "configuration-version": version },
    { idempotencyKey },
  );

export const sendTest = (endpointId: string, idempotencyKey: string) =>
  api.webhookTestDeliveries.create({ "endpoint-id": endpointId }, { idempotencyKey });

export const redeliver = (deliveryId: string, idempotencyKey: string) =>
  api.webhookRedeliveries.create(
    { delivery: { $type: "webhook-deliveries", id: deliveryId } },
    { idempotencyKey },
  );

export const replay = (
  { id }: { id: string },
  { from, to }: { from: string; to: string },
  idempotencyKey: string,
) =>
  api.webhookReplays.create(
    { from, to, endpoint: { $type: "webhook-endpoints", id } },
    { idempotencyKey },
  );

/** How many more actions of this kind an answer allows. */
export const remainingIn = ({ $meta }: { $meta?: unknown }): number | undefined => {
  const { remaining } = ($meta ?? {}) as { remaining?: { endpoint: number; account: number } };
  return remaining && Math.min(remaining.endpoint, remaining.account);
};

// -- Deliveries -----------------------------------------------------------------------------------------------------

export const OUTCOMES = ["failed", "waiting", "delivered", "suppressed"] as const;
export type DeliveryOutcome = (typeof OUTCOMES)[number];

export type DeliverySearch = {
  endpoint?: string | undefined;
  outcome?: DeliveryOutcome | readonly DeliveryOutcome[] | undefined;
  type?: string | undefined;
  kind?: WebhookDeliveryKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

const filterOf = ({ endpoint, from, kind, outcome, to, type }: DeliverySearch) => ({
  ...(endpoint !== undefined && { endpoint: [endpoint] }),
  ...(outcome !== undefined && { outcome: [outcome].flat() }),
  // The address names it, and the service refuses unknown types.
  ...(type !== undefined && { "event-type": [type] as never }),
  ...(kind !== undefined && { kind: [kind] }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const rowShape = {
  include: ["event"],
  fields: {
    "webhook-deliveries": [
      "kind",
      "event-type",
      "status",
      "suppression-reason",
      "attempt-count",
      "created-at",
      "next-attempt-at",
      "last-http-status",
      "last-error-code",
      "last-duration-ms",
      "endpoint",
      "event",
    ],
    "webhook-events": ["subject"],
  },
} as const;

export type DeliveryRow = Resource<"webhook-deliveries", typeof rowShape>;

const nextPage = (
  { pageCount = 1 }: { pageCount?: number | undefined },
  _pages: unknown,
  page: number,
) => (page < pageCount ? page + 1 : undefined);

/** Deliveries, newest first. The first page is read again every ten seconds. */
export const deliveriesOptions = (search: DeliverySearch) =>
  infiniteQueryOptions({
    queryKey: keys.list("webhook-deliveries", search),
    queryFn: ({ pageParam, signal }) =>
      api.webhookDeliveries.page(
        { filter: filterOf(search), ...rowShape, page: { number: pageParam, size: PAGE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    refetchInterval: ({ state: { data } }) =>
      (data?.pages.length ?? 1) === 1 ? 10 * SECOND : false,
  });

const detailFields = {
  "webhook-deliveries": [
    "kind",
    "event-type",
    "status",
    "suppression-reason",
    "attempt-count",
    "created-at",
    "expires-at",
    "next-attempt-at",
    "attempts",
    "endpoint",
    "event",
    "origin-delivery",
  ],
} as const;

export type DeliveryRecord = Resource<"webhook-deliveries", { fields: typeof detailFields }>;

const ENDED: readonly string[] = [
  "delivered",
  "failed-permanent",
  "exhausted",
  "suppressed",
  "expired",
];
export const hasEnded = ({ status }: { status: string }): boolean => ENDED.includes(status);

/** A delivery with its attempts. One that is under way is read again soon. */
export const deliveryOptions = (id: string) =>
  queryOptions({
    queryKey: keys.one("webhook-deliveries", id),
    queryFn: ({ signal }) => api.webhookDeliveries.get(id, { fields: detailFields }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : 2 * SECOND),
  });

/** The deliveries of one event to one endpoint, oldest first: the original and what followed it. */
export const chainOptions = (event: string | undefined, endpoint: string | undefined) =>
  queryOptions({
    queryKey: keys.list("webhook-deliveries", { chain: event ?? null, endpoint }),
    queryFn:
      event === undefined || endpoint === undefined
        ? skipToken
        : async ({ signal }) => {
            const { items } = await api.webhookDeliveries.page(
              {
                filter: { event: [event], endpoint: [endpoint] },
                fields: { "webhook-deliveries": ["status", "created-at", "origin-delivery"] },
                sort: "created-at",
              },
              { signal },
            );
            return items;
          },
  });

/** How many deliveries a filter finds. */
export const deliveryCountOptions = (search: DeliverySearch) =>
  queryOptions({
    queryKey: keys.list("webhook-deliveries", { ...search, count: true }),
    queryFn: async ({ signal }) => {
      const { total } = await api.webhookDeliveries.page(
        {
          filter: filterOf(search),
          fields: { "webhook-deliveries": ["status"] },
          page: { size: 1 },
        },
        { signal },
      );
      return total;
    },
  });

/** When the oldest failed delivery was made, or null. */
export const firstFailureOptions = (endpoint: string) =>
  queryOptions({
    queryKey: keys.list("webhook-deliveries", { endpoint, first: "failed" }),
    queryFn: async ({ signal }) => {
      const { items } = await api.webhookDeliveries.page(
        {
          filter: { endpoint: [endpoint], outcome: ["failed"], kind: ["production"] },
          fields: { "webhook-deliveries": ["created-at"] },
          sort: "created-at",
          page: { size: 1 },
        },
        { signal },
      );
      return items[0]?.["created-at"] ?? null;
    },
    // A failure of this moment counts.
    gcTime: 0,
    staleTime: 0,
  });

// -- Events and the catalog ---------------------------------------------------------------------------------------

const eventFields = {
  "webhook-events": ["event-type", "occurred-at", "cause", "subject", "actor"],
} as const;

export const eventsOptions = (search: {
  type?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}) =>
  infiniteQueryOptions({
    queryKey: keys.list("webhook-events", search),
    queryFn: ({ pageParam, signal }) =>
      api.webhookEvents.page(
        {
          filter: {
            ...(search.type !== undefined && { "event-type": [search.type] as never }),
            ...(search.from !== undefined && { from: search.from }),
            ...(search.to !== undefined && { to: search.to }),
          },
          fields: eventFields,
          page: { number: pageParam, size: PAGE },
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

export type EventRecord = Resource<"webhook-events">;

/** An event with the content of its message. It is gone with the person whom it was about. */
export const eventOptions = (id: string | undefined) =>
  queryOptions({
    queryKey: keys.one("webhook-events", id ?? ""),
    queryFn:
      id === undefined
        ? skipToken
        : async ({ signal }) => {
            try {
              return await api.webhookEvents.get(id, {}, { signal });
            } catch (error) {
              if (error instanceof VestryError && error.status === 404) return null;
              throw error;
            }
          },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The deliveries of an event to all endpoints. */
export const deliveriesOfEventOptions = (event: string) =>
  queryOptions({
    queryKey: keys.list("webhook-deliveries", { ofEvent: event }),
    queryFn: async ({ signal }) => {
      const { items } = await api.webhookDeliveries.page(
        { filter: { event: [event] }, ...rowShape, page: { size: PAGE_MAX } },
        { signal },
      );
      return items;
    },
  });

/** The types of events. They change with the version of the service alone. */
export const eventTypesOptions = queryOptions({
  queryKey: keys.list("webhook-event-types", {}),
  queryFn: async ({ signal }) => {
    const { items } = await api.webhookEventTypes.page({ page: { size: PAGE_MAX } }, { signal });
    return items;
  },
  staleTime: 3_600_000,
});

/** What happened to an endpoint, newest first. */
export const timelineOptions = (endpoint: string) =>
  infiniteQueryOptions({
    queryKey: keys.list("webhook-endpoint-changes", { endpoint }),
    queryFn: ({ pageParam, signal }) =>
      api.webhookEndpointChanges.page(
        { filter: { endpoint: [endpoint] }, page: { number: pageParam, size: PAGE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });
