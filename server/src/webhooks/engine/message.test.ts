import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { newId } from "../../base/ids.ts";
import { SigningSecret } from "../endpoints/signing-secrets.ts";
import {
  type CapturedEvent,
  type Control,
  controlBody,
  productionBody,
  TEST_MESSAGE,
} from "./message.ts";
import { messageHeaders } from "./sign.ts";

const userAgent = "Vestry/0.0.0";
const secret = SigningSecret.generate();

/** Verifies the raw bytes and then parses them, as a receiver does. */
function received(webhookId: string, deliveryId: string, body: Buffer): unknown {
  assert.ok(isUtf8(body));
  const headers = messageHeaders(
    { webhookId, deliveryId, body },
    { current: secret },
    Date.now(),
    userAgent,
  );
  return new Webhook(secret.revealOnce()).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );
}

const [eventId, accountId, subjectId, actorId, deliveryId] = Array.from({ length: 5 }, newId) as [
  string,
  string,
  string,
  string,
  string,
];

const updated: CapturedEvent = {
  id: eventId,
  accountId,
  eventType: "person.updated",
  occurredAt: "2026-11-20T20:57:40.120Z",
  cause: "api",
  batchId: null,
  changedFields: ["email", "custom-properties.shirt-size"],
  subjectType: "people",
  subjectId,
  actorId,
  snapshot: `{"type":"people","id":"${subjectId}","attributes":{},"relationships":{}}`,
  snapshotBytes: 1_834,
  omittedFields: [],
  merge: null,
};

test("a production message is the document in the interface", () => {
  const body = productionBody(updated, { deliveryId, attempt: 1 });
  assert.deepEqual(received(eventId, deliveryId, body), {
    jsonapi: { version: "1.0" },
    data: {
      type: "webhook-events",
      id: eventId,
      attributes: {
        "event-type": "person.updated",
        "occurred-at": "2026-11-20T20:57:40.120Z",
        "schema-version": 1,
        "cause": "api",
        "batch-id": null,
        "changed-fields": ["email", "custom-properties.shirt-size"],
        "snapshot": { type: "people", id: subjectId, attributes: {}, relationships: {} },
        "truncation": { "is-truncated": false, "omitted-fields": [], "original-bytes": 1_834 },
        "merge": null,
      },
      relationships: {
        account: { data: { type: "accounts", id: accountId } },
        subject: { data: { type: "people", id: subjectId } },
        actor: { data: { type: "people", id: actorId } },
      },
    },
    meta: { "delivery-id": deliveryId, "delivery-kind": "production", "attempt": 1 },
  });
});

test("a message shows omitted fields and merged ids", () => {
  const merge = { "kept-id": newId(), "removed-ids": [newId()] };
  const event = {
    ...updated,
    omittedFields: ["description"],
    merge: JSON.stringify(merge),
    actorId: null,
  };
  const { data } = JSON.parse(String(productionBody(event, { deliveryId, attempt: 1 })));
  assert.deepEqual(data.attributes.truncation, {
    "is-truncated": true,
    "omitted-fields": ["description"],
    "original-bytes": 1_834,
  });
  assert.deepEqual(data.attributes.merge, merge);
  assert.deepEqual(data.relationships.actor, { data: null });
});

test("the snapshot is sent as the text that was captured", () => {
  const snapshot =
    '{"type":"people", "attributes":{"amount":1.50,"big":12345678901234567890,"a":1}}';
  const body = String(productionBody({ ...updated, snapshot }, { deliveryId, attempt: 1 }));
  assert.ok(body.includes(`"snapshot":${snapshot},`));
});

test("only the attempt number differs between attempts", () => {
  const [first, eighth] = [1, 8].map((attempt) =>
    String(productionBody(updated, { deliveryId, attempt })),
  );
  assert.equal(first?.replace('"attempt":1', '"attempt":8'), eighth);
});

const anyText = fc.string({ unit: "binary" });
const texts = fc.array(anyText, { maxLength: 4 });

test("any text of a user arrives as it was captured", () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.option(texts),
      texts,
      fc.option(fc.uuid()),
      fc.integer({ min: 1, max: 8 }),
      (snapshot, changedFields, omittedFields, actor, attempt) => {
        const event = { ...updated, snapshot, changedFields, omittedFields, actorId: actor };
        const message = received(
          eventId,
          deliveryId,
          productionBody(event, { deliveryId, attempt }),
        ) as {
          data: { attributes: Record<string, unknown>; relationships: Record<string, unknown> };
          meta: Record<string, unknown>;
        };
        const { attributes, relationships } = message.data;
        assert.deepEqual(attributes["snapshot"], JSON.parse(snapshot));
        assert.deepEqual(attributes["changed-fields"], changedFields);
        assert.deepEqual(attributes["truncation"], {
          "is-truncated": omittedFields.length > 0,
          "omitted-fields": omittedFields,
          "original-bytes": 1_834,
        });
        assert.deepEqual(relationships["actor"], {
          data: actor === null ? null : { type: "people", id: actor },
        });
        assert.equal(message.meta["attempt"], attempt);
      },
    ),
  );
});

test("an unpaired surrogate makes a message that still verifies", () => {
  const event = { ...updated, snapshot: '{"attributes":{"name":"\ud800"}}' };
  const message = received(eventId, deliveryId, productionBody(event, { deliveryId, attempt: 1 }));
  assert.match(JSON.stringify(message), /"name":"\ufffd"/);
});

const verification: Control = {
  id: newId(),
  controlType: "webhook.verification",
  createdAt: "2026-11-20T20:57:40.120Z",
  expiresAt: "2026-11-20T21:12:40.120Z",
  destinationVersion: 2,
  verificationGeneration: 3,
  challenge: "kX9Vb0g5qB6m1oQf2n7s3t8u4v5w6x7y8z9A0B1C2D3",
};

test("a verification has its challenge", () => {
  const body = controlBody(verification, { deliveryId, kind: "verification", attempt: 2 });
  assert.deepEqual(received(verification.id, deliveryId, body), {
    jsonapi: { version: "1.0" },
    data: {
      type: "webhook-controls",
      id: verification.id,
      attributes: {
        "control-type": "webhook.verification",
        "created-at": "2026-11-20T20:57:40.120Z",
        "expires-at": "2026-11-20T21:12:40.120Z",
        "destination-version": 2,
        "verification-generation": 3,
        "challenge": verification.challenge,
      },
    },
    meta: { "delivery-id": deliveryId, "delivery-kind": "verification", "attempt": 2 },
  });
});

test("a test describes itself and has no challenge", () => {
  const control = { ...verification, controlType: "webhook.test", challenge: null };
  const body = controlBody(control, { deliveryId, kind: "test", attempt: 1 });
  const { data, meta } = received(control.id, deliveryId, body) as {
    data: { attributes: Record<string, unknown> };
    meta: unknown;
  };
  assert.equal(data.attributes["control-type"], "webhook.test");
  assert.equal(data.attributes["message"], TEST_MESSAGE);
  assert.match(TEST_MESSAGE, /webhook test delivery.*Vestry/);
  assert.ok(!("challenge" in data.attributes));
  assert.deepEqual(meta, { "delivery-id": deliveryId, "delivery-kind": "test", "attempt": 1 });
});
