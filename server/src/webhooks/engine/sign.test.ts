import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newId } from "../../base/ids.ts";
import { SigningSecret } from "../endpoints/signing-secrets.ts";
import { messageHeaders } from "./sign.ts";

const userAgent = "Vestry/0.0.0";
const received = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function secretOf(text: string): SigningSecret {
  const secret = SigningSecret.parse(text);
  assert.ok(secret);
  return secret;
}

const official = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const vectors = [
  [
    official,
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330,
    '{"test": 2432232314}',
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ],
  [
    official,
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330,
    '{"name":"Zoë 🙏 \u2028"}',
    "v1,unMH7CYVKAwgxLwG0xFvyPwQNeHwsKbQyQaiHVZmdgs=",
  ],
  [
    official,
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1_614_265_330,
    "",
    "v1,v48jdbgvh29KJz2Qc+ghw8G6vG3nAKnujWBg8oM/62A=",
  ],
  [
    "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    "evt_01",
    1_700_000_000,
    '{"data":null}',
    "v1,PQapO9NEFVSIwoszGhn4YeRg62wpU7H9gE/1bmdWaSA=",
  ],
] as const;

for (const [secret, webhookId, seconds, body, signature] of vectors)
  test(`a reference message has the signature of other implementations: ${signature}`, () => {
    const headers = messageHeaders(
      { webhookId, deliveryId: newId(), body: Buffer.from(body) },
      { current: secretOf(secret) },
      seconds * 1_000 + 999,
      userAgent,
    );
    assert.equal(headers["Webhook-Signature"], signature);
    assert.equal(headers["Webhook-Timestamp"], String(seconds));
  });

const bodies = [
  "{}",
  '{"data":{"id":"1"}}',
  '"\\ud800"',
  '"Zoë 🙏 \u2028"',
  `"${"x".repeat(70_000)}"`,
];

test("the official library verifies every message and reads the same content", () => {
  const secret = SigningSecret.generate();
  for (const body of bodies) {
    const headers = messageHeaders(
      { webhookId: newId(), deliveryId: newId(), body: Buffer.from(body) },
      { current: secret },
      Date.now(),
      userAgent,
    );
    const read = new Webhook(secret.revealOnce()).verify(body, received(headers));
    assert.deepEqual(read, JSON.parse(body));
  }
});

test("during an overlap both secrets verify, and the new signature comes first", () => {
  const current = SigningSecret.generate();
  const previous = SigningSecret.generate();
  const message = { webhookId: newId(), deliveryId: newId(), body: Buffer.from("{}") };
  const at = Date.now();
  const headers = messageHeaders(message, { current, previous }, at, userAgent);
  assert.match(headers["Webhook-Signature"], /^v1,[^ ,]{44} v1,[^ ,]{44}$/);
  for (const secret of [current, previous])
    new Webhook(secret.revealOnce()).verify("{}", received(headers));
  const alone = messageHeaders(message, { current, previous: undefined }, at, userAgent);
  assert.equal(headers["Webhook-Signature"].split(" ")[0], alone["Webhook-Signature"]);
  assert.throws(() => new Webhook(previous.revealOnce()).verify("{}", received(alone)));
});

test("a changed body, id or time does not verify", () => {
  const secret = SigningSecret.generate();
  const headers = received(
    messageHeaders(
      { webhookId: newId(), deliveryId: newId(), body: Buffer.from("{}") },
      { current: secret },
      Date.now(),
      userAgent,
    ),
  );
  const webhook = new Webhook(secret.revealOnce());
  webhook.verify("{}", headers);
  assert.throws(() => webhook.verify("{ }", headers));
  assert.throws(() => webhook.verify("{}", { ...headers, "webhook-id": newId() }));
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  assert.throws(() => webhook.verify("{}", { ...headers, "webhook-timestamp": later }));
});

test("the headers identify the message and reveal nothing of the account", () => {
  const [webhookId, deliveryId] = [newId(), newId()];
  const headers = messageHeaders(
    { webhookId, deliveryId, body: Buffer.from("{}") },
    { current: SigningSecret.generate() },
    0,
    userAgent,
  );
  const { "Webhook-Signature": _, ...others } = headers;
  assert.deepEqual(others, {
    "Webhook-Id": webhookId,
    "Webhook-Timestamp": "0",
    "X-Svc-Delivery-Id": deliveryId,
    "Content-Type": "application/vnd.api+json",
    "User-Agent": "Vestry/0.0.0",
  });
});

test("bytes that no receiver could verify and ambiguous ids are not signed", () => {
  const secrets = { current: SigningSecret.generate() };
  const message = { webhookId: newId(), deliveryId: newId(), body: Buffer.from("{}") };
  assert.throws(() =>
    messageHeaders({ ...message, body: Buffer.from([0xff]) }, secrets, 0, userAgent),
  );
  assert.throws(() => messageHeaders({ ...message, webhookId: "a.1" }, secrets, 0, userAgent));
});
