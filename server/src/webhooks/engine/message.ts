/** An event as it lies in history, and all that a message says of it. */
export interface CapturedEvent {
  readonly id: string;
  readonly accountId: string;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly cause: string;
  readonly batchId: string | null;
  readonly changedFields: readonly string[] | null;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Null: the operator, by the command line. */
  readonly actorId: string | null;
  /** JSON, as it was captured. */
  readonly snapshot: string;
  /** Before anything was left out. */
  readonly snapshotBytes: number;
  readonly omittedFields: readonly string[];
  /** JSON. */
  readonly merge: string | null;
}

/** What is said to a receiver beside events: verification and test. */
export interface Control {
  readonly id: string;
  readonly controlType: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly destinationVersion: number;
  readonly verificationGeneration: number;
  /** What a verification expects back; a test has none. */
  readonly challenge: string | null;
}

/** For whoever finds a test in a log or an inbox and wonders where it comes from. */
export const TEST_MESSAGE = "This is a webhook test delivery from Vestry.";

/**
 * The body of a production delivery. Everything but the attempt is the same every time: what was captured is spliced in
 * as the text it was written as, so that no detour through objects changes a number or an order.
 *
 * The bytes are what is signed and sent. They are valid UTF-8 whatever the text is: half a surrogate pair becomes U+FFFD.
 */
export function productionBody(
  event: CapturedEvent,
  { deliveryId, attempt }: { deliveryId: string; attempt: number },
): Buffer {
  return Buffer.from(
    `{"jsonapi":{"version":"1.0"},"data":${dataOf(event)},${metaOf(deliveryId, "production", attempt)}}`,
  );
}

export function controlBody(
  control: Control,
  { deliveryId, kind, attempt }: { deliveryId: string; kind: string; attempt: number },
): Buffer {
  const { challenge } = control;
  const data = {
    "type": "webhook-controls",
    "id": control.id,
    "attributes": {
      "control-type": control.controlType,
      "created-at": control.createdAt,
      "expires-at": control.expiresAt,
      "destination-version": control.destinationVersion,
      "verification-generation": control.verificationGeneration,
      ...(challenge === null ? { message: TEST_MESSAGE } : { challenge }),
    },
  };
  return Buffer.from(
    `{"jsonapi":{"version":"1.0"},"data":${JSON.stringify(data)},${metaOf(deliveryId, kind, attempt)}}`,
  );
}

function dataOf(event: CapturedEvent): string {
  const { changedFields, merge, omittedFields, snapshot } = event;
  const told = JSON.stringify({
    "event-type": event.eventType,
    "occurred-at": event.occurredAt,
    "schema-version": 1,
    "cause": event.cause,
    "batch-id": event.batchId,
    "changed-fields": changedFields,
  });
  const truncation = JSON.stringify({
    "is-truncated": omittedFields.length > 0,
    "omitted-fields": omittedFields,
    "original-bytes": event.snapshotBytes,
  });
  const relationships = JSON.stringify({
    account: { data: { type: "accounts", id: event.accountId } },
    subject: { data: { type: event.subjectType, id: event.subjectId } },
    actor: { data: event.actorId === null ? null : { type: "people", id: event.actorId } },
  });
  return (
    `{"type":"webhook-events","id":${JSON.stringify(event.id)},` +
    `"attributes":{${told.slice(1, -1)},"snapshot":${snapshot},"truncation":${truncation},"merge":${merge}},` +
    `"relationships":${relationships}}`
  );
}

const metaOf = (deliveryId: string, kind: string, attempt: number) =>
  `"meta":${JSON.stringify({ "delivery-id": deliveryId, "delivery-kind": kind, attempt })}`;
