import assert from "node:assert/strict";
import { after, test } from "node:test";
import { deleteAccount } from "../../src/features/accounts/delete-account.ts";
import { findAccount } from "../../src/features/accounts/account-status.ts";
import { capture, type NewEvent } from "../../src/events/capture.ts";
import { newId } from "../../src/base/ids.ts";
import { inTransaction, type Tx } from "../../src/store/db.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import type { Claimed } from "../../src/webhooks/engine/claim.ts";
import { firstRound, reconcile } from "../../src/webhooks/engine/reconcile.ts";
import { settle, settleWithEndpoint } from "../../src/webhooks/engine/settle.ts";
import { sweep } from "../../src/webhooks/engine/sweep.ts";
import type { ClaimResult } from "../../src/webhooks/engine/work.ts";
import { redeliver } from "../../src/webhooks/history/redeliver.ts";
import { freshDatabase } from "../support/database.ts";
import {
  actorOf,
  createdEndpoint,
  makeDelivery,
  parts,
  verifiedEndpoint,
} from "../support/endpoints.ts";
import { happen, makeDue, takeDue } from "../support/engine.ts";
import { type TestAccount, makeAccount } from "../support/make.ts";
import { meanwhile, untilWaiting } from "../support/together.ts";

/** Deletes an account while workers hold its deliveries and other transactions write to it. */

const database = await freshDatabase("the engine takes the work of every account", { max: 20 });
after(() => database.close());
const { db } = database;

const closedAccount = async () => {
  const account = await makeAccount(db);
  await db`update accounts set status = 'inactive' where id = ${account.id}`;
  return account;
};
const remove = async ({ alias }: TestAccount) => deleteAccount(db, await findAccount(db, alias));

const leftOf = async ({ id }: TestAccount) => {
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const left: string[] = [];
  for (const { name } of tables) {
    const rows = await db`select from ${db(name)} where account_id = ${id}`;
    if (rows.length > 0) left.push(`${rows.length} of ${name}`);
  }
  return left;
};

const delivered = (claimed: Claimed | undefined): ClaimResult => {
  assert.ok(claimed);
  const outcome = { kind: "delivered" } as const;
  const { claimedAt } = claimed;
  return {
    claimed,
    trigger: { kind: "attempted", outcome },
    finishedAt: claimedAt + 1,
    attempt: { startedAt: claimedAt, durationMs: 1, outcome, httpStatus: 204 },
  };
};

/** Two accounts with an event each, and a worker that holds both deliveries. */
async function heldOfTwo() {
  const [account, other] = [await closedAccount(), await makeAccount(db)];
  for (const one of [account, other]) await verifiedEndpoint(db, one);
  await db`delete from webhook_queue`;
  for (const one of [account, other]) await happen(db, one.id);
  const claimed = await takeDue(db);
  const of = ({ id }: TestAccount) => claimed.find(({ accountId }) => accountId === id);
  return { account, other, claims: [of(account), of(other)] as const };
}

test("results of a deleted account are lost, and other results in the same batch are settled", async () => {
  const { account, claims, other } = await heldOfTwo();
  await remove(account);
  const { lost, settled } = await settle(db, claims.map(delivered));
  assert.deepEqual(
    [lost, settled.map(({ result }) => result)].map((all) =>
      all.map((one) => one.claimed.accountId),
    ),
    [[account.id], [other.id]],
  );
  const [history] = await db<{ status: string }[]>`
    select status from webhook_deliveries where account_id = ${other.id} and kind = 'production'`;
  assert.equal(history?.status, "delivered");
  assert.deepEqual(await leftOf(account), []);
});

test("a challenge that is returned after the deletion verifies nothing", async () => {
  const account = await closedAccount();
  await createdEndpoint(db, account);
  const [claimed] = (await takeDue(db)).filter(({ accountId }) => accountId === account.id);
  await remove(account);
  const { lost, settled } = await settleWithEndpoint(db, delivered(claimed));
  assert.deepEqual([lost.length, settled.length], [1, 0]);
  assert.deepEqual(await leftOf(account), []);
});

test("a sweep after the deletion finds no lease of the account", async () => {
  const { account } = await heldOfTwo();
  await remove(account);
  await makeDue(db, account.id);
  await sweep(db);
  assert.deepEqual(await leftOf(account), []);
});

test("a deletion waits for results that are being settled and deletes them too", async () => {
  const { account, claims } = await heldOfTwo();
  const [claimed] = claims;
  assert.ok(claimed);
  const { accountId, deliveryId, endpointId } = claimed;
  // Locks in the order of settling: the health first.
  await meanwhile(
    db,
    (tx) => tx`select from webhook_endpoint_health where account_id = ${accountId} for update`,
    () => remove(account),
    async (tx) => {
      await tx`
        insert into webhook_attempts (account_id, delivery_id, sequence, attempt_number, state, started_at)
        values (${accountId}, ${deliveryId}, 1, 1, 'completed', now())`;
      await tx`
        insert into webhook_hours (account_id, endpoint_id, hour, latencies)
        values (${accountId}, ${endpointId}, now(), '{}')`;
      await tx`
        update webhook_deliveries set status = 'delivered' where account_id = ${accountId} and id = ${deliveryId}`;
      await tx`
        delete from webhook_queue where account_id = ${accountId} and delivery_id = ${deliveryId}`;
    },
  );
  assert.deepEqual(await leftOf(account), []);
});

test("results that arrive during a deletion wait, are lost and write nothing", async () => {
  const { account, claims, other } = await heldOfTwo();
  let settling: ReturnType<typeof settle> | undefined;
  // The deletion has locked the queue's rows and waits for the controls.
  await createdEndpoint(db, account);
  await meanwhile(
    db,
    (tx) => tx`select from webhook_controls where account_id = ${account.id} for update`,
    () => remove(account),
    async () => {
      settling = settle(db, claims.map(delivered));
      await untilWaiting(db, 2);
    },
  );
  const { lost } = (await settling) ?? assert.fail();
  assert.deepEqual(
    lost.map(({ claimed }) => claimed.accountId),
    [account.id],
  );
  assert.deepEqual(await leftOf(account), []);
  assert.equal((await db`select from webhook_attempts where account_id = ${other.id}`).length, 1);
});

const told =
  (account: TestAccount, type: "person.created" | "course.created", subject: NewEvent["subject"]) =>
  (tx: Tx) =>
    capture(tx, actorOf(account), { type, subject, snapshot: () => "{}" });

const changes = {
  "a person that is being changed, with what is told of it": async (account: TestAccount) => {
    await verifiedEndpoint(db, account);
    const { administrator, id: accountId } = account;
    const change = (tx: Tx) =>
      tx`update people set occupation = 'x' where account_id = ${accountId} and id = ${administrator.id}`;
    const person = { type: "people", id: administrator.id };
    return [change, told(account, "person.created", person)] as const;
  },
  "a course that is being added, with what is told of it": async (account: TestAccount) => {
    await verifiedEndpoint(db, account);
    const id = newId();
    const add = (tx: Tx) =>
      tx`insert into courses (account_id, id, name) values (${account.id}, ${id}, 'Late')`;
    return [add, told(account, "course.created", { type: "courses", id })] as const;
  },
  "an endpoint that is being registered, with its verification": async (account: TestAccount) => {
    const endpoint = { url: "https://late.example/", events: ["person.created"] };
    const register = (tx: Tx) => createEndpoint(tx, actorOf(account), endpoint, parts);
    return [register, async () => undefined] as const;
  },
  "a redelivery that is being queued": async (account: TestAccount) => {
    const endpointId = await verifiedEndpoint(db, account);
    const { id: deliveryId } = await makeDelivery(db, account.id, { endpointId });
    return [
      (tx: Tx) => redeliver(tx, actorOf(account), { deliveryId }),
      async () => undefined,
    ] as const;
  },
};

for (const [what, prepare] of Object.entries(changes))
  test(`a deletion waits for ${what} and deletes it too`, async () => {
    const account = await closedAccount();
    const [hold, act] = await prepare(account);
    await meanwhile(db, hold, () => remove(account), act);
    assert.deepEqual(await leftOf(account), []);
  });

test("an account that is being activated is not deleted", async () => {
  const account = await closedAccount();
  const removing = meanwhile(
    db,
    (tx) => tx`update accounts set status = 'active' where id = ${account.id}`,
    () => remove(account),
  );
  await assert.rejects(removing, /is active/);
  assert.ok((await leftOf(account)).length > 0);
});

test("a redelivery that arrives during the deletion finds nothing", async () => {
  const account = await closedAccount();
  const endpointId = await verifiedEndpoint(db, account);
  const { id: deliveryId } = await makeDelivery(db, account.id, { endpointId });
  let late: Promise<unknown> | undefined;
  await meanwhile(
    db,
    (tx) => tx`select from webhook_controls where account_id = ${account.id} for update`,
    () => remove(account),
    async () => {
      late = assert.rejects(
        inTransaction(db, account.id, (tx) => redeliver(tx, actorOf(account), { deliveryId })),
        /endpoint was deleted/,
      );
      await untilWaiting(db, 2);
    },
  );
  await late;
  assert.deepEqual(await leftOf(account), []);
});

/** Pending deliveries without a queue row, which the reconciler restores. */
async function lostDeliveries(account: TestAccount, count: number): Promise<string[]> {
  await verifiedEndpoint(db, account);
  for (let made = 0; made < count; made++)
    await happen(db, account.id, { subject: { type: "people", id: newId() } });
  await db`delete from webhook_queue where account_id = ${account.id}`;
  const rows = await db<{ id: string }[]>`
    select id from webhook_deliveries where account_id = ${account.id} and status = 'pending' order by ctid`;
  return rows.map(({ id }) => id);
}

test("the reconciler restores nothing for an account that is being deleted", async () => {
  const account = await closedAccount();
  await lostDeliveries(account, 2);
  let reconciling: ReturnType<typeof reconcile> | undefined;
  await meanwhile(
    db,
    (tx) => tx`select from webhook_controls where account_id = ${account.id} for update`,
    () => remove(account),
    async () => {
      reconciling = reconcile(db, firstRound);
      await untilWaiting(db, 2);
    },
  );
  await reconciling;
  assert.deepEqual(await leftOf(account), []);
});

test("a deletion waits for the reconciler and deletes what it restores", async () => {
  const account = await closedAccount();
  const last = (await lostDeliveries(account, 3)).at(-1) ?? "";
  let removing: ReturnType<typeof remove> | undefined;
  await meanwhile(
    db,
    (tx) =>
      tx`select from webhook_deliveries where account_id = ${account.id} and id = ${last} for update`,
    () => reconcile(db, firstRound),
    async () => {
      removing = remove(account);
      await untilWaiting(db, 2);
    },
  );
  await removing;
  assert.deepEqual(await leftOf(account), []);
});
