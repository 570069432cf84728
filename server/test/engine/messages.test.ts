import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Actor } from "../../src/access/actor.ts";
import { operator } from "../../src/access/operator.ts";
import { MINUTE } from "../../src/base/clock.ts";
import { capture, continueBatch, type NewEvent } from "../../src/events/capture.ts";
import { newId } from "../../src/base/ids.ts";
import { inTransaction } from "../../src/store/db.ts";
import { TEST_MESSAGE } from "../../src/webhooks/engine/message.ts";
import { freshDatabase } from "../support/database.ts";
import { actorOf, newKey, patchEndpoint, postEndpoint } from "../support/endpoints.ts";
import { makeLiveEndpoint, observed, startTestEngine, testSender } from "../support/engine.ts";
import type { MessageDocument } from "../support/messages.ts";
import { startNameServer } from "../support/name-server.ts";
import { answering, type Behaviour, ok, saying, startReceiver } from "../support/receiver.ts";
import { document, one, startService } from "../support/service.ts";

/** Messages equal the captured events and the resources of the API. */

const [service, nameServer, receiver] = await Promise.all([
  freshDatabase("the engine takes the work of every account").then((database) =>
    startService({ database }),
  ),
  startNameServer(() => ["127.0.0.1"]),
  startReceiver(),
]);
const engine = startTestEngine(service.database.url, {
  sender: testSender({ dnsServers: [nameServer.address] }),
});
after(async () => {
  await engine.stop();
  await Promise.all([receiver.close(), nameServer.close()]);
  await service.stop();
});
const { account, db } = service;

const urlOf = (path: string) => `https://receiver.example:${receiver.port}/${path}`;

/** The message that `act` causes, once the receiver has responded. */
async function messageOf(behaviour: Behaviour, act: () => Promise<unknown>) {
  receiver.behave(behaviour);
  const before = receiver.requests.length;
  const finished = observed("attempt-finished");
  await act();
  await finished;
  const [request, ...more] = receiver.requests.slice(before);
  assert.ok(request && more.length === 0, "there is one message");
  const message = JSON.parse(String(request.body)) as MessageDocument;
  assert.equal(request.headers["webhook-id"], message.data.id);
  assert.equal(request.headers["x-svc-delivery-id"], message.meta["delivery-id"]);
  return message;
}

const read = async (type: string, id: string) => one(await service.get(`/v1/${type}/${id}`));

await makeLiveEndpoint(db, account.id, { url: urlOf("events"), events: ["course.updated"] });

const arrived = (actor: Actor, more: Partial<NewEvent>, batchId?: string) =>
  messageOf(ok, () =>
    inTransaction(db, actor.accountId, (tx) => {
      if (batchId !== undefined) continueBatch(tx, { id: batchId });
      return capture(tx, actor, {
        type: "course.updated",
        subject: { type: "courses", id: newId() },
        snapshot: () => "{}",
        ...more,
      });
    }),
  );

async function assertAsHistoryHasIt({ data, meta }: MessageDocument): Promise<void> {
  const { links: _, attributes, ...event } = await read("webhook-events", data.id);
  const { "expires-at": __, ...told } = attributes;
  assert.deepEqual(data, { ...event, attributes: told });
  const delivery = await read("webhook-deliveries", meta["delivery-id"]);
  assert.deepEqual(delivery.relationships["event"]?.data, { type: "webhook-events", id: data.id });
  assert.deepEqual(meta, {
    "delivery-id": delivery.id,
    "delivery-kind": "production",
    "attempt": 1,
  });
}

test("a message of an event has every member as captured and as in the history", async () => {
  const subject = { type: "form-submissions", id: newId() };
  const actor = { ...actorOf(account), integrationId: newId() };
  const batchId = newId();
  const changedFields = ["name", "custom-properties.story"];
  const merge = { "kept-id": newId(), "removed-ids": [newId(), newId()] };
  const attributes = { name: "Alpha", price: 1 };
  const whole = JSON.stringify({ attributes: { ...attributes, description: "é".repeat(40_000) } });
  const event = { subject, changedFields, merge, snapshot: () => whole };
  const message = await arrived(actor, event, batchId);
  const { "occurred-at": _, ...told } = message.data.attributes;
  assert.deepEqual(told, {
    "event-type": "course.updated",
    "schema-version": 1,
    "cause": "api",
    "batch-id": batchId,
    "changed-fields": changedFields,
    "snapshot": { attributes },
    "truncation": {
      "is-truncated": true,
      "omitted-fields": ["description"],
      "original-bytes": Buffer.byteLength(whole),
    },
    merge,
  });
  assert.deepEqual(message.data.relationships, {
    account: { data: { type: "accounts", id: account.id } },
    subject: { data: subject },
    actor: { data: { type: "people", id: actor.personId } },
  });
  await assertAsHistoryHasIt(message);
});

test("members that an event does not have are null in its message and in the history", async () => {
  const snapshot = '{"type":"courses","attributes":{"name":"Zoë"}}';
  const message = await arrived(operator(account.id), { snapshot: () => snapshot });
  const { attributes, relationships } = message.data;
  assert.deepEqual(
    ["batch-id", "changed-fields", "merge"].map((name) => attributes[name]),
    [null, null, null],
  );
  assert.equal(attributes["cause"], "system");
  assert.deepEqual(relationships?.["actor"], { data: null });
  assert.deepEqual(attributes["truncation"], {
    "is-truncated": false,
    "omitted-fields": [],
    "original-bytes": Buffer.byteLength(snapshot),
  });
  await assertAsHistoryHasIt(message);
});

const challengeIn = ({ data }: MessageDocument) => String(data.attributes["challenge"]);

const echoing: Behaviour = (line, request) => {
  const message = JSON.parse(String(request.body)) as MessageDocument;
  const body = JSON.stringify({ meta: { challenge: challengeIn(message) } });
  const answer = answering(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return answer(line, request);
};

test("verifications and tests have the versions of the endpoint and expire after 15 minutes", async () => {
  let id = "";
  const ask = (type: string, attributes: object) =>
    service.post(`/v1/${type}`, document(type, { "endpoint-id": id, ...attributes }), {
      headers: newKey(),
    });
  const messages = [
    await messageOf(saying(404), async () => {
      ({ id } = await postEndpoint(service, { url: urlOf("first") }));
    }),
    await messageOf(saying(404), () =>
      patchEndpoint(service, id, { url: urlOf("second") }, newKey()),
    ),
    await messageOf(echoing, () =>
      ask("webhook-endpoint-verifications", { "configuration-version": 2 }),
    ),
    await messageOf(ok, () => ask("webhook-test-deliveries", {})),
  ] as const;
  const versions = [
    ["verification", 1, 1],
    ["verification", 2, 2],
    ["verification", 2, 3],
    ["test", 2, 3],
  ] as const;
  for (const [index, message] of messages.entries()) {
    const [kind, destination, verification] = versions[index] ?? assert.fail();
    const { data, meta } = message;
    const delivery = await read("webhook-deliveries", meta["delivery-id"]);
    assert.deepEqual(delivery.relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
    const { "created-at": createdAt, "expires-at": expiresAt } = delivery.attributes;
    assert.deepEqual(data, {
      type: "webhook-controls",
      id: data.id,
      attributes: {
        "control-type": `webhook.${kind}`,
        "created-at": createdAt,
        "expires-at": expiresAt,
        "destination-version": destination,
        "verification-generation": verification,
        ...(kind === "test" ? { message: TEST_MESSAGE } : { challenge: challengeIn(message) }),
      },
    });
    const lifetime = Date.parse(String(expiresAt)) - Date.parse(String(createdAt));
    assert.equal(lifetime, 15 * MINUTE);
    assert.deepEqual(meta, { "delivery-id": delivery.id, "delivery-kind": kind, "attempt": 1 });
    assert.equal(delivery.attributes["kind"], kind);
  }
});
