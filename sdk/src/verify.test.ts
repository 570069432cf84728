import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mock, test } from "node:test";
import { InvalidWebhook, verifyWebhook } from "./verify.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const event = {
  jsonapi: { version: "1.0" },
  data: {
    type: "webhook-events",
    id: "e1",
    attributes: {
      "event-type": "person.updated",
      "occurred-at": "2026-03-01T09:30:00.000Z",
      "snapshot": {
        type: "people",
        id: "p1",
        attributes: { "full-name": "Ana" },
        relationships: { household: { data: { type: "households", id: "h1" } } },
      },
    },
    relationships: {
      account: { data: { type: "accounts", id: "a1" } },
      subject: { data: { type: "people", id: "p1" } },
      actor: { data: null },
    },
  },
  meta: { "delivery-id": "d1", "delivery-kind": "production", "attempt": 1 },
};

function signed(body: string, { at = Date.now(), by = secret } = {}) {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(by.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`e1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "e1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

test("a signed event is a record with the snapshot of its subject", async () => {
  const body = JSON.stringify(event);
  assert.deepEqual(await verifyWebhook(body, signed(body), [secret]), {
    "id": "e1",
    "type": "person.updated",
    "occurred-at": "2026-03-01T09:30:00.000Z",
    "snapshot": {
      "id": "p1",
      "$type": "people",
      "full-name": "Ana",
      "household": { id: "h1", $type: "households" },
    },
    "account": { id: "a1", $type: "accounts" },
    "subject": { id: "p1", $type: "people" },
    "actor": null,
    "delivery": event.meta,
  });
});

test("a verification shows its challenge", async () => {
  const attributes = { "control-type": "webhook.verification", "challenge": "c1" };
  const body = JSON.stringify({ data: { type: "webhook-controls", id: "e1", attributes } });
  const message = await verifyWebhook(body, signed(body), [secret]);
  assert.equal(message.type === "webhook.verification" && message.challenge, "c1");
});

test("the published values of Standard Webhooks verify", async () => {
  mock.timers.enable({ apis: ["Date"], now: 1_614_265_330_000 });
  try {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    // The signature matches, but the body is not a message of the service.
    await assert.rejects(verifyWebhook('{"test": 2432232314}', headers, [secret]), InvalidWebhook);
  } finally {
    mock.timers.reset();
  }
});

test("headers are found in maps and in objects of any case, and a body can be bytes", async () => {
  const body = JSON.stringify(event);
  const bytes = new TextEncoder().encode(body);
  const entries = Object.entries(signed(body));
  const capital = Object.fromEntries(
    entries.map(([name, value]) => [
      name.replace(/(^|-)w|s|t|i/, (one) => one.toUpperCase()),
      value,
    ]),
  );
  for (const headers of [new Headers(entries), capital])
    assert.equal((await verifyWebhook(bytes, headers, [secret])).type, "person.updated");
});

test("each secret and each signature counts while a secret is replaced", async () => {
  const body = JSON.stringify(event);
  const [one, two] = [signed(body), signed(body, { by: other })];
  const both = {
    ...one,
    "webhook-signature": `${two["webhook-signature"]} ${one["webhook-signature"]}`,
  };
  await verifyWebhook(body, one, [undefined, other, secret]);
  await verifyWebhook(body, both, [secret]);
});

const rejected: [string, (body: string) => Parameters<typeof verifyWebhook>][] = [
  ["another body", (body) => [`${body} `, signed(body), [secret]]],
  ["another secret", (body) => [body, signed(body), [other]]],
  ["another id", (body) => [body, { ...signed(body), "webhook-id": "e2" }, [secret]]],
  ["an old message", (body) => [body, signed(body, { at: Date.now() - 302_000 }), [secret]]],
  [
    "a message of the future",
    (body) => [body, signed(body, { at: Date.now() + 302_000 }), [secret]],
  ],
  [
    "a time that is no number",
    (body) => [body, { ...signed(body), "webhook-timestamp": "NaN" }, [secret]],
  ],
  ["no headers", (body) => [body, {}, [secret]]],
  ["no signature", (body) => [body, { ...signed(body), "webhook-signature": "" }, [secret]]],
  [
    "a broken signature",
    (body) => [body, { ...signed(body), "webhook-signature": "v1,%%" }, [secret]],
  ],
  [
    "a signature of another version",
    (body) => {
      const headers = signed(body);
      return [
        body,
        { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1", "v2") },
        [secret],
      ];
    },
  ],
];
for (const [name, message] of rejected)
  test(`${name} is rejected`, async () => {
    await assert.rejects(verifyWebhook(...message(JSON.stringify(event))), InvalidWebhook);
  });

test("a call without a usable secret is a mistake of the receiver, not of the sender", async () => {
  const body = JSON.stringify(event);
  await assert.rejects(verifyWebhook(body, signed(body), [undefined, ""]), TypeError);
  await assert.rejects(verifyWebhook(body, signed(body), ["whsec_%%"]), TypeError);
});
