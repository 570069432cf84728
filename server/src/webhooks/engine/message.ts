/** An event as history stores it. */
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
  /** Null if the operator made the change on the command line. */
  readonly actorId: string | null;
  /** The captured JSON text. */
  readonly snapshot: string;
  /** The size before members were omitted. */
  readonly snapshotBytes: number;
  readonly omittedFields: readonly string[];
  /** JSON. */
  readonly merge: string | null;
}

/** A verification or a test. */
export interface Control {
  readonly id: string;
  readonly controlType: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly destinationVersion: number;
  readonly verificationGeneration: number;
  /** The response to a verification must contain it. A test has none. */
  readonly challenge: string | null;
}

export const TEST_MESSAGE = "This is a webhook test delivery from Vestry.";

/**
 * Builds the body of a production delivery. Only the attempt number differs between attempts. The captured JSON text is
 * inserted unchanged, so numbers and the order of members survive.
 *
 * The body is valid UTF-8. A lone surrogate becomes U+FFFD.
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
  const attributes = JSON.stringify({
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
    `"attributes":{${attributes.slice(1, -1)},"snapshot":${snapshot},"truncation":${truncation},"merge":${merge}},` +
    `"relationships":${relationships}}`
  );
}

const metaOf = (deliveryId: string, kind: string, attempt: number) =>
  `"meta":${JSON.stringify({ "delivery-id": deliveryId, "delivery-kind": kind, attempt })}`;
