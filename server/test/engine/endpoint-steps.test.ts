import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operator } from "../../src/access/operator.ts";
import { capture } from "../../src/events/capture.ts";
import { onWake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import { type Db, inTransaction, type Tx } from "../../src/store/db.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import { requestVerification } from "../../src/webhooks/endpoints/request-verification.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete-endpoint.ts";
import type { RequestedChange } from "../../src/webhooks/endpoints/requested-change.ts";
import { revealSecret } from "../../src/webhooks/endpoints/reveal-secret.ts";
import { rotateSecret } from "../../src/webhooks/endpoints/rotate-secret.ts";
import { suppressRemaining } from "../../src/webhooks/endpoints/suppress-remaining.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { freshDatabase } from "../support/database.ts";
import {
  actorOf,
  createdEndpoint,
  parts,
  standing,
  verifiedEndpoint,
} from "../support/endpoints.ts";
import { makeAccount } from "../support/make.ts";
import { meanwhile } from "../support/together.ts";

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;
const account = await makeAccount(db);
const actor = actorOf(account);

const update = async (id: string, change: RequestedChange) => {
  const { configurationVersion: version } = await standing(db, account, id);
  return inTransaction(db, actor.accountId, (tx) =>
    updateEndpoint(tx, actor, { id, version }, change, parts),
  );
};

const tell = (type: "person.created" | "person.updated") =>
  inTransaction(db, account.id, (tx) =>
    capture(tx, operator(account.id), {
      type,
      subject: { type: "people", id: newId() },
      snapshot: () => "{}",
    }),
  );

interface Work {
  id: string;
  kind: string;
  status: string;
  reason: string | null;
  eventType: string | null;
  nextAttemptAt: string | null;
  queued: boolean;
}

const workOf = (id: string) => db<Work[]>`
  select d.id, d.kind, d.status, d.suppression_reason as reason, d.event_type as "eventType",
    d.next_attempt_at as "nextAttemptAt", q.delivery_id is not null as queued
  from webhook_deliveries d left join webhook_queue q on q.account_id = d.account_id and q.delivery_id = d.id
  where d.account_id = ${account.id} and d.endpoint_id = ${id} order by d.created_at, d.id`;

/** Leases the delivery as a worker does. */
const lease = (deliveryId: string, within: Db | Tx = db) => within`
  update webhook_queue set ready = false, lease = ${newId()}, leased_at = now(), due_at = now() + interval '1 minute'
  where account_id = ${account.id} and delivery_id = ${deliveryId}`;

const secretsOf = async (id: string) =>
  Array.from(
    await db`
      select generation, valid_until is not null as ends from webhook_secrets
      where account_id = ${account.id} and endpoint_id = ${id} order by generation`,
  );

const reveal = (endpointId: string, generation: number) =>
  revealSecret(db, account.id, { endpointId, generation }, parts.cipher);

const timelineOf = async (id: string) => {
  const rows = await db<{ change: string; details: string; by: string | null }[]>`
    select change, details::text, changed_by as by from webhook_endpoint_changes
    where account_id = ${account.id} and endpoint_id = ${id} order by id`;
  return rows.map(({ details, ...row }) => ({ ...row, ...JSON.parse(details) }));
};

test("a new endpoint has its first versions, its own secret and a queued verification", async () => {
  let woken = 0;
  const end = onWake(() => (woken += 1));
  const id = await createdEndpoint(db, account, {
    name: "CRM",
    url: "HTTPS://Crm.Example:443/a%7e",
    events: ["person.updated", "person.created"],
  });
  end();
  assert.equal(woken, 1);
  const { normalizedUrl, verificationGeneration } = await standing(db, account, id);
  assert.deepEqual([normalizedUrl, verificationGeneration], ["https://crm.example/a~", 1]);
  const [work, ...more] = await workOf(id);
  assert.deepEqual(
    [work?.kind, work?.status, work?.queued, more.length],
    ["verification", "pending", true, 0],
  );
  const [control] = await db`
    select c.control_type, c.destination_version, c.verification_generation, c.challenge,
      c.expires_at = c.created_at + interval '15 minutes' and q.expires_at = c.expires_at as short,
      q.verification_generation as queued
    from webhook_controls c join webhook_queue q on q.account_id = c.account_id and q.message_id = c.id
    where c.account_id = ${account.id} and c.endpoint_id = ${id}`;
  assert.equal(control?.["control_type"], "webhook.verification");
  assert.match(String(control?.["challenge"]), /^[\w-]{43}$/);
  assert.deepEqual(
    [control?.["destination_version"], control?.["verification_generation"], control?.["queued"]],
    [1, 1, 1],
  );
  assert.equal(control?.["short"], true);
  assert.match((await reveal(id, 1))?.secret ?? "", /^whsec_[\w+/]{43}=$/);
  const [born, ...later] = await timelineOf(id);
  assert.deepEqual([born?.["change"], born?.["by"], later], ["created", actor.personId, []]);
});

test("a pause suppresses waiting deliveries and leaves claimed ones to their worker", async () => {
  const id = await verifiedEndpoint(db, account);
  await tell("person.created");
  await tell("person.created");
  const [first, second] = (await workOf(id)).filter(({ kind }) => kind === "production");
  await lease(first?.id ?? "");
  await update(id, { kind: "status", status: "paused" });
  const work = new Map((await workOf(id)).map((one) => [one.id, one]));
  const waits = work.get(first?.id ?? "");
  const waiting = work.get(second?.id ?? "");
  assert.deepEqual([waits?.status, waits?.queued], ["pending", true]);
  assert.deepEqual(
    [waiting?.status, waiting?.reason, waiting?.nextAttemptAt, waiting?.queued],
    ["suppressed", "manual-pause", null, false],
  );
  const [health] = await db`
    select old_news_until from webhook_endpoint_health where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.equal(health?.["old_news_until"], null);

  await update(id, { kind: "status", status: "active" });
  assert.equal((await workOf(id)).find((one) => one.id === second?.id)?.status, "suppressed");
});

test("a pause does not change the work of another endpoint", async () => {
  const [id, other] = [await verifiedEndpoint(db, account), await verifiedEndpoint(db, account)];
  await tell("person.created");
  const before = Array.from(await workOf(other));
  await update(id, { kind: "status", status: "paused" });
  assert.deepEqual(Array.from(await workOf(other)), before);
  assert.ok(before.every(({ queued, status }) => status === "pending" && queued));
});

test("a new verification suppresses only older verifications", async () => {
  const id = await verifiedEndpoint(db, account);
  await tell("person.created");
  const { configurationVersion } = await standing(db, account, id);
  await inTransaction(db, actor.accountId, (tx) =>
    requestVerification(tx, actor, { endpointId: id, configurationVersion }),
  );
  assert.deepEqual(
    (await workOf(id)).map(({ kind, reason, status }) => [kind, status, reason]),
    [
      ["verification", "suppressed", "verification-superseded"],
      ["production", "pending", null],
      ["verification", "pending", null],
    ],
  );
});

test("a delivery that is claimed during a pause is left to its worker", async () => {
  const id = await verifiedEndpoint(db, account);
  await tell("person.created");
  const waiting = (await workOf(id)).find(({ kind }) => kind === "production");
  await meanwhile(
    db,
    (tx) => lease(waiting?.id ?? "", tx),
    () => update(id, { kind: "status", status: "paused" }),
  );
  const waits = (await workOf(id)).find((one) => one.id === waiting?.id);
  assert.deepEqual([waits?.status, waits?.queued], ["pending", true]);
});

/** Creates one delivery more than a change suppresses at once. */
async function tooMuchFor(id: string): Promise<number> {
  const waiting = webhookLimits.suppressedAtOnce + 1;
  await db`
    with delivery as (
      insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
        destination_version, expires_at)
      select ${account.id}, history_id(now()), now(), now(), 'production', ${id}, ${newId()}, 'person.created', 1,
        now() + interval '1 day'
      from generate_series(1, ${waiting})
      returning id, message_id, expires_at
    )
    insert into webhook_queue (account_id, delivery_id, endpoint_id, message_id, kind, event_type, destination_version,
      expires_at, due_at)
    select ${account.id}, id, ${id}, message_id, 'production', 'person.created', 1, expires_at, now() from delivery`;
  return waiting;
}

const leftOf = async (id: string) => {
  const [left] = await db<{ queued: number; suppressed: number }[]>`
    select (select count(*)::int from webhook_queue where account_id = ${account.id} and endpoint_id = ${id}) as queued,
      (select count(*)::int from webhook_deliveries
        where account_id = ${account.id} and endpoint_id = ${id} and suppression_reason = 'manual-pause') as suppressed`;
  return { ...left };
};

test("a change suppresses a limited number of deliveries and leaves the rest to the workers", async () => {
  const id = await verifiedEndpoint(db, account);
  const waiting = await tooMuchFor(id);
  await update(id, { kind: "status", status: "paused" });
  // The unanswered verification was waiting too.
  assert.deepEqual(await leftOf(id), { queued: 2, suppressed: waiting - 1 });
});

test("before an endpoint is resumed, all remaining work is suppressed", async () => {
  const id = await verifiedEndpoint(db, account);
  await update(id, { kind: "status", status: "paused" });
  const waiting = await tooMuchFor(id);
  await suppressRemaining(db, account.id, id);
  assert.deepEqual(await leftOf(id), { queued: 0, suppressed: waiting + 1 });
});

test("resuming ends the streak of failures", async () => {
  const id = await verifiedEndpoint(db, account);
  await update(id, { kind: "status", status: "paused" });
  await db`
    update webhook_endpoint_health set consecutive_failures = 7, streak_began_at = now(), failing_since = now(),
      last_failure_at = now(), last_failure_code = 'timeout'
    where account_id = ${account.id} and endpoint_id = ${id}`;
  await update(id, { kind: "status", status: "active" });
  const [health] = await db`
    select consecutive_failures, streak_began_at, failing_since, old_news_until, last_failure_code
    from webhook_endpoint_health where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.deepEqual(
    [health?.["consecutive_failures"], health?.["streak_began_at"], health?.["failing_since"]],
    [0, null, null],
  );
  assert.ok(health?.["old_news_until"]);
  assert.equal(health?.["last_failure_code"], "timeout", "history stays");
});

test("removing an event type suppresses only its waiting deliveries", async () => {
  const events = ["person.created", "person.updated"];
  const id = await verifiedEndpoint(db, account, { events });
  await tell("person.created");
  await tell("person.updated");
  await update(id, { kind: "configuration", events: ["person.updated"] });
  const production = (await workOf(id)).filter(({ kind }) => kind === "production");
  assert.deepEqual(
    production.map(({ eventType, reason, status }) => [eventType, status, reason]),
    [
      ["person.created", "suppressed", "subscription-removed"],
      ["person.updated", "pending", null],
    ],
  );
  const [, , edited] = await timelineOf(id);
  assert.deepEqual([edited?.["change"], edited?.["changed-fields"]], ["updated", ["events"]]);
});

test("a rotation keeps the previous secret for 48 hours and deletes older ones", async () => {
  const id = await verifiedEndpoint(db, account);
  await inTransaction(db, actor.accountId, (tx) =>
    rotateSecret(tx, actor, { endpointId: id, secretGeneration: 1 }, parts),
  );
  assert.deepEqual(await secretsOf(id), [
    { generation: 1, ends: true },
    { generation: 2, ends: false },
  ]);
  const [until] = await db`
    select s.valid_until = e.secret_overlap_until and e.secret_overlap_until
        between now() + interval '47 hours 59 minutes' and now() + interval '48 hours' as right,
      e.version from webhook_secrets s join webhook_endpoints e on e.account_id = s.account_id and e.id = s.endpoint_id
    where s.account_id = ${account.id} and s.endpoint_id = ${id} and s.generation = 1`;
  assert.deepEqual([until?.["right"], until?.["version"]], [true, 2]);
  assert.ok(await reveal(id, 1));

  await db`
    update webhook_endpoints set secret_overlap_until = now() - interval '1 second' where account_id = ${account.id} and id = ${id}`;
  await db`
    update webhook_secrets set valid_until = now() - interval '1 second' where account_id = ${account.id} and endpoint_id = ${id} and generation = 1`;
  assert.equal(await reveal(id, 1), undefined, "its overlap has ended");
  await db`delete from webhook_actions where account_id = ${account.id}`;
  await inTransaction(db, actor.accountId, (tx) =>
    rotateSecret(tx, actor, { endpointId: id, secretGeneration: 2 }, parts),
  );
  assert.deepEqual(await secretsOf(id), [
    { generation: 2, ends: true },
    { generation: 3, ends: false },
  ]);
});

test("a deleted endpoint has no secrets and no work, and its URL can be registered again", async () => {
  const url = "https://free.example/hook";
  const id = await verifiedEndpoint(db, account, { url });
  await tell("person.created");
  const { configurationVersion: version } = await standing(db, account, id);
  await inTransaction(db, actor.accountId, (tx) => deleteEndpoint(tx, actor, { id, version }));
  assert.equal((await standing(db, account, id)).status, "deleted");
  assert.deepEqual(await secretsOf(id), []);
  const work = await workOf(id);
  assert.ok(work.length > 0);
  for (const one of work) assert.deepEqual([one.reason, one.queued], ["deleted", false]);
  assert.notEqual(await createdEndpoint(db, account, { url }), id);
  assert.equal((await timelineOf(id)).at(-1)?.["change"], "deleted");
});

test("a change to the current values writes nothing", async () => {
  const id = await verifiedEndpoint(db, account, { name: "Same" });
  const before = await standing(db, account, id);
  await update(id, { kind: "configuration", name: "Same", events: ["person.created"] });
  await update(id, { kind: "configuration" });
  await update(id, { kind: "status", status: "active" });
  const { now: _, ...after } = await standing(db, account, id);
  assert.deepEqual({ ...after, now: before.now }, before);
  assert.equal((await timelineOf(id)).length, 2);
});
