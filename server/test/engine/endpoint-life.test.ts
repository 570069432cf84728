import assert from "node:assert/strict";
import { after, test } from "node:test";
import { parseNetwork } from "../../src/base/networks.ts";
import { freshDatabase } from "../support/database.ts";
import { newKey, patchEndpoint, readEndpoint } from "../support/endpoints.ts";
import { happen, observed, startTestEngine } from "../support/engine.ts";
import { type Behaviour, type Received, startReceiver } from "../support/receiver.ts";
import { codes, document, many, one, startService } from "../support/service.ts";
import { verified } from "../support/signatures.ts";
import { webhookParts } from "../support/webhook-parts.ts";

/** The whole life of an endpoint, with the API, the engine and a receiver. */

const loopback = parseNetwork("127.0.0.0/8") ?? assert.fail();
const service = await startService({
  database: await freshDatabase("the engine takes the work of every account"),
  webhooks: { ...webhookParts(), allowed: [loopback] },
});
const engine = startTestEngine(service.database.url);
const receiver = await startReceiver();
after(async () => {
  await engine.stop();
  await receiver.close();
  await service.stop();
});
const { account, db } = service;

interface Message {
  data: { id: string; type: string; attributes: Record<string, unknown> };
  meta: Record<string, unknown>;
}

const read = (secret: string, request: Received) => verified(secret, request) as unknown as Message;

const saying =
  (status: number, body = ""): Behaviour =>
  (line) =>
    line.write(`HTTP/1.1 ${status} Said\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

/** Returns the challenge. */
const echoing: Behaviour = (line, { body }) => {
  const { challenge } = (JSON.parse(String(body)) as Message).data.attributes;
  return saying(200, JSON.stringify({ meta: { challenge } }))(line, {} as Received);
};

/** The request that the receiver got because of `act`. */
async function sent(act: () => Promise<unknown>): Promise<Received> {
  const finished = observed("attempt-finished");
  await act();
  await finished;
  return receiver.requests.at(-1) ?? assert.fail("nothing was sent");
}

const post = (type: string, attributes: object, relationships: Record<string, unknown> = {}) =>
  service.post(`/v1/${type}`, document(type, { ...attributes }, { relationships }), {
    headers: newKey(),
  });

let id = "";
let secret = "";
const status = async () => (await readEndpoint(service, id))["status"];

test("a new endpoint gets a signed challenge, and returning it activates the endpoint", async () => {
  receiver.behave(echoing);
  const request = await sent(async () => {
    const answer = await post("webhook-endpoints", {
      url: `${receiver.url}/first`,
      events: ["person.created"],
    });
    assert.equal(answer.status, 201, answer.text);
    id = one(answer).id;
    secret = String(one(answer).meta?.["secret"]);
  });
  const { data, meta } = read(secret, request);
  assert.equal(data.type, "webhook-controls");
  assert.equal(data.attributes["control-type"], "webhook.verification");
  assert.equal(meta["delivery-kind"], "verification");
  assert.equal(await status(), "active");
  const [created, second] = many(await service.get(`/v1/webhook-endpoints/${id}/timeline`)).map(
    ({ attributes }) => attributes["change"],
  );
  assert.deepEqual([created, second], ["verified", "created"]);
});

test("an event is sent, and a failure is redelivered under the same Webhook-Id", async () => {
  receiver.behave(saying(410));
  const first = await sent(() => happen(db, account.id));
  const [failed] = many(
    await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}&filter[kind]=production`),
  );
  assert.equal(failed?.attributes["status"], "failed-permanent");
  assert.equal((await readEndpoint(service, id))["effective-health"], "degraded");

  receiver.behave(saying(204));
  const second = await sent(() =>
    post("webhook-redeliveries", {}, { delivery: { data: { type: failed.type, id: failed.id } } }),
  );
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.notEqual(second.headers["x-svc-delivery-id"], first.headers["x-svc-delivery-id"]);
  assert.deepEqual(read(secret, second).data, read(secret, first).data);
  assert.equal((await readEndpoint(service, id))["effective-health"], "healthy");
});

test("a test sends one control message", async () => {
  const request = await sent(() => post("webhook-test-deliveries", { "endpoint-id": id }));
  assert.equal(read(secret, request).data.attributes["control-type"], "webhook.test");
});

test("after a rotation, both secrets sign", async () => {
  const answer = await post(
    "webhook-endpoint-secret-rotations",
    { "secret-generation": 1 },
    { endpoint: { data: { type: "webhook-endpoints", id } } },
  );
  const next = String(one(answer).meta?.["secret"]);
  const request = await sent(() => happen(db, account.id));
  assert.equal(request.headers["webhook-signature"]?.split(" ").length, 2);
  read(secret, request);
  read(next, request);
});

test("a new URL is verified with a new secret, and the old secrets no longer sign", async () => {
  receiver.behave(echoing);
  let next = "";
  const request = await sent(async () => {
    const answer = await patchEndpoint(service, id, { url: `${receiver.url}/second` }, newKey());
    assert.equal(answer.status, 200, answer.text);
    next = String(one(answer).meta?.["secret"]);
  });
  assert.ok(request.path.endsWith("/second"));
  assert.equal(request.headers["webhook-signature"]?.split(" ").length, 1);
  assert.equal(read(next, request).data.attributes["destination-version"], 2);
  assert.throws(() => read(secret, request));
  secret = next;
  assert.equal(await status(), "active");
});

test("a wrong challenge leaves the endpoint unverified until it is verified again", async () => {
  receiver.behave(saying(200, '{"meta":{"challenge":"guessed"}}'));
  await sent(() => patchEndpoint(service, id, { url: `${receiver.url}/third` }, newKey()));
  assert.equal(await status(), "pending-verification");
  const tested = await post("webhook-test-deliveries", { "endpoint-id": id });
  assert.deepEqual(codes(tested), ["endpoint-not-verified"]);
  receiver.behave(echoing);
  const { "configuration-version": version } = await readEndpoint(service, id);
  const request = await sent(() =>
    post("webhook-endpoint-verifications", {
      "endpoint-id": id,
      "configuration-version": version,
    }),
  );
  assert.equal(
    (JSON.parse(String(request.body)) as Message).data.attributes["verification-generation"],
    4,
  );
  assert.equal(await status(), "active");
});

test("failed deliveries of a paused endpoint are replayed after it is resumed", async () => {
  receiver.behave(saying(503));
  await sent(() => happen(db, account.id));
  await patchEndpoint(service, id, { status: "paused" });
  await patchEndpoint(service, id, { status: "active" });
  receiver.behave(saying(204));
  const request = await sent(async () => {
    const answer = await post(
      "webhook-replays",
      { from: "2026-01-01T00:00:00Z", to: "2999-01-01T00:00:00Z" },
      { endpoint: { data: { type: "webhook-endpoints", id } } },
    );
    assert.equal(one(answer).attributes["created-count"], 1);
  });
  assert.ok(request.path.endsWith("/third"));
  const delivered = await service.get(
    `/v1/webhook-deliveries?filter[endpoint]=${id}&filter[status]=retry-scheduled`,
  );
  assert.deepEqual(many(delivered), []);
});
