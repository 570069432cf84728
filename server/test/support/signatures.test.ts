import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { type LiveSecrets, messageHeaders } from "../../src/webhooks/engine/sign.ts";
import { newSecret } from "./messages.ts";
import { ShownSecrets } from "./signatures.ts";

/** Tests the check that verifies the messages of all other tests. */

const now = Date.now();
const [secret, next, strange] = [newSecret(), newSecret(), newSecret()];
const url = "https://127.0.0.1:4443/hook";
const [accountId, endpointId] = [newId(), newId()];

interface How {
  at?: number;
  path?: string;
  account?: string;
}

function message(
  secrets: LiveSecrets,
  { account = accountId, at = now, path = "/hook" }: How = {},
) {
  const relationships = { account: { data: { type: "accounts", id: account } } };
  const body = Buffer.from(JSON.stringify({ data: { relationships } }));
  const sent = messageHeaders(
    { webhookId: newId(), deliveryId: newId(), body },
    secrets,
    at,
    "Vestry/test",
  );
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { body, path, receivedAt: at, headers: { ...headers, host: "127.0.0.1:4443" } };
}

/** One endpoint, registered an hour ago. */
function registered(): ShownSecrets {
  const shown = new ShownSecrets();
  const askedAt = now - HOUR;
  shown.tell({ endpointId, accountId, url, secret: secret.revealOnce(), askedAt }, askedAt);
  return shown;
}

const isRefused = (shown: ShownSecrets, ...resource: Parameters<typeof message>) =>
  shown.refusal(message(...resource)) !== undefined;

test("the endpoint's own secret, and no other that the process was shown", () => {
  const shown = registered();
  const elsewhere = { endpointId: newId(), url: `${url}/other`, askedAt: now - HOUR };
  shown.tell({ ...elsewhere, accountId, secret: next.revealOnce() });
  const neighbour = { endpointId: newId(), accountId: newId(), url, askedAt: now - HOUR };
  shown.tell({ ...neighbour, secret: strange.revealOnce() });
  assert.ok(!isRefused(shown, { current: secret }));
  assert.ok(isRefused(shown, { current: next }), "another URL's");
  assert.ok(isRefused(shown, { current: strange }), "another account's at the same URL");
  assert.ok(!isRefused(shown, { current: strange }, { account: neighbour.accountId }));
  assert.ok(isRefused(shown, { current: secret, previous: strange }), "not that alone");
});

test("while a rotation overlaps both, before it the old one and after it the new one", () => {
  const shown = registered();
  const [rotatedAt, previousUntil] = [now - 60_000, now + 60_000];
  shown.tell({ endpointId, secret: next.revealOnce(), askedAt: rotatedAt, previousUntil });
  assert.ok(!isRefused(shown, { current: next, previous: secret }));
  assert.ok(!isRefused(shown, { current: secret }, { at: rotatedAt - 1_000 }));
  assert.ok(isRefused(shown, { current: next }, { at: rotatedAt - 1_000 }));
  assert.ok(!isRefused(shown, { current: next }, { at: previousUntil + 1_000 }));
  assert.ok(isRefused(shown, { current: next, previous: secret }, { at: previousUntil + 1_000 }));
});

test("where the URL was set the old secret signs no more, neither here nor there", () => {
  const shown = registered();
  const changedAt = now - 1_000;
  const changed = { url: `${url}/new`, secret: next.revealOnce(), askedAt: changedAt };
  shown.tell({ endpointId, ...changed }, changedAt);
  assert.ok(!isRefused(shown, { current: secret }, { at: changedAt - 1 }));
  assert.ok(isRefused(shown, { current: secret }));
  assert.ok(isRefused(shown, { current: secret }, { path: "/hook/new" }));
  assert.ok(!isRefused(shown, { current: next }, { path: "/hook/new" }));
});

test("an answer that is repeated changes nothing", () => {
  const shown = registered();
  shown.tell({ endpointId, url, secret: secret.revealOnce(), askedAt: now });
  assert.ok(!isRefused(shown, { current: secret }));
});

test("a message of an unknown endpoint and an unsigned message are rejected", () => {
  assert.ok(isRefused(new ShownSecrets(), { current: secret }), "no secret was shown");
  const shown = registered();
  assert.ok(isRefused(shown, { current: secret }, { path: "/elsewhere" }));
  const { headers, ...bare } = message({ current: secret });
  assert.ok(shown.refusal({ ...bare, headers: { host: headers["host"] ?? "" } }));
});
