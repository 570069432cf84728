import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import type { Tx } from "../../../src/store/db.ts";
import { asAdministrator } from "../../support/database.ts";
import {
  activeEndpoint,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import { happen } from "../../support/engine.ts";
import {
  codes,
  document,
  etag,
  many,
  one,
  pointers,
  type Resource,
  startService,
} from "../../support/service.ts";
import { untilWaiting } from "../../support/together.ts";
import { webhookParts } from "../../support/webhook-parts.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const somewhere = () => `https://receiver.example/${newId()}`;

const patch = (id: string, attributes: Record<string, unknown>, headers = {}) =>
  service.patch(`/v1/webhook-endpoints/${id}`, document("webhook-endpoints", attributes, { id }), {
    headers,
  });

const secretOf = (resource: Resource) => String(resource.meta?.["secret"]);

test("200 · a new URL starts verification, replaces the secret and suppresses pending work", async () => {
  const { etag: version, id, secret } = await activeEndpoint(service);
  await happen(db, account.id);
  await db`
    update webhook_endpoint_health set consecutive_failures = 4, streak_began_at = now(), last_failure_at = now()
    where account_id = ${account.id} and endpoint_id = ${id}`;
  const url = somewhere();
  const answer = await patch(id, { url }, { "If-Match": version, ...newKey() });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(etag(answer), '"webhook-endpoint-3"');
  const { attributes } = one(answer);
  assert.deepEqual(
    {
      "url": attributes["url"],
      "status": attributes["status"],
      "configuration-version": attributes["configuration-version"],
      "destination-version": attributes["destination-version"],
      "verified-destination-version": attributes["verified-destination-version"],
      "verified-at": attributes["verified-at"],
      "secret-generation": attributes["secret-generation"],
      "failures": attributes["consecutive-production-failures"],
    },
    {
      "url": url,
      "status": "pending-verification",
      "configuration-version": 3,
      "destination-version": 2,
      "verified-destination-version": 1,
      "verified-at": null,
      "secret-generation": 2,
      "failures": 0,
    },
  );
  assert.match(secretOf(one(answer)), /^whsec_[\w+/]{43}=$/);
  assert.notEqual(secretOf(one(answer)), secret);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const generations = await db`
    select generation from webhook_secrets where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.deepEqual(
    generations.map((row) => row["generation"]),
    [2],
  );
  const work = many(await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}`));
  assert.deepEqual(
    work
      .map(({ attributes: one }) => [one["kind"], one["status"], one["suppression-reason"]].join())
      .toSorted(),
    [
      "production,suppressed,url-changed",
      "verification,pending,",
      "verification,suppressed,url-changed",
    ],
  );
});

test("200 · a URL resets the destination even if it is the same or normalizes to the same", async () => {
  const path = newId();
  const url = `https://same.example/${path}`;
  const { id, secret } = await activeEndpoint(service, { url });
  const first = one(await patchEndpoint(service, id, { url }, newKey()));
  assert.equal(first.attributes["destination-version"], 2);
  const written = `HTTPS://Same.Example:443/${path}`;
  const second = one(await patchEndpoint(service, id, { url: written }, newKey()));
  assert.equal(second.attributes["destination-version"], 3);
  assert.equal(second.attributes["url"], written);
  assert.equal(new Set([secret, secretOf(first), secretOf(second)]).size, 3);
});

test("200 · a name and events may be sent with a URL", async () => {
  const { id } = await postEndpoint(service, { name: "Before" });
  const answer = await patchEndpoint(
    service,
    id,
    { url: somewhere(), name: null, events: ["cell.updated"] },
    newKey(),
  );
  const { attributes } = one(answer);
  assert.deepEqual(
    [attributes["name"], attributes["events"], attributes["configuration-version"]],
    [null, ["cell.updated"], 2],
  );
});

test("409 · a URL of another endpoint is rejected and resets nothing", async () => {
  const path = newId();
  await postEndpoint(service, { url: `https://taken.example/${path}` });
  const { id } = await activeEndpoint(service);
  const answer = await patchEndpoint(
    service,
    id,
    { url: `https://TAKEN.example/${path}` },
    newKey(),
  );
  assert.deepEqual([answer.status, codes(answer)], [409, ["duplicate-url"]]);
  assert.deepEqual(pointers(answer), ["/data/attributes/url"]);
  assert.ok(!answer.text.includes("whsec_"));
  const after = await readEndpoint(service, id);
  assert.deepEqual([after["status"], after["destination-version"]], ["active", 1]);
});

test("400 · a URL requires an Idempotency-Key, even if the URL is the same", async () => {
  const url = somewhere();
  const { etag: version, id } = await activeEndpoint(service, { url });
  for (const attributes of [{ url }, { url: somewhere(), name: "Too" }]) {
    const answer = await patch(id, attributes, { "If-Match": version });
    assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
    assert.deepEqual(answer.document.errors?.[0]?.source, { header: "Idempotency-Key" });
  }
  assert.equal((await readEndpoint(service, id))["destination-version"], 1);
});

test("422 · a URL that is null or not a public HTTPS address is rejected", async () => {
  const { id } = await activeEndpoint(service);
  for (const url of [
    "http://receiver.example/",
    "https://10.0.0.1/",
    "https://a@b.example/",
    null,
  ]) {
    const answer = await patchEndpoint(service, id, { url }, newKey());
    assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/attributes/url"]]);
  }
});

test("422 · a host that does not resolve or has a private address is rejected", async () => {
  for (const [verdict, code] of [
    ["none", "url-unresolvable"],
    ["refused", "invalid-attribute"],
  ] as const) {
    let verdictNow: "usable" | typeof verdict = "usable";
    const webhooks = { ...webhookParts(), judgeHost: async () => verdictNow };
    const other = await startService({ webhooks });
    const { id } = await activeEndpoint(other);
    verdictNow = verdict;
    const answer = await patchEndpoint(other, id, { url: somewhere() }, newKey());
    assert.deepEqual([answer.status, codes(answer)], [422, [code]]);
    assert.equal((await readEndpoint(other, id))["status"], "active");
    // A new name needs no DNS query.
    assert.equal((await patchEndpoint(other, id, { name: "Fine" })).status, 200);
    await other.stop();
  }
});

test("200 · a change that deadlocks is rolled back and runs once more", async () => {
  const { etag: version, id } = await activeEndpoint(service);
  const [change, key] = [{ url: somewhere() }, newKey()];
  const lock = async (tx: Tx, table: string, column: string) =>
    await tx.query(`select from ${table} where account_id = $1 and ${column} = $2 for update`, [
      account.id,
      id,
    ]);
  // The change closes the deadlock and detects it, because the other transaction does not look for one.
  await asAdministrator((admin) => admin`grant set on parameter deadlock_timeout to public`);
  const { answering } = await db.begin(undefined, async (other) => {
    await other`set local deadlock_timeout = '1min'`;
    await lock(other, "webhook_endpoint_health", "endpoint_id");
    const { answering, locking } = await db.begin(undefined, async (first) => {
      await lock(first, "webhook_endpoints", "id");
      const answering = patch(id, change, { "If-Match": version, ...key });
      await untilWaiting(db, 1);
      // The queue of a table is fair, that of a row is not: the repetition could take the row first.
      const locking = other.query("lock table webhook_endpoints in exclusive mode");
      await untilWaiting(db, 2);
      return { answering, locking };
    });
    await locking;
    return { answering };
  });
  const answer = await answering;
  assert.equal(answer.status, 200, answer.text);
});
